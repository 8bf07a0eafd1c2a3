"""``pathlib``: paths as text by ``PurePosixPath``; files by what the tree and the facts say."""

from __future__ import annotations

import posixpath
from fnmatch import fnmatch
from pathlib import PurePosixPath
from typing import Any

from mlapath.models import stdlib_os_path
from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.file_access import (
    files_below,
    kind_of,
    missing,
    open_file,
    require,
    text_of,
)
from mlapath.models.support import ERRORS, gives, instance, origins, throw_like, unknown
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.origin import Origin
from mlapath.values.truth import Truth
from mlapath.values.value import Union, Unknown, V

Args = list[V]
Kwargs = dict[str, V]
TEXT = "\0path"
CONCRETE = {"pathlib.Path": "pathlib.PosixPath", "pathlib.PurePath": "pathlib.PurePosixPath"}


def make_path(it: Any, text: Any, origin: Origin | None, like: V | None = None) -> V:
    """A path of the program; ``text`` is a str, or an Unknown one. like: of this class."""
    cls = like.d.cls if like is not None else library_class(it, "pathlib.PosixPath")
    return V(instance(it, cls, {TEXT: V(text, origin)}).d, origin)


def text_in(it: Any, value: V) -> V:
    """The text of a path, or of a str."""
    d = value.d
    if type(d) is Instance and TEXT in d.attrs:
        found: V = d.attrs[TEXT]
        return V(found.d, found.o or value.o)
    return stdlib_os_path.fspath(it, value)


def _construct(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    if any(type(a.d) is Union for a in args):
        rows = [a.d.options if type(a.d) is Union else (a,) for a in args]
        if len(rows) == 1:
            joined: V = it.each(list(rows[0]), lambda o: _construct(it, cls, [o], {}))
            return joined
    real: ClassObj = library_class(it, CONCRETE.get(cls.full, "pathlib.PosixPath"))
    target = real if cls.module == "pathlib" and cls.full in CONCRETE else cls
    texts = [text_in(it, a) for a in args]
    origin = origins(args)
    for text, given in zip(texts, args, strict=True):
        if type(text.d) not in (str, Unknown, Union):
            it.throw("TypeError", "argument should be a str or an os.PathLike object where "
                     f"__fspath__ returns a str, not '{it.type_name(given)}'")  # fmt: skip
    if any(type(t.d) is not str for t in texts):
        text = V(Unknown("a path with unknown parts", "str"))
    else:
        text = V(str(PurePosixPath(*(t.d for t in texts))))
    made = V(instance(it, target, {TEXT: V(text.d, origin)}).d, origin)
    if target is not real and target.path:
        it.initialise(made, args, kwargs, "")
    return made


def _pure(name: str, hint: str = "", *, call: bool = True) -> Fn:
    """A method (``call``) or a property of pure paths; paths that come out are paths again."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        origin = origins(args, kwargs)
        texts = [text_in(it, a) for a in args]
        try:
            path = to_py(texts[0])
            given = [to_py(t) for t in texts[1:]]
            named = {key: to_py(value) for key, value in kwargs.items()}
        except NotConcrete:
            if hint == "path":
                return make_path(it, Unknown("a path with unknown parts", "str"), origin, args[0])
            return unknown(f"{name} of a path that is not known", hint, origin)
        found = getattr(PurePosixPath(path), name)
        try:
            return _back(it, found(*given, **named) if call else found, origin, args[0])
        except ERRORS as error:
            throw_like(it, error)
            raise AssertionError("unreachable") from error

    return fn


def _back(it: Any, found: Any, origin: Origin | None, like: V) -> V:
    if isinstance(found, PurePosixPath):
        return make_path(it, str(found), origin, like)
    if isinstance(found, (list, tuple)):
        items = [V(x, origin) for x in found]
        return V(tuple(items), origin) if isinstance(found, tuple) else V(it.heap.list(items))
    return V(found, origin)


def _parents(it: Any, args: Args, kwargs: Kwargs) -> V:
    text = text_in(it, args[0])
    if type(text.d) is not str:
        return unknown("the parents of a path that is not known", "", text.o)
    found = PurePosixPath(text.d).parents
    return V(tuple(make_path(it, str(p), text.o, args[0]) for p in found), text.o)


def _below(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``path / other``."""
    if type(args[1].d) in (int, float, bool, type(None), tuple):
        return it.models.symbol(it, "NotImplemented")  # type: ignore[no-any-return]
    return _pure("joinpath", "path")(it, args, {})


def _above(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``other / path``."""
    return _below(it, [make_path(it, text_in(it, args[1]).d, args[1].o), args[0]], {})


def _order(op: str) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        sides = [text_in(it, a) for a in args]
        if any(type(s.d) is not str for s in sides):
            return unknown("an order of paths that are not known", "bool", origins(args))
        parts = [V(tuple(V(p) for p in PurePosixPath(s.d).parts), s.o) for s in sides]
        result: V = it.compare(op, *parts)
        return result

    return fn


def _text(it: Any, value: V, conversion: str) -> str | None:
    text = text_in(it, value).d
    if type(text) is not str:
        return None
    return f"{value.d.cls.name}({text!r})" if conversion == "r" else text


# -- files ---------------------------------------------------------------------------------


def _question(name: str, *yes: str) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        text = text_in(it, args[0])
        kind = kind_of(it, text)
        if kind is None:
            return unknown(f"whether a path passes {name}()", "bool", text.o)
        return V(kind in yes, text.o)

    return fn


def _absolute(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``resolve`` and ``absolute``: links are taken to lead nowhere else."""
    text = text_in(it, args[0])
    if type(text.d) is not str or not text.d.startswith("/"):
        why = Unknown("a path below the working folder", "str")
        return make_path(it, why, text.o, args[0])
    return make_path(it, posixpath.normpath(text.d), text.o, args[0])


def _expanduser(it: Any, args: Args, kwargs: Kwargs) -> V:
    text = stdlib_os_path.expanduser(it, [text_in(it, args[0])], {})
    return make_path(it, text.d, text.o, args[0])


def _read(binary: bool) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        text = text_in(it, args[0])
        require(it, text, "Path.read_text")
        found = text_of(it, text)
        if not binary:
            return found
        if type(found.d) is str:
            return V(found.d.encode(), found.o)
        return unknown("the content of a file", "bytes", found.o)

    return fn


def _open(it: Any, args: Args, kwargs: Kwargs) -> V:
    mode = argument(args, kwargs, 1, "mode") or V("r")
    return open_file(it, text_in(it, args[0]), mode)


def _listing(name: str) -> Fn:
    """``iterdir``, ``glob``, ``rglob``: in the tree, and in the scenario's model folder.

    What is in other folders is not known, but for one that is absent.
    """

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        text = text_in(it, args[0])
        if kind_of(it, text) == "absent":
            if name == "iterdir":
                missing(it, text)
            return it.generator_of(V(it.heap.list([])))  # type: ignore[no-any-return]
        pattern = args[1].d if len(args) > 1 else "*"
        inside = files_below(it, text)
        if inside and name != "walk" and type(pattern) is str and "**" not in pattern:
            chosen = _matching(name, inside, pattern)
            paths = [make_path(it, f"{text.d}/{p}", text.o, args[0]) for p in chosen]
            return it.generator_of(V(it.heap.list(paths)))  # type: ignore[no-any-return]
        it.may_raise(it.frame, f"Path.{name}")
        return V(Unknown(f"the result of Path.{name}()", "list", f"pathlib.Path.{name}()"), text.o)

    return fn


def _matching(name: str, inside: list[str], pattern: str) -> list[str]:
    """The files, and the folders that hold files, that match; sorted."""
    wanted = pattern.split("/")
    every = {"/".join(p.split("/")[:n]) for p in inside for n in range(1, p.count("/") + 2)}
    out = []
    for path in sorted(every):
        parts = path.split("/")
        tail = parts[-len(wanted) :] if name == "rglob" else parts
        if len(tail) == len(wanted) and all(map(fnmatch, tail, wanted)):
            out.append(path)
    return out


def _silent(name: str, hint: str = "") -> Fn:
    """An effect outside the program; it may fail there."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        it.may_raise(it.frame, f"Path.{name}")
        return unknown(f"the result of Path.{name}()", hint) if hint else V(None)

    return fn


def _renamed(it: Any, args: Args, kwargs: Kwargs) -> V:
    it.may_raise(it.frame, "Path.rename")
    text = text_in(it, args[1])
    return make_path(it, text.d, text.o, args[0])


def _home(it: Any, args: Args, kwargs: Kwargs) -> V:
    text = stdlib_os_path.expanduser(it, [V("~")], {})
    return make_path(it, text.d, text.o)


def _cwd(it: Any, args: Args, kwargs: Kwargs) -> V:
    return make_path(it, Unknown("the working folder", "str"), None)


PROPERTIES: dict[str, Fn] = {
    **{name: _pure(name, hint, call=False) for name, hint in (
        ("name", "str"), ("stem", "str"), ("suffix", "str"), ("suffixes", "list"),
        ("parts", "tuple"), ("parent", "path"), ("anchor", "str"), ("root", "str"),
        ("drive", "str"))},
    "parents": _parents,
}  # fmt: skip
PURE: dict[str, Fn] = {
    **{name: _pure(name, hint) for name, hint in (
        ("as_posix", "str"), ("as_uri", "str"), ("is_absolute", "bool"), ("match", "bool"),
        ("is_relative_to", "bool"), ("relative_to", "path"), ("joinpath", "path"),
        ("with_name", "path"), ("with_suffix", "path"), ("with_stem", "path"))},
    "__fspath__": lambda it, a, k: text_in(it, a[0]),
    "__truediv__": _below, "__rtruediv__": _above, "__lt__": _order("<"), "__le__": _order("<="),
    "__gt__": _order(">"), "__ge__": _order(">="),
}  # fmt: skip
FILES: dict[str, Fn] = {
    "exists": _question("exists", "file", "dir"), "is_file": _question("is_file", "file"),
    "is_dir": _question("is_dir", "dir"), "is_symlink": _question("is_symlink"),
    "is_mount": _question("is_mount"), "is_socket": _question("is_socket"),
    "resolve": _absolute, "absolute": _absolute, "expanduser": _expanduser,
    "read_text": _read(binary=False), "read_bytes": _read(binary=True), "open": _open,
    **{name: _listing(name) for name in ("iterdir", "glob", "rglob", "walk")},
    **{name: _silent(name) for name in ("mkdir", "rmdir", "unlink", "touch", "chmod",
                                        "symlink_to", "hardlink_to")},
    "write_text": _silent("write_text", "int"), "write_bytes": _silent("write_bytes", "int"),
    "stat": gives("Path.stat", raises=True), "lstat": gives("Path.lstat", raises=True),
    "samefile": gives("Path.samefile", "bool", raises=True),
    "owner": gives("Path.owner", "str", raises=True),
    "readlink": gives("Path.readlink", raises=True), "rename": _renamed, "replace": _renamed,
}  # fmt: skip
FACTS: dict[str, Any] = {
    "text": _text, "hash_fields": (TEXT,), "eq_fields": (TEXT,), "frozen": True,
    "truth": lambda it, value: Truth.TRUE,
}  # fmt: skip


def _class(full: str, *bases: str, methods: dict[str, Fn], static: dict[str, Fn]) -> Factory:
    def factory(it: Any) -> V:
        parents = tuple(library_class(it, base) for base in bases)
        return V(make_class(it, full, parents, methods=methods, properties=PROPERTIES,
                            class_methods=static, construct=_construct, facts=FACTS))  # fmt: skip

    return factory


PLACES: dict[str, Fn] = {"home": _home, "cwd": _cwd}
LIBRARY = Library(
    values={
        "pathlib.PurePath": _class("pathlib.PurePath", methods=PURE, static={}),
        "pathlib.PurePosixPath": _class("pathlib.PurePosixPath", "pathlib.PurePath", methods=PURE,
                                        static={}),
        "pathlib.Path": _class("pathlib.Path", "pathlib.PurePath", methods={**PURE, **FILES},
                               static=PLACES),
        "pathlib.PosixPath": _class("pathlib.PosixPath", "pathlib.Path", "pathlib.PurePosixPath",
                                    methods={**PURE, **FILES}, static=PLACES),
    },
)  # fmt: skip
