"""``sys``: the interpreter that runs the analysed program."""

from __future__ import annotations

import sys
from typing import Any

from mlapath.models import host
from mlapath.models.api import Factory, Fn, Library, make_class
from mlapath.models.stdlib_sys_modules import modules
from mlapath.models.support import constants, gives, instance, nothing, unknown
from mlapath.values.objects import Instance
from mlapath.values.origin import Origin
from mlapath.values.value import V

PARTS = ("major", "minor", "micro", "releaselevel", "serial")
FLAGS = ("debug", "inspect", "interactive", "optimize", "verbose", "isolated", "no_site")


def _version_info(it: Any) -> V:
    """A tuple with names, as an assumption."""
    version = host.python(it)
    origin = Origin("default", label="host:python", value=version)
    parts = [V(part, origin) for part in (*version, "final", 0)]

    def part(index: int) -> Fn:
        return lambda engine, args, kwargs: parts[index]

    cls = make_class(
        it, "sys.version_info", (it.builtins["tuple"].d,), payload=tuple,
        properties={name: part(index) for index, name in enumerate(PARTS)},
    )  # fmt: skip
    return V(Instance(cls, it.heap.cell(), tuple(parts)), origin)


def _hexversion(it: Any) -> V:
    major, minor, micro = host.python(it)
    return V(major << 24 | minor << 16 | micro << 8 | 0xF0)


def _implementation(it: Any) -> V:
    cls = make_class(it, "types.SimpleNamespace")
    major, minor, _ = host.python(it)
    return instance(it, cls, {"name": V("cpython"), "cache_tag": V(f"cpython-{major}{minor}"),
                              "version": it.models.symbol(it, "sys.version_info")})  # fmt: skip


def _flags(it: Any) -> V:
    return instance(it, make_class(it, "sys.flags"), {name: V(0) for name in FLAGS})


def _argv(it: Any) -> V:
    words = host.argv(it)
    origin = Origin("default", label="host:argv", value=words)
    return V(it.heap.list([V(word, origin) for word in words]), origin)


def _stream(name: str) -> Factory:
    """``stdin``, ``stdout``, ``stderr``."""
    methods: dict[str, Fn] = {
        "isatty": gives(f"{name}.isatty", "bool"), "write": gives(f"{name}.write", "int"),
        "flush": nothing, "fileno": gives(f"{name}.fileno", "int", lo=0),
        "writelines": nothing, "read": gives(f"{name}.read", "str"),
        "readline": gives(f"{name}.readline", "str"), "close": nothing,
        "reconfigure": nothing,
    }  # fmt: skip
    return lambda it: instance(
        it, make_class(it, f"io.TextIOWrapper<{name}>", methods=methods, foreign=name,
                       facts={"truthy": True}), {}
    )  # fmt: skip


def _exit(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    raise it.make_raise(it.exception("SystemExit", list(args)))


def _exc_info(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    raised = it.current_exception(it.frame)
    if raised is None:
        return V((V(None), V(None), V(None)))
    return V((it.type_of(raised.exc), raised.exc, unknown("a traceback")))


def _exception(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    raised = it.current_exception(it.frame)
    return V(None) if raised is None else raised.exc


def _open_list(why: str, hint: str = "") -> Factory:
    def make(it: Any) -> V:
        made = it.heap.list([])
        it.heap.open_list(made, why)
        return V(made)

    return make


def _intern(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def _text(value: str) -> Fn:
    return lambda it, args, kwargs: V(value)


FLOATS = "max min epsilon dig mant_dig max_exp min_exp max_10_exp min_10_exp radix"
LIBRARY = Library(
    functions={
        "sys.exit": _exit,
        "sys.exc_info": _exc_info,
        "sys.exception": _exception,
        "sys.intern": _intern,
        "sys.getsizeof": gives("sys.getsizeof", "int", lo=0),
        "sys.getrecursionlimit": gives("sys.getrecursionlimit", "int", lo=1),
        "sys.getswitchinterval": gives("sys.getswitchinterval", "float", lo=0),
        "sys.getrefcount": gives("sys.getrefcount", "int", lo=1),
        "sys.getdefaultencoding": _text("utf-8"),
        "sys.getfilesystemencoding": _text("utf-8"),
        **{f"sys.{name}": nothing for name in (
            "setrecursionlimit", "setswitchinterval", "settrace", "setprofile", "addaudithook",
            "audit", "breakpointhook", "displayhook")},
        "sys.is_finalizing": lambda it, args, kwargs: V(False),
    },
    values={
        "sys.version_info": _version_info,
        "sys.hexversion": _hexversion,
        "sys.version": lambda it: unknown("sys.version", "str"),
        "sys.implementation": _implementation,
        "sys.flags": _flags,
        "sys.platform": host.platform,
        "sys.modules": modules,
        "sys.argv": _argv,
        "sys.path": _open_list("folders where Python looks for modules"),
        "sys.meta_path": _open_list("finders of modules"),
        "sys.path_hooks": _open_list("finders of modules"),
        "sys.warnoptions": _open_list("options of the interpreter"),
        "sys.executable": lambda it: unknown("the path of the interpreter", "str"),
        "sys.prefix": lambda it: unknown("the folder of the interpreter", "str"),
        "sys.base_prefix": lambda it: unknown("the folder of the interpreter", "str"),
        "sys.maxsize": lambda it: V(2**63 - 1),
        "sys.maxunicode": lambda it: V(0x10FFFF),
        "sys.byteorder": lambda it: V("little"),
        "sys.stdin": _stream("sys.stdin"),
        "sys.stdout": _stream("sys.stdout"),
        "sys.stderr": _stream("sys.stderr"),
        **constants("sys.float_info", sys.float_info, FLOATS),
    },
    aliases={"sys.__stdout__": "sys.stdout", "sys.__stderr__": "sys.stderr",
             "sys.__stdin__": "sys.stdin"},
)  # fmt: skip
