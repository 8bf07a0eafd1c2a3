"""``tempfile``, ``shutil``, ``glob``: files and folders of the machine."""

from __future__ import annotations

import glob
from typing import Any

from mlapath.models.api import Fn, Library, argument, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.file_access import CONTENT, kind_of
from mlapath.models.stdlib_os_path import fspath
from mlapath.models.support import gives, instance, nothing, origins, pure, unknown
from mlapath.values.objects import ClassObj
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]


def _folder(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    """``TemporaryDirectory()``: a name that nobody knows."""
    it.may_raise(it.frame, "tempfile.TemporaryDirectory")
    return instance(it, cls, {"name": unknown("the name of a temporary folder", "str")})


def _name(it: Any, args: Args, kwargs: Kwargs) -> V:
    value: V = args[0].d.attrs["name"]
    return value


def _folder_class(it: Any) -> V:
    methods: dict[str, Fn] = {"__enter__": _name, "__exit__": nothing, "cleanup": nothing}
    return V(make_class(it, "tempfile.TemporaryDirectory", construct=_folder, methods=methods))


def _file(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``NamedTemporaryFile()`` and ``TemporaryFile()``."""
    it.may_raise(it.frame, "tempfile.NamedTemporaryFile")
    return instance(it, library_class(it, "io.TextIOWrapper"), {
        "name": unknown("the name of a temporary file", "str"), "closed": V(False),
        "mode": argument(args, kwargs, 0, "mode") or V("w+b"),
        CONTENT: unknown("the content of a file")})  # fmt: skip


def _made_file(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``mkstemp()``."""
    it.may_raise(it.frame, "tempfile.mkstemp")
    return V((unknown("a file descriptor", "int", lo=0),
              unknown("the name of a temporary file", "str")))  # fmt: skip


def _glob(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``glob(pattern)``: of one path without wildcards it is known; else what is there is not."""
    pattern = fspath(it, argument(args, kwargs, 0, "pathname") or V(None))
    plain = type(pattern.d) is str and not glob.has_magic(pattern.d) and not kwargs
    kind = kind_of(it, pattern) if plain else None
    if kind is None:
        return unknown("the files that match a pattern", "list", origins(args, kwargs))
    return V(it.heap.list([pattern] if kind != "absent" else []), pattern.o)


def _silent(name: str) -> Fn:
    """An effect outside the program that gives nothing back; it may fail there."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        it.may_raise(it.frame, name)
        return V(None)

    return fn


LIBRARY = Library(
    functions={
        "tempfile.NamedTemporaryFile": _file, "tempfile.TemporaryFile": _file,
        "tempfile.SpooledTemporaryFile": _file, "tempfile.mkstemp": _made_file,
        "tempfile.mkdtemp": gives("tempfile.mkdtemp", "str", raises=True),
        "tempfile.mktemp": gives("tempfile.mktemp", "str"),
        "tempfile.gettempdir": gives("tempfile.gettempdir", "str"),
        "glob.glob": _glob, "glob.iglob": _glob,
        "glob.escape": pure("glob.escape", glob.escape, "str"),
        "glob.has_magic": pure("glob.has_magic", glob.has_magic, "bool"),
        **{f"shutil.{name}": _silent(f"shutil.{name}") for name in (
            "rmtree", "copyfileobj", "copymode", "copystat", "chown")},
        **{f"shutil.{name}": gives(f"shutil.{name}", raises=True) for name in (
            "copy", "copy2", "copyfile", "copytree", "move", "disk_usage", "make_archive",
            "unpack_archive")},
        "shutil.get_terminal_size": gives("shutil.get_terminal_size"),
    },
    values={
        "tempfile.TemporaryDirectory": _folder_class,
        "shutil.Error": lambda it: V(make_class(it, "shutil.Error", (it.builtins["OSError"].d,))),
        "shutil.SameFileError": lambda it: V(make_class(
            it, "shutil.SameFileError", (library_class(it, "shutil.Error"),))),
    },
)  # fmt: skip
