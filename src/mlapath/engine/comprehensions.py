"""Comprehensions and generator expressions: a scope of their own, run item by item."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.control import Flow, Frame
from mlapath.engine.fork import fork
from mlapath.engine.rounds import MIN_ROUNDS, run_rounds
from mlapath.ir import nodes as n
from mlapath.values.heap import NOTHING
from mlapath.values.join import distinct
from mlapath.values.objects import GeneratorObj
from mlapath.values.truth import Truth
from mlapath.values.value import V

Emit = Callable[[], None]
MAX_RANGE = 200_000
WHY = "a comprehension with an unknown filter or iterable"


def comp(it: Any, fr: Frame, e: n.Comp) -> V:
    """A comprehension; a generator expression runs where its items are wanted."""
    source = it.iterator(it.eval(fr, e.generators[0].iter))
    if e.kind == "gen":

        def run(on_yield: Callable[[V], V]) -> V:
            return _generate(it, fr, e, source, on_yield)

        fr.captured()
        generator = GeneratorObj(run, it.heap.cell())
        generator.expression = True
        generator.anew = run
        return V(generator)
    pairs: list[tuple[V, V]] = []
    before = it.uncertainty()
    uncertain = False

    def emit(scope: Frame) -> None:
        nonlocal uncertain
        key = it.eval(scope, e.elt)
        value = key if e.value is None else it.eval(scope, e.value)
        uncertain = uncertain or it.uncertainty() != before
        pairs.append((key, value))

    def keep(value: V) -> None:
        nonlocal uncertain
        uncertain = uncertain or it.uncertainty() != before
        pairs.append((value, value))

    if e.kind != "list" or not _by_rounds(it, fr, e, source, keep):
        _run(it, fr, e, source, emit)
    return _collected(it, e, pairs, WHY if uncertain else "")


def _by_rounds(it: Any, fr: Frame, e: n.Comp, source: V, keep: Callable[[V], None]) -> bool:
    """Evaluate a plain comprehension over known numbers; False: it is not one.

    keep: takes each item; it looks at nothing but the item.
    """
    if len(e.generators) != 1 or e.generators[0].ifs or e.generators[0].is_async:
        return False
    if type(source.d) is not range or not source.d[MIN_ROUNDS:] or source.d[MAX_RANGE:]:
        return False
    generator = e.generators[0]

    def inside(scope: Frame) -> None:
        def one(item: V) -> V:
            it.budget.step(it)
            scope.pos = generator.iter.pos
            it.assign(scope, generator.target, item, e.pos)
            return it.eval(scope, e.elt)  # type: ignore[no-any-return]

        run_rounds(it, scope, [V(i, source.o) for i in source.d], one, keep)

    _scoped(it, fr, inside)
    return True


def _collected(it: Any, e: n.Comp, pairs: list[tuple[V, V]], opened: str) -> V:
    if e.kind == "dict":
        made = it.heap.dict()
        for key, value in pairs:
            if opened:
                it.dict_set_maybe(made, key, value)
            else:
                it.dict_set(made, key, value)
        return V(made)
    items = [value for _, value in pairs]
    if e.kind == "set":
        made_set: V = it.make_set([] if opened else items)
        for item in items if opened else ():
            it.dict_set_maybe(made_set.d, item, item)
        return made_set
    listed = it.heap.list(distinct(items) if opened else items)
    if opened:
        it.heap.open_list(listed, opened, NOTHING)
    return V(listed)


def _generate(it: Any, fr: Frame, e: n.Comp, source: V, on_yield: Callable[[V], V]) -> V:
    def emit(scope: Frame) -> None:
        on_yield(it.eval(scope, e.elt))

    def keep(value: V) -> None:
        on_yield(value)

    if getattr(on_yield, "collects", False) and _by_rounds(it, fr, e, source, keep):
        return V(None)
    _run(it, fr, e, source, emit)
    return V(None)


def _run(it: Any, fr: Frame, e: n.Comp, source: V, emit: Callable[[Frame], None]) -> None:
    """Run the loops of a comprehension, with ``emit`` called inside of them."""
    _scoped(it, fr, lambda scope: _level(it, scope, e, 0, source, lambda: emit(scope)))


def _scoped(it: Any, fr: Frame, run: Callable[[Frame], None]) -> None:
    """Run something in the scope of a comprehension."""
    scope = Frame(fr.module, it.heap.cell(), fr.visible, fr.func, fr, "comp")
    scope.self_ = fr.self_
    scope.owner = fr.owner
    scope.on_yield = fr.on_yield
    scope.control = fr.control
    scope.globals_ = fr.globals_
    scope.pos = fr.pos
    outer, it.frame = it.frame, scope
    scope.guards, scope.pending = outer.guards, outer.pending  # one activation
    try:
        run(scope)
    finally:
        it.frame = outer


def _level(it: Any, fr: Frame, e: n.Comp, level: int, source: V, emit: Emit) -> None:
    """One ``for`` of a comprehension."""
    generator = e.generators[level]

    def item(value: V) -> Flow | None:
        it.budget.step(it)
        it.assign(fr, generator.target, value, e.pos)
        _filters(it, fr, e, level, 0, emit)
        return None

    fr.pos = generator.iter.pos
    it.run_items(fr, source, item)


def _filters(it: Any, fr: Frame, e: n.Comp, level: int, i: int, emit: Emit) -> None:
    """The conditions of a ``for`` from the ``i``-th on, then what is inside of it."""
    generator = e.generators[level]
    if i == len(generator.ifs):
        if level + 1 == len(e.generators):
            emit()
        else:
            source = it.iterator(it.eval(fr, e.generators[level + 1].iter))
            _level(it, fr, e, level + 1, source, emit)
        return
    test = generator.ifs[i]
    value = it.eval(fr, test)
    truth = it.guard(fr, test, value)
    if truth is Truth.FALSE:
        return
    if truth is Truth.TRUE:
        _filters(it, fr, e, level, i + 1, emit)
        return

    def kept() -> None:
        it.refine(fr, test, True)
        _filters(it, fr, e, level, i + 1, emit)

    fork(it, fr, it.guard_of(fr, test, value), kept, lambda: it.refine(fr, test, False))
