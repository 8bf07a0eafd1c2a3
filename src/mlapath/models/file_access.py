"""Files that the analysed program reads: what is there, and what is in them.

The facts may offer ``files`` (absolute path -> text) and ``path_kind``; the program answers for
the tree.  Where nobody answers, whether a file is there and what it holds are not known.
"""

from __future__ import annotations

import posixpath
from typing import Any

from mlapath.models.stdlib_os_path import fspath, path_kind
from mlapath.models.support import instance, unknown
from mlapath.values.objects import ClassObj
from mlapath.values.origin import Origin
from mlapath.values.value import Unknown, V

CONTENT = "\0content"
MISSING = 2
"""``errno.ENOENT``."""


def kind_of(it: Any, path: V) -> str | None:
    """``file dir absent``, or None where it is not known."""
    plain = fspath(it, path)
    if type(plain.d) is not str:
        return None
    return path_kind(it, posixpath.normpath(plain.d))


def text_of(it: Any, path: V) -> V:
    """The text of a file that is there, or unknown text."""
    plain = fspath(it, path)
    if type(plain.d) is str:
        where = posixpath.normpath(plain.d)
        files = getattr(it.facts, "files", {})
        if where in files:
            return V(files[where], Origin("config", label=f"file:{where}"))
        inside = where.removeprefix(f"{it.program.root}/")
        read = getattr(it.program, "read_text", None)
        found = read(inside) if inside != where and read is not None else None
        if found is not None:
            return V(found, Origin("default", inside))
    return V(Unknown("the text of a file", "str"), path.o)


def files_below(it: Any, path: V) -> list[str]:
    """The files below a folder of the scenario or of the tree, relative to it; [] elsewhere."""
    plain = fspath(it, path)
    if type(plain.d) is not str:
        return []
    folder = posixpath.normpath(plain.d) + "/"
    known = list(getattr(it.facts, "files", {}))
    root = f"{it.program.root}/"
    if folder.startswith(root):
        known += [f"{root}{p}" for p in it.program.listing()]
    return [p.removeprefix(folder) for p in known if p.startswith(folder)]


DEVNULL = "/dev/null"
"""``os.devnull`` of Linux: it can be written to wherever vLLM runs."""


def missing(it: Any, path: V) -> None:
    """Raise the program's FileNotFoundError."""
    plain = fspath(it, path)
    said = it.exception("FileNotFoundError", [V(MISSING), V("No such file or directory")])
    it.setattr(said, "errno", V(MISSING))
    it.setattr(said, "filename", plain)
    raise it.make_raise(said)


def require(it: Any, path: V, what: str) -> None:
    """What opening a file for reading raises, where that is known."""
    kind = kind_of(it, path)
    if kind == "absent":
        missing(it, path)
    if kind == "dir":
        it.throw("IsADirectoryError", "[Errno 21] Is a directory")
    if kind is None:
        it.may_raise(it.frame, what)


def open_file(it: Any, path: V, mode: V) -> V:
    """``open(path, mode)``: a file object of the program."""
    plain = fspath(it, path)
    text = mode.d if type(mode.d) is str else ""
    reads = type(mode.d) is str and not any(c in text for c in "wax+")
    cls: ClassObj = it.models.symbol(it, "io.TextIOWrapper").d
    content: V = V(Unknown("the content of a file"))
    if reads and type(plain.d) is str:
        require(it, path, "open")
        found = text_of(it, path)
        binary = "b" in text and type(found.d) is str
        content = V(found.d.encode(), found.o) if binary else found
        if "b" in text and type(found.d) is Unknown:
            content = unknown("the content of a file", "bytes", found.o)
    elif type(plain.d) not in (int, bytes, str, Unknown):
        it.throw("TypeError", "expected str, bytes or os.PathLike object, not "
                 f"{it.type_name(path)}")  # fmt: skip
    elif plain.d != DEVNULL:
        it.may_raise(it.frame, "open")
    return instance(it, cls, {"name": plain, "mode": mode, "closed": V(False), CONTENT: content})
