"""Loops of unknown length: run until their state covers what another round would make of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.control import NORMAL, Flow, Frame, Guard, Outcome
from mlapath.engine.fork import combine, detach, fork, settle, under
from mlapath.values.heap import Mark
from mlapath.values.join import distinct, union
from mlapath.values.value import V, is_scalar
from mlapath.values.widen import Widening

SOFT_ROUNDS = 3
MAX_ROUNDS = 16


def unknown_loop(
    it: Any, fr: Frame, guard: Guard, body: Callable[[], Flow | None], *, noted: bool = True
) -> None:
    """Run ``body`` any number of times.

    The state is then the one before any of the rounds; how a round left the loop (``break``,
    ``return``, an exception) is pending in the frame. noted: the guard is one of the program's.
    """
    if noted:
        it.trace.unknown_guard(fr, guard)
    heap = it.heap
    widening = Widening(heap)
    for round_ in range(MAX_ROUNDS):
        mark = heap.fork()
        kept = len(fr.pending)
        refusals = len(it.trace.refusals)
        outcome = under(it, fr, guard, True, body)
        outcome = settle(it, fr, kept, ("continue",), continued(outcome))
        wider = None
        if outcome.kind == "normal":
            wider = widening.widen(mark, hard=round_ >= SOFT_ROUNDS)
        delta = heap.take(mark)
        if wider is None:
            break
        discard_since(it, mark)
        heap.close(mark)
        del it.trace.refusals[refusals:]
        heap.apply(wider)
    else:
        it.frontier(fr, guard.pos, f"a loop whose state still changes after {MAX_ROUNDS} rounds")
        return
    if outcome.kind == "normal":
        heap.close(mark)
    else:
        combine(it, fr, mark, outcome, delta, NORMAL, guard)


def continued(outcome: Outcome) -> Outcome:
    """The ending of a round: ``continue`` is a normal one."""
    return NORMAL if outcome.kind == "continue" else outcome


def discard_since(it: Any, mark: Mark) -> None:
    """Forget the alternatives that a round left, in whichever frame they are."""
    for pending in list(it.heap.saved):
        if pending.born > mark[1]:
            detach(pending)
            it.heap.discard(pending)


def any_of(it: Any, fr: Frame, values: list[V], run: Callable[[V], Flow | None]) -> Flow | None:
    """Run ``run`` on one of the values, it is not known which."""
    values = distinct(values)
    if len(values) == 1 or all(is_scalar(value.d) for value in values):
        return run(union(values))
    return fork(it, fr, None, lambda: run(values[0]), lambda: any_of(it, fr, values[1:], run))
