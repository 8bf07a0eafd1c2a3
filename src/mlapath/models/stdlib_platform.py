"""``platform``: the machine, as the facts or the assumptions have it."""

from __future__ import annotations

from typing import Any

from mlapath.models import host
from mlapath.models.api import Fn, Library
from mlapath.models.named_tuple import named_tuple_class
from mlapath.models.support import gives, instance, unknown
from mlapath.values.value import V


def _of(find: Any) -> Fn:
    return lambda it, args, kwargs: find(it)


def _python_version(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(".".join(map(str, host.python(it))))


def _python_version_tuple(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(tuple(V(str(part)) for part in host.python(it)))


UNAME = ("system", "node", "release", "version", "machine", "processor")


def _uname(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    cls = it.store.get("platform.uname_result")
    if cls is None:
        cls = named_tuple_class(it, "platform.uname_result", UNAME, {})
        it.store["platform.uname_result"] = cls
    machine = host.machine(it)
    parts = (host.system(it), *(host.uname(it, name) for name in host.UNAME), machine, machine)
    return instance(it, cls, {}, parts)


def _uname_part(name: str) -> Fn:
    return lambda it, args, kwargs: host.uname(it, name)


def _architecture(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V((V("64bit"), unknown("the linkage of the interpreter", "str")))


TEXTS = ("platform", "python_compiler", "python_build")
LIBRARY = Library(
    functions={
        "platform.machine": _of(host.machine),
        "platform.system": _of(host.system),
        "platform.uname": _uname,
        "platform.processor": _of(host.machine),
        **{f"platform.{name}": _uname_part(name) for name in host.UNAME},
        "platform.architecture": _architecture,
        "platform.python_version": _python_version,
        "platform.python_version_tuple": _python_version_tuple,
        "platform.python_implementation": lambda it, args, kwargs: V("CPython"),
        "platform.libc_ver": gives("platform.libc_ver", "tuple"),
        "platform.mac_ver": gives("platform.mac_ver", "tuple"),
        **{f"platform.{name}": gives(f"platform.{name}", "str") for name in TEXTS},
    }
)
