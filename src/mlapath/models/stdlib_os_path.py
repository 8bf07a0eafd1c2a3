"""``os.path``: pure functions by ``posixpath``; files by what the tree and the facts say."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn
from mlapath.models.stdlib_os_environ import get
from mlapath.models.support import gives, origins, pure, unknown
from mlapath.values.objects import Instance
from mlapath.values.value import SCALAR_TYPES, V


def fspath(it: Any, value: V) -> V:
    """The str of a path-like value; other values as they are."""
    if type(value.d) is Instance:
        special = it.lookup_special(value, "__fspath__")
        if special is not None:
            return it.call(special, [], {})  # type: ignore[no-any-return]
        if type(value.d.payload) in SCALAR_TYPES:
            return V(value.d.payload, value.o)
    return value


def path_kind(it: Any, path: str) -> str | None:
    """``file dir absent``, or None where it is not known."""
    asked = getattr(it.facts, "path_kind", None)
    kind: str | None = asked(path) if asked is not None else None
    if kind is None:
        offered = getattr(it.program, "path_kind", None)
        kind = offered(path) if offered is not None else None
    if kind == "absent" and path.endswith(".so") and not getattr(it.facts, "built", True):
        return None
    return kind


def _question(name: str, yes: tuple[str, ...]) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        given = [*args, *kwargs.values()]
        path = fspath(it, given[0])
        kind = path_kind(it, posixpath.normpath(path.d)) if type(path.d) is str else None
        if kind is None:
            return unknown(f"whether a path passes os.path.{name}()", "bool", path.o)
        return V(kind in yes, path.o)

    return fn


def _text(name: str, real: Callable[..., Any], hint: str = "str") -> Fn:
    """A pure function of paths."""
    compute = pure(f"os.path.{name}", real, hint)

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        named = {name: fspath(it, value) for name, value in kwargs.items()}
        return compute(it, [fspath(it, value) for value in args], named)

    return fn


def _split(name: str) -> Fn:
    return _text(name, getattr(posixpath, name), "tuple")


def _absolute(name: str) -> Fn:
    """``abspath``, ``realpath``: of absolute paths; links are taken to lead nowhere else."""
    compute = pure(f"os.path.{name}", posixpath.normpath, "str")

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        path = fspath(it, (args or list(kwargs.values()))[0])
        if type(path.d) is str and not path.d.startswith("/"):
            return unknown("a path below the working folder", "str", path.o)
        return compute(it, [path], {})

    return fn


def expanduser(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``expanduser(path)``: the home folder is known where the scenario sets HOME."""
    path = fspath(it, (args or list(kwargs.values()))[0])
    if type(path.d) is str:
        if not path.d.startswith("~"):
            return path
        if path.d == "~" or path.d.startswith("~/"):
            home = get(it, V("HOME"), V(None))
            if type(home.d) is str:
                return V(home.d.rstrip("/") + path.d[1:], origins([home, path]))
    return unknown("a path below a home folder", "str", path.o)


def expandvars(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``expandvars(path)``: only of paths without variables."""
    path = fspath(it, args[0])
    if type(path.d) is str and "$" not in path.d:
        return path
    return unknown("a path with environment variables", "str", path.o)


PURE = ("basename", "commonprefix", "dirname", "join", "normcase", "normpath", "commonpath")
FUNCTIONS: dict[str, Fn] = {
    **{f"os.path.{name}": _text(name, getattr(posixpath, name)) for name in PURE},
    **{f"os.path.{name}": _split(name) for name in ("split", "splitext", "splitdrive")},
    **{f"os.path.{name}": _absolute(name) for name in ("abspath", "realpath")},
    "os.path.isabs": _text("isabs", posixpath.isabs, "bool"),
    "os.path.exists": _question("exists", ("file", "dir")),
    "os.path.lexists": _question("lexists", ("file", "dir")),
    "os.path.isfile": _question("isfile", ("file",)),
    "os.path.isdir": _question("isdir", ("dir",)),
    "os.path.islink": _question("islink", ()),
    "os.path.ismount": _question("ismount", ()),
    "os.path.samefile": gives("os.path.samefile", "bool", raises=True),
    "os.path.getsize": gives("os.path.getsize", "int", lo=0, raises=True),
    "os.path.getmtime": gives("os.path.getmtime", "float", lo=0, raises=True),
    "os.path.getctime": gives("os.path.getctime", "float", lo=0, raises=True),
    "os.path.relpath": gives("os.path.relpath", "str"),  # depends on the working folder
    "os.path.expanduser": expanduser,
    "os.path.expandvars": expandvars,
}
