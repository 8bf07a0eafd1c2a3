"""What library iterators give of generators whose code still runs where its items are wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from mlapath.engine.control import Flow, Frame
from mlapath.engine.fork import fork, protect, resume, settle
from mlapath.values.objects import Cell, GeneratorObj
from mlapath.values.value import V

Give: TypeAlias = Callable[[V], V]
Step: TypeAlias = Callable[[V, Give], "Flow | None"]
Columns: TypeAlias = list[list[V]]


def has_not_run(source: V) -> bool:
    """Whether it is a generator whose code still runs where its items are wanted."""
    return type(source.d) is GeneratorObj and "items" not in source.d.cell


def lazily(it: Any, iterable: V, step: Step) -> V:
    """A generator that calls ``step(item, give)`` for each item; ``give`` yields.

    A ``break`` of ``step`` ends it, if the iterable is a generator that has not run yet.
    """
    source = it.iterator(iterable)

    def run(on_yield: Give) -> V:
        fr: Frame = it.frame
        first = len(fr.pending)
        outcome = protect(lambda: it.run_items(
            fr, source, lambda value: step(value, on_yield), noted=False
        ))  # fmt: skip
        resume(settle(it, fr, first, ("break",), outcome))
        return V(None)

    return _generator(it, run, iterable)


def numbered(it: Any, generator: V, start: V) -> V:
    """``enumerate`` of a generator."""
    at = it.heap.cell({"index": start})

    def pair(item: V, give: Give) -> None:
        give(V((_counted(it, at), item)))

    return lazily(it, generator, pair)


def zipped(it: Any, generator: V, before: Columns, after: Columns) -> V:
    """``zip`` of lists, a generator, and lists; ``before`` and ``after`` it."""
    if not all(before):
        return V(it.heap.list([]))
    at = it.heap.cell({"index": V(0)})
    last = min((len(column) for column in before), default=None)
    most = min((len(column) for column in after), default=None)

    def row(item: V, give: Give) -> Flow | None:
        index = _counted(it, at).d
        if type(index) is not int:
            if all(after):
                give(V((*map(it.union, before), item, *map(it.union, after))))
            return fork(it, it.frame, None, lambda: Flow("break"), lambda: None)
        if most is not None and index >= most:
            return Flow("break")
        give(V((*(c[index] for c in before), item, *(c[index] for c in after))))
        return Flow("break") if index + 1 == last else None

    return lazily(it, generator, row)


def chained(it: Any, iterables: list[V]) -> V:
    """``itertools.chain`` of iterables, some of them generators."""
    sources = [it.iterator(iterable) for iterable in iterables]

    def run(on_yield: Give) -> V:
        def item(value: V) -> None:
            on_yield(value)

        for source in sources:
            it.run_items(it.frame, source, item, noted=False)
        return V(None)

    return _generator(it, run, sources[0])


def _generator(it: Any, run: Callable[[Give], V], source: V) -> V:
    made = GeneratorObj(run, it.heap.cell())
    made.expression = True
    return V(made, source.o)


def _counted(it: Any, at: Cell) -> V:
    """The index in a cell, which is one more from now on."""
    index: V = at["index"]
    it.heap.put(at, "index", it.binop("+", index, V(1)))
    return index
