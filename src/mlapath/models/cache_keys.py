"""Keys of memoised calls whose arguments may not be fully known.

A part of a key is ``("=", key)`` for a known argument, ``("|", keys)`` for one of several,
``("?", object, kind)`` for anything else, which is equal to itself for certain and perhaps to
others; and ``("(", parts)`` for tuples and values that are equal by their fields.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from mlapath.models.class_tools import fact
from mlapath.values.concrete import key_of
from mlapath.values.objects import Instance
from mlapath.values.value import Union, Unknown, V

Part: TypeAlias = tuple[Any, ...]
Key: TypeAlias = tuple[Any, ...]


class Held:
    """An object as a part of a key: equal to itself only, and kept alive by the key."""

    __slots__ = ("held",)

    def __init__(self, held: object) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Held) and other.held is self.held

    def __hash__(self) -> int:
        return id(self.held)


def call_key(args: list[V], kwargs: dict[str, V]) -> Key:
    """The key of a call. As in CPython, a lone int or str is not equal to a bool or float."""
    alone = len(args) == 1 and not kwargs and type(args[0].d) in (int, str)
    parts = tuple(_part(v) for v in (*args, *kwargs.values()))
    return (len(args), tuple(kwargs), alone, parts)


def _part(value: V) -> Part:
    d = value.d
    if type(d) is tuple:
        return ("(", tuple, tuple(_part(item) for item in d))
    if type(d) is Instance:
        if type(d.payload) is tuple:
            return ("(", tuple, tuple(_part(item) for item in d.payload))
        fields = fact(d.cls, "hash_fields")
        if fields is not None and all(name in d.attrs for name in fields):
            return ("(", d.cls, tuple(_part(d.attrs[name]) for name in fields))
    if type(d) is Union:
        keys = [key_of(option) for option in d.options]
        return _unknown(d) if None in keys else ("|", frozenset(keys))
    key = key_of(value)
    return _unknown(d) if key is None else ("=", key)


def _unknown(d: Any) -> Part:
    kind = (d.hint, d.lib, d.lo, d.hi) if type(d) is Unknown else None
    return ("?", Held(d), kind)


def is_exact(key: Key) -> bool:
    """Whether all arguments are known."""
    return all(_exact(part) for part in key[3])


def _exact(part: Part) -> bool:
    if part[0] == "(":
        return all(_exact(inner) for inner in part[2])
    return bool(part[0] == "=")


def alike(a: Key, b: Key) -> bool:
    """Whether what is known of the arguments of two calls is the same."""
    return a[:3] == b[:3] and all(_alike(x, y) for x, y in zip(a[3], b[3], strict=True))


def _alike(a: Part, b: Part) -> bool:
    if a[0] == b[0] == "?":
        return a == b or a[2] is not None and bool(a[2] == b[2])
    if a[0] == b[0] == "(":
        return a[:2] == b[:2] and len(a[2]) == len(b[2]) and all(
            _alike(x, y) for x, y in zip(a[2], b[2], strict=True)
        )  # fmt: skip
    return a == b


def may_equal(a: Key, b: Key) -> bool:
    """Whether two calls may have had equal arguments."""
    if a[:2] != b[:2] or a[2] != b[2] and is_exact(a) and is_exact(b):
        return False
    return all(_may_equal(x, y) for x, y in zip(a[3], b[3], strict=True))


def _may_equal(a: Part, b: Part) -> bool:
    if "?" in (a[0], b[0]):
        return True
    if a[0] == "(" or b[0] == "(":
        return a[:2] == b[:2] and len(a[2]) == len(b[2]) and all(
            _may_equal(x, y) for x, y in zip(a[2], b[2], strict=True)
        )  # fmt: skip
    left = a[1] if a[0] == "|" else frozenset([a[1]])
    right = b[1] if b[0] == "|" else frozenset([b[1]])
    return bool(left & right)
