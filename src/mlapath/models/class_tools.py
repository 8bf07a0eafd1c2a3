"""Small questions about classes that several summaries ask."""

from __future__ import annotations

from typing import Any

from mlapath.values.objects import (
    BoundMethod,
    ClassObj,
    Descriptor,
    FuncObj,
    Instance,
    Native,
)
from mlapath.values.value import Unknown, V


def lookup(cls: ClassObj, name: str) -> V | None:
    """The raw attribute along the MRO."""
    for c in cls.mro:
        value: V | None = c.ns.get(name)
        if value is not None:
            return value
    return None


def fact(cls: ClassObj, name: str) -> Any:
    """The nearest class's fact along the MRO, or None."""
    for c in cls.mro:
        if name in c.facts:
            return c.facts[name]
    return None


def is_descriptor(value: V) -> bool:
    """Whether a class attribute has ``__get__``: functions, properties and the like."""
    d = value.d
    kind = type(d)
    if kind in (FuncObj, Descriptor, BoundMethod):
        return True
    if kind is Native:
        return bool(d.binds)
    return kind is Instance and lookup(d.cls, "__get__") is not None


def library_class(it: Any, name: str) -> ClassObj:
    """The summarised class ``name``, which must be one."""
    cls = it.models.symbol(it, name).d
    assert isinstance(cls, ClassObj), name
    return cls


def text_or_unknown(text: str | None, what: str, value: V) -> V:
    """A str, or an unknown one."""
    return V(Unknown(what, "str"), value.o) if text is None else V(text, value.o)


def function_of(value: V) -> V:
    """The function inside a ``staticmethod`` or ``classmethod``, else the value itself."""
    inner: V = value.d.fget if type(value.d) is Descriptor else value
    return inner
