"""The mixin methods of ``Sequence`` and ``MutableSequence``, over the methods of a subclass."""

from __future__ import annotations

from typing import Any

from mlapath.models.abc_access import (
    Mixin,
    elements,
    generator,
    keys,
    length,
    matches,
    method,
    truth_value,
)
from mlapath.models.api import argument
from mlapath.values.truth import Truth, either
from mlapath.values.value import Unknown, V


def iterate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return it.indexed(args[0])  # type: ignore[no-any-return]


def reverse_iterate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = elements(it, args[0])
    return generator(it, found[::-1], opened)


def contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = keys(it, args[0])
    result = Truth.UNKNOWN if opened else Truth.FALSE
    for item in found:
        result = either(result, matches(it, item, args[1]))
    return truth_value(result, "an item of an unknown sequence")


def index(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = elements(it, args[0])
    bounds = [argument(args, kwargs, 2 + i, name) for i, name in enumerate(("start", "stop"))]
    cut = [None if b is None else b.d for b in bounds]
    if any(x is not None and type(x) is not int for x in cut):
        return V(Unknown("an index within unknown bounds", "int", lo=0))
    for i in range(*slice(*cut).indices(len(found))):
        truth = matches(it, found[i], args[1])
        if truth is Truth.TRUE:
            return V(i)
        if truth is Truth.UNKNOWN:
            return V(Unknown("the index of an unknown item", "int", lo=i))
    if opened:
        return V(Unknown("an index in an unknown sequence", "int", lo=0))
    raise it.make_raise(it.exception("ValueError", []))


def count(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = keys(it, args[0])
    truths = [matches(it, item, args[1]) for item in found]
    if opened or Truth.UNKNOWN in truths:
        return V(Unknown("a count of unknown items", "int", lo=truths.count(Truth.TRUE)))
    return V(truths.count(Truth.TRUE))


# -- MutableSequence -----------------------------------------------------------------------


def append(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    end = it.call(it.builtins["len"], [args[0]], {})
    method(it, args[0], "insert", end, args[1])
    return V(None)


def extend(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = keys(it, args[1])
    for item in list(found):
        method(it, args[0], "append", item)
    if opened:
        method(it, args[0], "append", V(Unknown(opened)))
        it.havoc(args[0], opened)
    return V(None)


def pop(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    where = argument(args, kwargs, 1, "index", V(-1))
    value: V = it.getitem(args[0], where)
    it.delitem(args[0], where)
    return value


def remove(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.delitem(args[0], method(it, args[0], "index", args[1]))
    return V(None)


def clear(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    size = length(it, args[0])
    for _ in range(size or 0):
        method(it, args[0], "pop")
    if size is None:
        it.havoc(args[0], "cleared with an unknown length")
    return V(None)


def reverse(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = elements(it, args[0])
    for i, item in enumerate(reversed(found)):
        it.setitem(args[0], V(i), item)
    if opened:
        it.havoc(args[0], opened)
    return V(None)


def extend_in_place(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    method(it, args[0], "extend", args[1])
    return args[0]


SEQUENCE: dict[str, Mixin] = {
    "__iter__": iterate, "__reversed__": reverse_iterate, "__contains__": contains,
    "index": index, "count": count,
}  # fmt: skip
MUTABLE: dict[str, Mixin] = {
    "append": append, "extend": extend, "pop": pop, "remove": remove, "clear": clear,
    "reverse": reverse, "__iadd__": extend_in_place,
}  # fmt: skip
