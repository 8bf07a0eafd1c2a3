"""Generators: their code runs where their items are wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.control import NORMAL, Abandon, Flow, Frame, Guard, Outcome
from mlapath.engine.fork import fork, protect, resume, settle
from mlapath.engine.unknown_loop import any_of, continued, unknown_loop
from mlapath.values.objects import GeneratorObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, Union, V

MAX_ITEMS = 20_000


def each_item(it: Any, fr: Frame, source: V, run: Callable[[V], Flow | None]) -> Outcome:
    """Run ``run`` at each yield of a generator that has not run yet, so that effects interleave.

    The ending of ``run`` that stopped it, or a normal one where it came to its end; ``break``,
    ``return`` and exceptions of ``run`` may be pending in the frame, too.
    """
    generator: GeneratorObj = source.d
    owner = object()
    first = len(fr.pending)
    tries = len(it.tries)

    def on_yield(value: V) -> V:
        it.budget.step(it)
        frame, it.frame = it.frame, fr
        inner = it.tries[tries:]
        del it.tries[tries:]
        kept = len(fr.pending)
        try:
            outcome = protect(lambda: run(value))
            outcome = settle(it, fr, kept, ("continue",), continued(outcome))
        finally:
            it.frame = frame
            it.tries[tries:] = inner
        if outcome.kind != "normal":
            raise Abandon(owner, outcome)
        return V(None)

    cell = generator.cell
    it.heap.put(cell, "items", [])
    outcome = protect(lambda: _none(generator.run(on_yield)))
    outcome = _back(owner, outcome)
    stopped = outcome.kind != "normal"
    for pending in fr.pending[first:]:
        if pending.outcome.kind == "abandon" and pending.outcome.value.owner is owner:
            pending.outcome = pending.outcome.value.outcome
            stopped = True
    if stopped:
        it.heap.put(cell, "open", "a generator that was left before its end")
    return outcome


def _none(_: V) -> None:
    return None


def _back(owner: object, outcome: Outcome) -> Outcome:
    """The consumer's own ending in place of that of the generator it left."""
    if outcome.kind == "abandon" and outcome.value.owner is owner:
        inner: Outcome = outcome.value.outcome
        return inner
    return outcome


def first_of(it: Any, source: V, choose: Callable[[V], Truth]) -> tuple[list[V], bool]:
    """The items of a generator at which one may stop, and whether it may come to its end.

    choose: whether to stop at an item.
    """
    fr: Frame = it.frame
    found: list[V] = []

    def run(value: V) -> Flow | None:
        truth = choose(value)
        if truth is Truth.FALSE:
            return None
        found.append(value)
        if truth is Truth.TRUE:
            return Flow("break")
        return fork(it, fr, None, lambda: Flow("break"), lambda: None)

    first = len(fr.pending)
    outcome = each_item(it, fr, source, run)
    ended = outcome.kind == "normal"
    if outcome.kind == "break":
        outcome = NORMAL
    resume(settle(it, fr, first, ("break",), outcome))
    return found, ended


def lazily(it: Any, iterable: V, step: Callable[[V, Callable[[V], V]], None]) -> V:
    """A generator that calls ``step(item, give)`` for each item; ``give`` yields."""
    source = it.iterator(iterable)

    def run(on_yield: Callable[[V], V]) -> V:
        fr: Frame = it.frame

        def item(value: V) -> Flow | None:
            step(value, on_yield)
            return None

        it.run_items(fr, source, item, noted=False)
        return V(None)

    generator = GeneratorObj(run, it.heap.cell())
    generator.expression = True
    return V(generator, iterable.o)


def run_items(
    it: Any, fr: Frame, source: V, item: Callable[[V], Flow | None], *, noted: bool = True
) -> None:
    """Run something for each item of what ``iterator`` gave; it raises what that raises."""
    if type(source.d) is Union:
        sources = [o for o in source.d.options if o.d is not ABSENT]

        def one(option: V) -> Flow | None:
            run_items(it, fr, it.iterator(option), item, noted=noted)
            return None

        any_of(it, fr, sources, one)
        return
    if type(source.d) is GeneratorObj and "items" not in source.d.cell:
        outcome = each_item(it, fr, source, item)
        if outcome.kind in ("raise", "abandon"):
            raise outcome.value
        return
    items, bag = it.sequence(source)
    guard = Guard(fr.path, fr.pos or (0, 0, 0, 0), "an item of an iterable", True, None)
    for value, certain in items:
        if certain:
            item(value)
        else:
            fork(it, fr, guard, lambda v=value: item(v), lambda: None)  # type: ignore[misc]
    if bag:
        unknown_loop(
            it, fr, guard, lambda: any_of(it, fr, it.sequence(source)[1], item), noted=noted
        )


def iterator_object(it: Any, value: V) -> V:
    """The generator of what an object's ``__next__`` gives."""
    d: Instance = value.d
    stop = it.builtins["StopIteration"]

    def step() -> tuple[V | None, V | None]:
        method = it.lookup_special(value, "__next__")
        result: tuple[V | None, V | None] = it.attempt(
            lambda: it.call(method, [], {}), stop, opaque=False
        )
        return result

    def run(on_yield: Callable[[V], V]) -> V:
        owner = object()

        def round_() -> Flow | None:
            item, error = step()
            if item is None:
                raise Abandon(owner, NORMAL)
            if error is None:
                on_yield(item)
                return None
            return fork(it, it.frame, None, lambda: _none(on_yield(item)), stop_here)

        def stop_here() -> Flow | None:
            raise Abandon(owner, NORMAL)

        fr: Frame = it.frame
        first = len(fr.pending)

        def rounds() -> Flow | None:
            for _ in range(MAX_ITEMS):
                it.budget.step(it)
                round_()
                if len(fr.pending) > first:
                    break
            guard = Guard(fr.path, fr.pos or (0, 0, 0, 0), f"an item of {d.cls.name}", True, None)
            unknown_loop(it, fr, guard, round_)
            return None

        outcome = _back(owner, protect(rounds))
        for pending in fr.pending[first:]:
            if pending.outcome.kind == "abandon" and pending.outcome.value.owner is owner:
                pending.outcome = Outcome("break")
        resume(settle(it, fr, first, ("break",), outcome))
        return V(None)

    return V(GeneratorObj(run, it.heap.cell()), value.o)
