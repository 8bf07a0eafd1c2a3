"""How the mixin methods of ``collections.abc`` read the object that they are called on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

MAX_LENGTH = 10_000


def lookup(it: Any, self: V, key: V) -> tuple[V | None, bool]:
    """``self[key]``, and whether it may raise KeyError instead; None where it certainly does."""
    value, error = it.attempt(lambda: it.getitem(self, key), it.builtins["KeyError"])
    return value, error is not None


def keys(it: Any, self: V) -> tuple[list[V], str]:
    """What iterating gives, and why there may be more, or ""."""
    found = it.iterate(self)
    if found is None:
        return [], "the keys of something unknown"
    return list(found), it.is_open(self)


def length(it: Any, self: V) -> int | None:
    """``len(self)`` where it is known and small enough to go through."""
    value = it.call(it.builtins["len"], [self], {}).d
    return value if type(value) is int and value <= MAX_LENGTH else None


def elements(it: Any, self: V) -> tuple[list[V], str]:
    """The items of a sequence: ``self[0]``, ``self[1]``, … up to IndexError."""
    count = length(it, self)
    out: list[V] = []
    if count is None:
        return out, "a sequence whose length is not known"
    for i in range(count):
        it.budget.step(it)
        value, error = it.attempt(lambda i=i: it.getitem(self, V(i)), it.builtins["IndexError"])
        if value is not None:
            out.append(value)
        if error is not None:
            return out, "" if value is None else "a sequence that may be shorter"
    return out, ""


def listed(it: Any, items: list[V], opened: str) -> V:
    """A list, marked where it may hold more."""
    made = it.heap.list(items)
    if opened:
        it.heap.open_list(made, opened)
    return V(made)


def generator(it: Any, items: list[V], opened: str) -> V:
    """An iterator over what is known of the items."""
    return it.generator_of(listed(it, items, opened))  # type: ignore[no-any-return]


def truth_value(truth: Truth, why: str) -> V:
    """A bool, or an unknown one."""
    return V(Unknown(why, "bool")) if truth is Truth.UNKNOWN else V(truth is Truth.TRUE)


def matches(it: Any, item: V, value: V) -> Truth:
    """``item is value or item == value``."""
    if item.d is value.d:
        return Truth.TRUE
    return it.truth(it.compare("==", item, value))  # type: ignore[no-any-return]


def method(it: Any, self: V, name: str, *args: V) -> V:
    """``self.name(*args)``."""
    return it.call(it.getattr(self, name), list(args), {})  # type: ignore[no-any-return]


Mixin = Callable[[Any, list[V], dict[str, V]], V]
