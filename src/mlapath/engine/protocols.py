"""``isinstance`` and ``issubclass`` against protocols: by members."""

from __future__ import annotations

from typing import Any

from mlapath.engine.attrs import class_lookup
from mlapath.values.objects import ClassObj, FuncObj, Instance, Native
from mlapath.values.truth import Truth, both
from mlapath.values.value import ABSENT, Union, Unknown, V

EXCLUDED = frozenset({
    "__abstractmethods__", "__annotations__", "__dict__", "__doc__", "__init__", "__module__",
    "__new__", "__slots__", "__subclasshook__", "__weakref__", "__class_getitem__",
    "__match_args__", "__qualname__", "__orig_bases__", "__parameters__", "_is_protocol",
    "_is_runtime_protocol",
})  # fmt: skip
"""What a class body may hold that is no member of a protocol."""


def members(cls: ClassObj) -> list[str]:
    """The members of a protocol and of the protocols it derives from."""
    found: dict[str, None] = {}
    for c in cls.mro:
        if c.facts.get("protocol"):
            names = [*c.ns, *(name for name, _, _ in c.facts.get("annotations", ()))]
            found.update(dict.fromkeys(n for n in names if n not in EXCLUDED))
    return list(found)


def is_instance(it: Any, value: V, cls: ClassObj) -> Truth:
    """Whether a value has every member."""
    _check_runtime(it, cls)
    result = Truth.TRUE
    for name in members(cls):
        result = both(result, _has(it, value, cls, name))
        if result is Truth.FALSE:
            return result
    return result


def _has(it: Any, value: V, cls: ClassObj, name: str) -> Truth:
    d = value.d
    if type(d) is Instance and name not in d.attrs:
        found = class_lookup(d.cls, name)
        if found is not None:
            return Truth.of(found[0].d is not None or not _method(cls, name))
    attr: V | None = it.find_attr(value, name)
    if attr is None:
        return Truth.FALSE
    if type(d) is Instance and type(attr.d) is Unknown and (d.open or d.cls.foreign):
        return Truth.TRUE if name in d.attrs else Truth.UNKNOWN
    if type(attr.d) is Union and any(o.d is ABSENT for o in attr.d.options):
        return Truth.UNKNOWN
    return Truth.of(attr.d is not None or not _method(cls, name))


def _method(cls: ClassObj, name: str) -> bool:
    """Whether the protocol has the member as a method: then None does not count as one."""
    found = class_lookup(cls, name)
    return found is not None and type(found[0].d) in (FuncObj, Native)


def is_subclass(it: Any, own: ClassObj, cls: ClassObj) -> Truth:
    """Whether a class has every member; raises the program's TypeError for data members."""
    _check_runtime(it, cls)
    names = members(cls)
    if any(not _method(cls, name) for name in names):
        it.throw("TypeError", "Protocols with non-method members don't support issubclass().")
    result = Truth.TRUE
    for name in names:
        found = class_lookup(own, name)
        if found is not None:
            result = both(result, Truth.of(found[0].d is not None))
        elif any(a == name for c in own.mro for a, _, _ in c.facts.get("annotations", ())):
            result = both(result, Truth.of(bool(own.facts.get("protocol"))))
        else:
            result = both(result, Truth.UNKNOWN if own.foreign else Truth.FALSE)
    return result


def _check_runtime(it: Any, cls: ClassObj) -> None:
    if class_lookup(cls, "_is_runtime_protocol") is None:
        it.throw("TypeError", "Instance and class checks can only be used with "
                 "@runtime_checkable protocols")  # fmt: skip
