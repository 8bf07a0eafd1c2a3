"""Generators: their code runs where their items are wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mlapath.engine.control import NORMAL, Abandon, Flow, Frame, Guard, Outcome
from mlapath.engine.fork import fork, hand_on, protect, resume, settle
from mlapath.engine.origins import resting_on
from mlapath.engine.unknown_loop import any_of, continued, unknown_loop
from mlapath.values.objects import GeneratorObj, MayHold
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, Union, V

MAX_ITEMS = 20_000
LEFT = "a generator that was left before its end"
SKIPS = MayHold.of("a generator with an unknown guard", (), certain=False)


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
        for pending in fr.pending[kept:]:  # these leave the generator, too
            pending.outcome = Outcome("abandon", Abandon(owner, pending.outcome))
            hand_on(pending, frame)
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
        it.heap.put(cell, "open", LEFT)
        it.heap.put(cell, "left", True)
    return outcome


def resumed(it: Any, generator: GeneratorObj) -> GeneratorObj:
    """What a generator that may have been left before its end still gives.

    Its code may run from anywhere to its end: as if it ran any number of times from its
    beginning, with any of its items given.
    """

    def run(on_yield: Callable[[V], V]) -> V:
        fr: Frame = it.frame
        guard = Guard(fr.path, fr.pos or (0, 0, 0, 0), "an item of a generator", True, None)

        def perhaps(value: V) -> V:
            fork(it, it.frame, None, lambda: _none(on_yield(value)), lambda: None)
            return V(None)

        assert generator.anew is not None
        again = generator.anew
        unknown_loop(it, fr, guard, lambda: _none(again(perhaps)), noted=False)
        return V(None)

    made = GeneratorObj(run, it.heap.cell())
    made.anew = run
    return made


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


def taken(it: Any, source: V, most: int) -> None:
    """Run a generator ahead, for its items to be taken by hand; to its end, if that is near."""
    fr: Frame = it.frame
    items: list[V] = []
    before = it.uncertainty()
    opened = False

    def run(value: V) -> Flow | None:
        nonlocal opened
        items.append(value)
        opened = opened or it.uncertainty() != before
        return Flow("break") if len(items) >= most else None

    first = len(fr.pending)
    outcome = each_item(it, fr, source, run)
    if outcome.kind == "break":
        outcome = NORMAL
    resume(settle(it, fr, first, ("break",), outcome))
    cell = source.d.cell
    it.heap.put(cell, "items", items)
    it.heap.put(cell, "next", 0)
    if opened:
        it.heap.put(cell, "open", SKIPS)
    else:
        it.heap.drop(cell, "open")


def advancing(it: Any, source: V, items: list[tuple[V, bool]]) -> Iterator[tuple[V, bool]]:
    """The items that ``sequence`` gave, one by one.

    An iterator over known items stands after the one that is given, not at its end.
    """
    d = source.d
    if type(d) is not GeneratorObj or d.cell.get("open"):
        yield from items
        return
    start = len(d.cell["items"]) - len(items)
    for at, item in enumerate(items, start + 1):
        it.heap.put(d.cell, "next", at)
        yield item


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
    for found, certain in advancing(it, source, items):
        value = resting_on(it, found, source.o)
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
    stop = it.builtins["StopIteration"]

    def step() -> tuple[V | None, V | None]:
        method = it.lookup_special(value, "__next__")
        result: tuple[V | None, V | None] = it.attempt(
            lambda: it.call(method, [], {}), stop, opaque=False
        )
        return result

    return _stepping(it, value, step)


def indexed(it: Any, value: V) -> V:
    """The generator of what an object's ``__getitem__`` gives for 0, 1, and so on."""
    ends = V((it.builtins["IndexError"], it.builtins["StopIteration"]))
    at = it.heap.cell({"index": V(0)})

    def step() -> tuple[V | None, V | None]:
        index = at["index"]
        it.heap.put(at, "index", it.binop("+", index, V(1)))
        result: tuple[V | None, V | None] = it.attempt(
            lambda: it.getitem(value, index), ends, opaque=False
        )
        return result

    return _stepping(it, value, step)


def _stepping(it: Any, value: V, step: Callable[[], tuple[V | None, V | None]]) -> V:
    """A generator of what ``step`` gives, until it gives an exception."""
    name = it.type_name(value)

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
            guard = Guard(fr.path, fr.pos or (0, 0, 0, 0), f"an item of {name}", True, None)
            unknown_loop(it, fr, guard, round_)
            return None

        outcome = _back(owner, protect(rounds))
        for pending in fr.pending[first:]:
            if pending.outcome.kind == "abandon" and pending.outcome.value.owner is owner:
                pending.outcome = Outcome("break")
        resume(settle(it, fr, first, ("break",), outcome))
        return V(None)

    return V(GeneratorObj(run, it.heap.cell()), value.o)
