"""``os``: the environment, paths, and what the machine answers."""

from __future__ import annotations

import posixpath
from typing import Any

from mlapath.models import host, stdlib_os_environ, stdlib_os_path
from mlapath.models.api import Factory, Fn, Library, make_class
from mlapath.models.file_access import DEVNULL
from mlapath.models.named_tuple import named_tuple_class
from mlapath.models.stdlib_os_path import fspath
from mlapath.models.support import gives, instance, nothing, origins, some_items, unknown
from mlapath.values.objects import Instance
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

LINUX = {
    "name": "posix", "sep": "/", "altsep": None, "extsep": ".", "pathsep": ":", "linesep": "\n",
    "curdir": ".", "pardir": "..", "defpath": "/bin:/usr/bin", "devnull": DEVNULL,
    "F_OK": 0, "R_OK": 4, "W_OK": 2, "X_OK": 1, "O_RDONLY": 0, "O_WRONLY": 1, "O_RDWR": 2,
    "O_CREAT": 64, "O_EXCL": 128, "O_TRUNC": 512, "O_APPEND": 1024, "SEEK_SET": 0, "SEEK_CUR": 1,
    "SEEK_END": 2,
}  # fmt: skip
"""Constants as Linux has them."""


def _fspath(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    value = fspath(it, args[0])
    if type(value.d) in (str, bytes, Unknown):
        return value
    it.throw("TypeError", "expected str, bytes or os.PathLike object, not "
             f"{it.type_name(args[0])}")  # fmt: skip
    raise AssertionError("unreachable")


def _path_like(it: Any) -> V:
    def instances(engine: Any, value: V) -> Truth:
        if type(value.d) is Unknown:
            return Truth.FALSE if value.d.hint else Truth.UNKNOWN
        if type(value.d) is Instance and value.d.cls.foreign:
            return Truth.UNKNOWN
        return Truth.of(engine.lookup_special(value, "__fspath__") is not None)

    return V(make_class(it, "os.PathLike", facts={"instances": instances}))


def _uname(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    cls = it.store.get("os.uname_result")
    if cls is None:
        fields = ("sysname", "nodename", "release", "version", "machine")
        cls = it.store["os.uname_result"] = named_tuple_class(it, "os.uname_result", fields, {})
    parts = (host.system(it), *(host.uname(it, name) for name in host.UNAME), host.machine(it))
    return instance(it, cls, {}, parts)


def _constant(value: Any) -> Factory:
    return lambda it: V(value)


COUNTS = ("cpu_count", "process_cpu_count", "getpid", "getppid", "get_inheritable")
NUMBERS = ("getuid", "geteuid", "getgid", "getegid", "getpgid", "getsid", "open", "dup", "nice",
           "write", "umask", "sched_getscheduler", "waitstatus_to_exitcode")  # fmt: skip
SILENT = ("close", "closerange", "fsync", "kill", "killpg", "makedirs", "mkdir", "remove",
          "removedirs", "rename", "renames", "replace", "rmdir", "unlink", "symlink", "link",
          "chmod", "chown", "utime", "truncate", "ftruncate", "sched_setaffinity", "sched_yield",
          "setsid", "setpgid", "set_inheritable", "putenv", "unsetenv", "chdir",
          "register_at_fork", "dup2")  # fmt: skip


def _silent(name: str) -> Fn:
    """A function with effects outside the program; it may fail there."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        it.may_raise(it.frame, name)
        return V(None)

    return fn


def _listdir(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``listdir(path)``: nobody knows how many names."""
    it.may_raise(it.frame, "os.listdir")
    name = unknown("a name in a folder", "str", origins(args, kwargs))
    return some_items(it, "the names in a folder", name)


FUNCTIONS: dict[str, Fn] = {
    **stdlib_os_environ.FUNCTIONS,
    **stdlib_os_path.FUNCTIONS,
    **{f"os.{name}": gives(f"os.{name}", "int", lo=1) for name in COUNTS},
    **{f"os.{name}": gives(f"os.{name}", "int", lo=0, raises=True) for name in NUMBERS},
    **{f"os.{name}": _silent(f"os.{name}") for name in SILENT},
    "os.sched_getaffinity": gives("os.sched_getaffinity", "set"),
    "os.fspath": _fspath,
    "os.fsdecode": _fspath,
    "os.uname": _uname,
    "os.getcwd": gives("os.getcwd", "str"),
    "os.listdir": _listdir,
    "os.access": gives("os.access", "bool"),
    "os.urandom": gives("os.urandom", "bytes"),
    "os.getlogin": gives("os.getlogin", "str", raises=True),
    "os.readlink": gives("os.readlink", "str", raises=True),
    "os.strerror": gives("os.strerror", "str"),
    "os.isatty": gives("os.isatty", "bool"),
    "os.get_terminal_size": gives("os.get_terminal_size", raises=True),
    "os.abort": nothing,
}
LIBRARY = Library(
    functions=FUNCTIONS,
    values={
        **stdlib_os_environ.VALUES,
        **{f"os.{name}": _constant(value) for name, value in LINUX.items()},
        **{f"os.path.{name}": _constant(LINUX[name]) for name in ("sep", "pathsep", "curdir",
                                                                  "pardir", "extsep")},
        "os.PathLike": _path_like,
    },
    aliases={f"posixpath.{name}": f"os.path.{name}" for name in posixpath.__all__},
)  # fmt: skip
