"""The builtins that make and advance iterators: ``iter``, ``next``, ``zip``, ``map``, etc."""

from __future__ import annotations

from typing import Any

from mlapath.values.objects import GeneratorObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

Args = list[V]
Kwargs = dict[str, V]


def next_(it: Any, args: Args, kwargs: Kwargs) -> V:
    d = args[0].d
    if type(d) is GeneratorObj:
        if "items" not in d.cell:
            it.heap.put(d.cell, "next", 0)
            it.iterate(args[0])
            it.heap.put(d.cell, "next", 0)
        position = d.cell.get("next", 0)
        items = d.cell["items"]
        opened = d.cell.get("open", "")
        if opened:
            values = [*items[position:], *args[1:]]
            return V(Unknown(opened)) if not values else it.union([*values, V(Unknown(opened))])
        if position < len(items):
            it.heap.put(d.cell, "next", position + 1)
            return items[position]  # type: ignore[no-any-return]
        if len(args) > 1:
            return args[1]
        it.throw("StopIteration", "")
    if type(d) is Instance:
        special = it.lookup_special(args[0], "__next__")
        if special is not None and len(args) == 1:
            return it.call(special, [], {})  # type: ignore[no-any-return]
        if special is not None:
            value, ended = it.attempt(
                lambda: it.call(special, [], {}), it.builtins["StopIteration"]
            )
            return it.union([*([value] if value else []), *(args[1:] if ended else [])])  # type: ignore[no-any-return]
    return V(Unknown("the next item of something unknown"), args[0].o)


def iter_(it: Any, args: Args, kwargs: Kwargs) -> V:
    if len(args) > 1:
        return V(Unknown("iter() with a sentinel"))
    if type(args[0].d) is GeneratorObj:
        return args[0]
    special = it.lookup_special(args[0], "__iter__")
    if special is not None:
        return _iterator(it, it.call(special, [], {}))
    return _iterator(it, args[0])


def _iterator(it: Any, value: V) -> V:
    """An iterator as it is, or one over the items of an iterable."""
    if type(value.d) is GeneratorObj or it.lookup_special(value, "__next__") is not None:
        return value
    items = it.iterate(value)
    if items is None:
        return V(Unknown("an iterator over something unknown"), value.o)
    opened = it.is_open(value)
    made = it.heap.list(list(items))
    if opened:
        it.heap.open_list(made, opened)
    return it.generator_of(V(made))  # type: ignore[no-any-return]


def _listed(it: Any, items: Args | None, opened: str) -> V:
    made = it.heap.list(items or [])
    if opened or items is None:
        it.heap.open_list(made, opened or "unknown items")
    return it.generator_of(V(made))  # type: ignore[no-any-return]


def enumerate_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    items = it.iterate(args[0])
    start = args[1] if len(args) > 1 else kwargs.get("start", V(0))
    if items is None or type(start.d) is not int:
        item = V((V(Unknown("an index", "int", lo=0)), V(it.element_of(args[0]))))
        return _listed(it, [item], "enumerate of unknown items")
    pairs = [V((V(start.d + i), x)) for i, x in enumerate(items)]
    return _listed(it, pairs, it.is_open(args[0]))


def zip_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    columns = [it.iterate(a) for a in args]
    opened = next((it.is_open(a) for a in args if it.is_open(a)), "")
    if any(c is None for c in columns):
        row = V(tuple(V(it.element_of(a)) if c is None or not c else it.union(list(c))
                      for a, c in zip(args, columns, strict=True)))  # fmt: skip
        return _listed(it, [row], "zip of unknown items")
    return _listed(it, [V(tuple(row)) for row in zip(*columns, strict=False)], opened)


def map_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    columns = [it.iterate(a) for a in args[1:]]
    if any(c is None for c in columns):
        result = it.call(args[0], [V(it.element_of(a)) for a in args[1:]], {})
        return _listed(it, [result], "map over unknown items")
    opened = next((it.is_open(a) for a in args[1:] if it.is_open(a)), "")
    rows = [it.call(args[0], list(row), {}) for row in zip(*columns, strict=False)]
    return _listed(it, rows, opened)


def filter_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    items = it.iterate(args[1])
    opened = it.is_open(args[1])
    kept: Args = []
    for item in items or ():
        truth = it.truth(item if args[0].d is None else it.call(args[0], [item], {}))
        if truth is not Truth.FALSE:
            kept.append(item)
        if truth is Truth.UNKNOWN:
            opened = opened or "an unknown filter"
    return _listed(it, kept if items is not None else None, opened)


def reversed_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    items = it.iterate(args[0])
    return _listed(it, None if items is None else items[::-1], it.is_open(args[0]))
