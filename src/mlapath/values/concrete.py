"""Between abstract values and plain Python objects."""

from __future__ import annotations

from typing import Any

from mlapath.values.family import Family, NotUniform
from mlapath.values.objects import OPEN, DictObj, FuncObj, Instance, ListObj
from mlapath.values.value import SCALAR_TYPES, External, Unknown, V


class NotConcrete(Exception):  # noqa: N818 - a signal, handled where it arises
    """The value is not fully known."""


def to_py(value: V) -> Any:
    """The plain Python object that a fully known value stands for."""
    d = value.d
    if type(d) in SCALAR_TYPES:
        return d
    if type(d) is tuple:
        return tuple(to_py(x) for x in d)
    if type(d) is ListObj and not d.open:
        return [to_py(x) for x in d.items]
    if type(d) is DictObj and OPEN not in d.data:
        if d.kind in ("dict", "defaultdict"):
            return {to_py(k): to_py(v) for k, v in d.data.values()}
        made = {to_py(k) for k, _ in d.data.values()}
        return frozenset(made) if d.kind == "frozenset" else made
    if type(d) is Instance and d.payload is not None:
        return to_py(d.payload if isinstance(d.payload, V) else V(d.payload))
    if type(d) is Family:
        raise NotUniform("a value that differs between the rounds")
    raise NotConcrete


def from_py(heap: Any, x: Any) -> V:
    """The abstract value of a plain Python object (scalars and builtin containers)."""
    if type(x) in SCALAR_TYPES:
        return V(x)
    if isinstance(x, tuple):
        return V(tuple(from_py(heap, y) for y in x))
    if isinstance(x, list):
        return V(heap.list([from_py(heap, y) for y in x]))
    if isinstance(x, dict):
        pairs = {key_of(from_py(heap, k)): (from_py(heap, k), from_py(heap, y))
                 for k, y in x.items()}  # fmt: skip
        return V(heap.dict(pairs))
    if isinstance(x, (set, frozenset)):
        kind = "set" if isinstance(x, set) else "frozenset"
        values = [from_py(heap, y) for y in sorted(x, key=repr)]
        return V(heap.dict({key_of(v): (v, v) for v in values}, kind))
    if isinstance(x, str | int | float | bytes):  # a subclass, such as an IntEnum of CPython
        for base in (str, int, float, bytes):
            if isinstance(x, base):
                plain: Any = base
                return V(plain(x))
    raise TypeError(f"no abstract value for {type(x).__name__}")


def key_of(value: V) -> Any:
    """A hashable that is equal for equal keys, or None where the key is not known."""
    d = value.d
    kind = type(d)
    if kind in SCALAR_TYPES:
        return d if d is not None else "\0None"
    if kind is tuple:
        parts = tuple(key_of(x) for x in d)
        return None if None in parts else ("\0tuple", parts)
    if kind is Instance:
        return _instance_key(d)
    if kind is DictObj:
        if d.kind == "frozenset" and OPEN not in d.data:
            return ("\0frozenset", frozenset(d.data))
        return None
    if kind is External:
        return d
    if kind is Unknown:
        return None if d.same is None else ("\0same", d.same)
    if kind.__name__ in ("Union", "ListObj"):
        return None
    if kind is Family:
        raise NotUniform("a key that differs between the rounds")
    return d


def _instance_key(d: Instance) -> Any:
    payload = d.payload
    if payload is not None and type(payload) in SCALAR_TYPES:
        return payload
    if type(payload) is tuple:
        return key_of(V(payload))
    if isinstance(payload, Unknown):
        return None
    for c in d.cls.mro:
        fields = c.facts.get("hash_fields")
        if fields is not None:
            parts = tuple(key_of(d.attrs[f]) if f in d.attrs else None for f in fields)
            return None if None in parts else ("\0data", d.cls, parts)
        own = c.ns.get("__eq__")
        if own is not None and type(own.d) is FuncObj:
            return None  # equal to what the program says
    return d
