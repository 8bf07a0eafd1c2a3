"""Loops: unrolled over known items, run to a fixpoint over unknown ones."""

from __future__ import annotations

import math
from typing import Any

from mlapath.engine.control import NORMAL, Flow, Frame, Guard, Outcome
from mlapath.engine.fork import RANK, detach, fork, protect, resume, settle
from mlapath.engine.generators import each_item
from mlapath.engine.origins import resting_on
from mlapath.engine.stmt import block, store
from mlapath.engine.unknown_loop import any_of, continued, unknown_loop
from mlapath.ir import nodes as n
from mlapath.values.objects import OPEN, DictObj, GeneratorObj, ListObj
from mlapath.values.truth import Truth
from mlapath.values.union import may_be_absent
from mlapath.values.value import ABSENT, Union, V

MAX_UNROLL = 20_000
MAX_PENDING_ROUNDS = 16
SMALL = 64
"""Up to this size, each round is asked whether a dict's size may have changed."""
DONE = Flow("done")
LEFT = Outcome("left")


def for_(it: Any, fr: Frame, s: n.For) -> Flow | None:
    return _for(it, fr, s, it.eval(fr, s.iter))


def _for(it: Any, fr: Frame, s: n.For, iterable: V) -> Flow | None:
    source = it.iterator(iterable)
    if type(source.d) is Union:
        sources = [o for o in source.d.options if o.d is not ABSENT]
        return any_of(it, fr, sources, lambda o: _for(it, fr, s, o))
    first = len(fr.pending)
    if type(source.d) is GeneratorObj and "items" not in source.d.cell:
        outcome = each_item(it, fr, source, lambda value: _once(it, fr, s, value))
    else:
        outcome = protect(lambda: _items(it, fr, s, source))
    return _left(it, fr, s, first, outcome)


def _items(it: Any, fr: Frame, s: n.For, source: V) -> Flow | None:
    """Run the body for the items of a container."""
    items, bag = it.sequence(source)
    flow = _known(it, fr, s, source, items)
    if type(source.d) is ListObj and source.d.open:  # perhaps only since the body ran
        bag = it.candidates(source)
    if flow is None and bag:
        it.note_loop(fr, s.iter, source)
        unknown_loop(
            it, fr, guard_over(it, fr, s.iter),
            lambda: any_of(it, fr, it.sequence(source)[1], lambda v: _once(it, fr, s, v)),
        )  # fmt: skip
    return flow


def _left(it: Any, fr: Frame, s: n.For | n.While, first: int, outcome: Outcome) -> Flow | None:
    """After the last round: what broke out of the loop skips its else clause."""
    for pending in fr.pending[first:]:
        if pending.outcome.kind == "break":  # a break in the else clause is the outer loop's
            pending.outcome = LEFT
    if outcome.kind == "normal" and s.orelse:
        outcome = protect(lambda: block(it, fr, s.orelse))
    elif outcome.kind == "break":
        outcome = NORMAL
    return resume(settle(it, fr, first, ("left",), outcome))


def guard_over(it: Any, fr: Frame, e: n.Expr) -> Guard:
    """The guard of what runs for items of an iterable that is not fully known."""
    return Guard(fr.path, e.pos, f"an item of {it.text(fr, e.pos)}", True, None)


def _known(it: Any, fr: Frame, s: n.For, source: V, items: list[tuple[V, bool]]) -> Flow | None:
    """Run the body on known items, in order; how it left the loop, or None."""
    first = len(fr.pending)
    d = source.d
    index = 0
    before = _sizes(d)
    start = len(d.cell["items"]) - len(items) if type(d) is GeneratorObj else 0
    listed = type(d) is ListObj and not d.open  # the body may change it
    while index < len(d.items if listed else items):
        it.budget.step(it)
        item, certain = (d.items[index], True) if listed else items[index]
        index += 1
        if type(d) is GeneratorObj and not d.cell.get("open"):
            it.heap.put(d.cell, "next", start + index)
        value = resting_on(it, item, source.o)
        if certain:
            outcome = protect(lambda: _once(it, fr, s, value))  # noqa: B023 - run at once
        else:
            guard = guard_over(it, fr, s.iter)
            outcome = protect(lambda: fork(
                it, fr, guard, lambda: _once(it, fr, s, value), lambda: None  # noqa: B023
            ))  # fmt: skip
        flow = resume(settle(it, fr, first, ("continue",), continued(outcome)))
        if flow is not None:
            return flow
        if listed and d.open:
            return None
        if before is not None and (
            len(d.data) != before[2] or len(d.data) <= SMALL or index == len(items)
        ):
            _check_size(it, d, before)
    return None


def _sizes(d: Any) -> tuple[int, float, int] | None:
    """How many keys a dict or set has, at least and at most, and entries; None of other things."""
    if type(d) is not DictObj:
        return None
    pairs = [pair for key, pair in d.data.items() if key is not OPEN]
    certain = sum(not may_be_absent(pair[1]) for pair in pairs)
    return certain, math.inf if OPEN in d.data else len(pairs), len(d.data)


def _check_size(it: Any, d: DictObj, before: tuple[int, float, int]) -> None:
    """Raise the program's RuntimeError where a dict that is run through changed its size."""
    least, most, _ = _sizes(d) or before
    why = f"{d.kind} changed size during iteration"
    if most < before[0] or least > before[1]:
        it.throw("RuntimeError", why)
    if (least, most) != before[:2]:
        it.may_throw("RuntimeError", why)


def _once(it: Any, fr: Frame, s: n.For, value: V) -> Flow | None:
    end = s.iter.pos
    store(it, fr, s.target, value, (s.pos[0], s.pos[1], end[2], end[3]))
    return block(it, fr, s.body)


def while_(it: Any, fr: Frame, s: n.While) -> Flow | None:
    first = len(fr.pending)
    outcome = protect(lambda: _rounds(it, fr, s, first))
    if outcome.kind == "normal":  # the state is that of the head, not of a way out
        outcome = _way_out(it, fr, s, first)
    outcome = settle(it, fr, first, ("done",), outcome)
    if outcome.kind == "done":
        outcome = NORMAL
    return _left(it, fr, s, first, outcome)


def _rounds(it: Any, fr: Frame, s: n.While, first: int) -> Flow | None:
    """Run the loop; its ways out are pending, or the flow that is given."""
    guard = Guard(fr.path, s.test.pos, it.text(fr, s.test.pos), True, None)
    for _ in range(MAX_UNROLL):
        it.budget.step(it)
        test = it.eval(fr, s.test)
        truth = it.guard(fr, s.test, test)
        outcome = protect(lambda: _round(it, fr, s, guard, truth))  # noqa: B023 - run at once
        flow = resume(settle(it, fr, first, ("continue",), continued(outcome)))
        if flow is not None:
            return flow
        left = sum(p.outcome.kind in ("break", "return", "abandon") for p in fr.pending[first:])
        if truth is Truth.UNKNOWN or left > MAX_PENDING_ROUNDS:
            break
    else:
        it.frontier(fr, s.pos, f"a loop of more than {MAX_UNROLL} rounds")
    unknown_loop(it, fr, guard, lambda: _round(
        it, fr, s, guard, it.guard(fr, s.test, it.eval(fr, s.test))
    ))  # fmt: skip
    return None


def _round(it: Any, fr: Frame, s: n.While, guard: Guard, truth: Truth) -> Flow | None:
    """What follows the test: the body, or the way out."""
    if truth is Truth.FALSE:
        return DONE
    if truth is Truth.TRUE:
        return block(it, fr, s.body)

    def side(holds: bool) -> Flow | None:
        it.refine(fr, s.test, holds)
        return block(it, fr, s.body) if holds else DONE

    return fork(it, fr, guard, lambda: side(True), lambda: side(False))


def _way_out(it: Any, fr: Frame, s: n.While, first: int) -> Outcome:
    """Go on in the state of one of the ways out of the loop: that of the head is none."""
    ways = sorted(fr.pending[first:], key=lambda p: RANK[p.outcome.kind])
    if not ways:
        it.frontier(fr, s.pos, "a loop that nothing leaves")
        return Outcome("done")
    way = ways[0]
    detach(way)
    heap = it.heap
    heap.release(way)
    heap.take(way.mark)
    heap.apply(way.delta)
    heap.close(way.mark)
    return way.outcome


LOOPS: dict[type, Any] = {n.For: for_, n.While: while_}
