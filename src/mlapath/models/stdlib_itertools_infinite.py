"""``itertools.count``, ``repeat`` and ``cycle``: iterators with a position, without an end."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, Fn, argument, make_class
from mlapath.models.support import instance, unknown
from mlapath.values.objects import ClassObj, ListObj
from mlapath.values.value import V


def _infinite(name: str, construct: Any, step: Fn) -> Factory:
    """A class whose instances are stepped through; their items are never known all."""
    methods: dict[str, Fn] = {"__next__": step}
    return lambda it: V(make_class(it, f"itertools.{name}", methods=methods, construct=construct))


def _count(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    start = argument(args, kwargs, 0, "start") or V(0)
    return instance(it, cls, {"at": start, "step": argument(args, kwargs, 1, "step") or V(1)})


def _count_next(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    attrs = args[0].d.attrs
    value: V = attrs["at"]
    it.heap.put(attrs, "at", it.binop("+", value, attrs["step"]))
    return value


def _repeat(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    times = argument(args, kwargs, 1, "times")
    if times is None:
        return instance(it, cls, {"item": args[0]})
    made: ListObj = it.heap.list([args[0]] * times.d if type(times.d) is int else [args[0]])
    if type(times.d) is not int:
        it.heap.open_list(made, "an unknown number of repetitions")
    return it.generator_of(V(made))  # type: ignore[no-any-return]


def _repeat_next(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    item: V = args[0].d.attrs["item"]
    return item


def _cycle(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    items = it.iterate(args[0])
    if items is None or it.is_open(args[0]):
        return unknown("a cycle of unknown items", "", args[0].o)
    return instance(it, cls, {"items": V(tuple(items)), "at": V(0)})


def _cycle_next(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    attrs = args[0].d.attrs
    items, at = attrs["items"].d, attrs["at"].d
    if not items:
        it.throw("StopIteration", "")
    if type(at) is not int:
        return it.union(list(items))  # type: ignore[no-any-return]
    it.heap.put(attrs, "at", V((at + 1) % len(items)))
    return items[at]  # type: ignore[no-any-return]


VALUES = {
    "itertools.count": _infinite("count", _count, _count_next),
    "itertools.repeat": _infinite("repeat", _repeat, _repeat_next),
    "itertools.cycle": _infinite("cycle", _cycle, _cycle_next),
}
