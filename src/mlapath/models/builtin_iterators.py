"""The builtins that make and advance iterators: ``iter``, ``next``, ``zip``, ``map``, etc."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.values.heap import NOTHING
from mlapath.values.objects import GeneratorObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

MOST = 64
"""How many items a generator that is advanced by hand runs ahead."""

Args = list[V]
Kwargs = dict[str, V]
Give = Callable[[V], V]


def next_(it: Any, args: Args, kwargs: Kwargs) -> V:
    d = args[0].d
    if type(d) is GeneratorObj:
        return it.resting_on(_next_of_generator(it, args[0], args[1:]), args[0].o)  # type: ignore[no-any-return]
    if type(d) is Instance:
        special = it.lookup_special(args[0], "__next__")
        if special is not None and len(args) == 1:
            return it.call(special, [], {})  # type: ignore[no-any-return]
        if special is not None:
            stop = it.builtins["StopIteration"]
            value, ended = it.attempt(lambda: it.call(special, [], {}), stop, opaque=False)
            return it.union([*([value] if value else []), *(args[1:] if ended else [])])  # type: ignore[no-any-return]
    it.may_raise(it.frame, "next()")
    return V(Unknown("the next item of something unknown"), args[0].o)


def _next_of_generator(it: Any, generator: V, default: Args) -> V:
    cell = generator.d.cell
    if "items" not in cell and generator.d.expression:
        found, ended = it.first_of(generator, lambda _: Truth.TRUE)
        return _first(it, found, default, ended=ended)
    if "items" not in cell:  # it runs ahead: later items come too early
        fr = it.frame
        it.frontier(fr, fr.pos, "a generator is advanced by hand")
        it.taken(generator, MOST)
    items, position = cell["items"], cell.get("next", 0)
    if not cell.get("open") and position < len(items):
        it.heap.put(cell, "next", position + 1)
        return items[position]  # type: ignore[no-any-return]
    if cell.get("left") or cell.get("open"):
        return _first(it, _rest(it, generator), default, ended=True)
    return _first(it, [], default, ended=True)


def _rest(it: Any, generator: V) -> Args:
    """What may be the next item of a generator whose next item is not known."""
    if not generator.d.cell.get("left") or generator.d.anew is None:
        return it.candidates(generator)  # type: ignore[no-any-return]
    found: Args = it.first_of(it.iterator(generator), lambda _: Truth.UNKNOWN)[0]
    return found


def _first(it: Any, found: Args, default: Args, *, ended: bool) -> V:
    """What ``next`` gives: one of the items, or the default where there is none."""
    if not ended:
        return it.union(found)  # type: ignore[no-any-return]
    if default:
        return it.union([*found, default[0]])  # type: ignore[no-any-return]
    if not found:
        it.throw("StopIteration", "")
    it.may_throw("StopIteration", "")
    return it.union(found)  # type: ignore[no-any-return]


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
    if type(value.d) is Instance:
        given: V = it.iterator(value)
        if type(given.d) is GeneratorObj:
            given.d.expression = True
            return given
    items = it.iterate(value)
    if items is None:
        return V(Unknown("an iterator over something unknown"), value.o)
    opened = it.is_open(value)
    listed = _listed(it, it.candidates(value) if opened else items, opened)
    return it.resting_on(listed, value.o)  # type: ignore[no-any-return]


def _listed(it: Any, items: Args | None, opened: str) -> V:
    """An iterator over items; ``opened``: any number of them."""
    made = it.heap.list(list(items or []))
    if opened or items is None:
        it.heap.open_list(made, opened or "unknown items", None if items is None else NOTHING)
    return it.generator_of(V(made))  # type: ignore[no-any-return]


def enumerate_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    start = args[1] if len(args) > 1 else kwargs.get("start", V(0))
    source = it.iterator(args[0])
    if it.has_not_run(source):
        return it.numbered(source, start)  # type: ignore[no-any-return]
    items = it.iterate(source)
    opened = it.is_open(source) or "" if items is not None else "enumerate of unknown items"
    if opened or type(start.d) is not int:
        low = start.d if type(start.d) is int else None
        index = V(Unknown("an index", "int", lo=low))
        return _listed(it, [V((index, x)) for x in it.candidates(source)],
                       opened or "enumerate from an unknown index")  # fmt: skip
    return _listed(it, [V((V(start.d + i), x)) for i, x in enumerate(items)], "")


def zip_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    sources = [it.iterator(a) for a in args]
    running = [i for i, source in enumerate(sources) if it.has_not_run(source)]
    columns = [None if i in running else it.iterate(s) for i, s in enumerate(sources)]
    others = [i for i in range(len(sources)) if i not in running]
    known = all(columns[i] is not None and not it.is_open(sources[i]) for i in others)
    if len(running) == 1 and known and "strict" not in kwargs:
        at = running[0]
        return it.zipped(sources[at], columns[:at], columns[at + 1 :])  # type: ignore[no-any-return]
    for i in running:
        columns[i] = it.iterate(sources[i])
    opened = next((it.is_open(s) or "unknown items" for s, c in zip(sources, columns, strict=True)
                   if c is None or it.is_open(s)), "")  # fmt: skip
    if opened:
        found = [it.candidates(s) for s in sources]
        rows = [V(tuple(it.union(column) for column in found))] if all(found) else []
        return _listed(it, rows, opened)
    return _listed(it, [V(tuple(row)) for row in zip(*columns, strict=False)], "")


def map_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    def one(item: V, give: Give) -> None:
        give(it.call(args[0], [item], {}))

    def several(row: V, give: Give) -> None:
        give(it.call(args[0], list(row.d), {}))

    if len(args) == 2:
        return it.lazily(args[1], one)  # type: ignore[no-any-return]
    return it.lazily(zip_(it, cls, args[1:], {}), several)  # type: ignore[no-any-return]


def filter_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    def keep(item: V, give: Any) -> None:
        truth = it.truth(item if args[0].d is None else it.call(args[0], [item], {}))
        if truth is Truth.TRUE:
            give(item)
        elif truth is Truth.UNKNOWN:
            it.each([V(True), V(False)], lambda o: _given(give, item) if o.d else V(None))

    return it.lazily(args[1], keep)  # type: ignore[no-any-return]


def _given(give: Any, item: V) -> V:
    give(item)
    return V(None)


def reversed_(it: Any, cls: Any, args: Args, kwargs: Kwargs) -> V:
    special = it.lookup_special(args[0], "__reversed__")
    if special is not None:
        return it.call(special, [], {})  # type: ignore[no-any-return]
    items = it.iterate(args[0])
    opened = it.is_open(args[0])
    if opened and items is not None:
        return _listed(it, it.candidates(args[0]), opened)
    return _listed(it, None if items is None else items[::-1], opened)
