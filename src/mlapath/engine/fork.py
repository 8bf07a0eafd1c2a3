"""Running alternatives one after the other over one heap, and joining them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.certainty import Parting, Way
from mlapath.engine.control import (
    NORMAL,
    Abandon,
    Flow,
    Frame,
    Guard,
    Outcome,
    Pending,
    PyRaise,
)
from mlapath.engine.uniform import differs
from mlapath.values.heap import Delta, Mark
from mlapath.values.join import join_delta, join_deltas, merge_current, union
from mlapath.values.objects import Instance
from mlapath.values.value import Unknown, V

RANK = {
    kind: rank
    for rank, kind in enumerate(
        ("normal", "done", "left", "break", "continue", "return", "raise", "abandon")
    )
}
MERGE_FROM = 4

Run = Callable[[], "Flow | None"]


def protect(run: Run) -> Outcome:
    """Run a block; its ending, a raise included, as an Outcome.

    Without the traceback, which would keep alive all that the evaluator's own frames hold.
    """
    try:
        flow = run()
    except PyRaise as raised:
        return Outcome("raise", raised.with_traceback(None))
    except Abandon as abandoned:
        return Outcome("abandon", abandoned.with_traceback(None))
    return NORMAL if flow is None else Outcome(flow.kind, flow.value)


def resume(outcome: Outcome) -> Flow | None:
    """The inverse of ``protect``."""
    if outcome.kind == "normal":
        return None
    if outcome.kind in ("raise", "abandon"):
        raise outcome.value
    return Flow(outcome.kind, outcome.value)


def alike(a: Outcome, b: Outcome) -> bool:
    """Whether two alternatives ended in the same way, so that they go on as one."""
    if a.kind != b.kind:
        return False
    if a.kind == "abandon":
        return a.value.owner is b.value.owner and alike(a.value.outcome, b.value.outcome)
    return a.kind != "raise" or a.value.feared is b.value.feared


def _rank(outcome: Outcome) -> tuple[int, bool]:
    """The order in which endings go on: the straight one first, what is only feared last."""
    return RANK[outcome.kind], outcome.kind == "raise" and outcome.value.feared


def merge_outcomes(a: Outcome, b: Outcome) -> Outcome:
    """The outcome of two alternatives that ended in the same way."""
    if a.kind == "return":
        return Outcome("return", union([a.value, b.value]))
    if a.kind == "raise" and a.value is not b.value:
        return Outcome("raise", _one_of(a.value, b.value))
    if a.kind == "abandon":
        inner = merge_outcomes(a.value.outcome, b.value.outcome)
        return Outcome("abandon", Abandon(b.value.owner, inner))
    return b


def _one_of(a: PyRaise, b: PyRaise) -> PyRaise:
    """One of two exceptions, it is not known which."""
    merged = PyRaise(union([a.exc, b.exc]), b.path, b.pos, b.stack)
    merged.control = b.control
    merged.explicit = a.explicit and b.explicit
    merged.parts = tuple(dict.fromkeys((*(a.parts or (a,)), *(b.parts or (b,)))))
    return merged


def combine(
    it: Any, fr: Frame, mark: Mark, a: Outcome, da: Delta, b: Outcome, guard: Guard | None,
    *, main: bool = False,
) -> Outcome:  # fmt: skip
    """Join alternative ``a`` (ended, its writes ``da`` taken) with ``b`` (the current state).

    Endings of different kinds: the one that goes on straight survives, the other is left
    pending in the frame; an exception that nothing can catch ends the program there.
    main: ``a`` is the straight one; what it raises is not blurred by what ``b`` raises.
    """
    heap = it.heap
    main = main and a.kind == b.kind == "raise"
    if alike(a, b) and not main:
        join_delta(heap, mark, da)
        heap.close(mark)
        if a.kind == "raise" and a.value is not b.value and not it.may_be_caught(a.value):
            it.trace.refusal(_noted(fr, a.value, guard, True))
        return merge_outcomes(a, b)
    if main or _rank(a) < _rank(b):
        db = heap.take(mark)
        heap.apply(da)
        loser, delta, survivor, side = b, db, a, True
    else:
        loser, delta, survivor, side = a, da, b, False
    if loser.kind == "raise":
        raised = _noted(fr, loser.value, guard, not side)
        if not it.may_be_caught(raised):
            it.trace.refusal(raised)
            heap.close(mark)
            return survivor
        if _joined_to_known(it, mark, delta, raised):
            heap.close(mark)
            return survivor
    pushed = None
    if guard is not None and loser.kind != "raise":
        pushed = guard._replace(side=side)
        fr.guards.append(pushed)
    leave(it, fr, Pending(loser, delta, mark, pushed))
    if loser.kind == "raise" and it.tries:
        it.tries[-1].pending[_site(loser.value)] = fr.pending[-1]
    return survivor


def merge_state(it: Any, known: Pending) -> None:
    """Join the current state into an alternative that is put aside."""
    if it.rounds is None or not it.rounds.merge(known):
        merge_current(it.heap, known)


def _site(raised: PyRaise) -> str:
    """Where and what: one alternative stands for all of a try that raise this there."""
    d = raised.exc.d
    name = d.cls.full if type(d) is Instance else ""
    return f"{name} {raised.path} {raised.pos} {raised.feared}"


def _joined_to_known(it: Any, mark: Mark, delta: Delta, raised: PyRaise) -> bool:
    """Join an alternative that raises to one of the same try that raised the same there."""
    known = it.tries[-1].pending.get(_site(raised)) if it.tries else None
    if known is None or not known.alive:
        return False
    heap = it.heap
    current = heap.take(mark)
    heap.apply(delta)
    merge_state(it, known)
    heap.take(mark)
    heap.apply(current)
    if differs(raised.exc):
        told = PyRaise(V(Unknown("what each round raises", "object")), raised.path, raised.pos)
        told.feared, told.possible = raised.feared, raised.possible
        raised = told
    known.outcome = _raising_too(known.outcome, raised)
    return True


def _raising_too(outcome: Outcome, raised: PyRaise) -> Outcome:
    """The outcome of an alternative that raises, on its way out of a generator perhaps."""
    if outcome.kind == "abandon":
        inner = _raising_too(outcome.value.outcome, raised)
        return Outcome("abandon", Abandon(outcome.value.owner, inner))
    return merge_outcomes(Outcome("raise", raised), outcome)


def _noted(fr: Frame, raised: PyRaise, guard: Guard | None, side: bool) -> PyRaise:
    """An exception that is raised only on one side, with the guards under which it is."""
    if raised.guards is None:
        own = () if guard is None else (guard._replace(side=side),)
        raised.guards = (*fr.guards, *own)
    return raised


def fork(it: Any, fr: Frame, guard: Guard | None, run_a: Run, run_b: Run) -> Flow | None:
    """Run both alternatives of an unknown guard and join them."""
    heap = it.heap
    parting = Parting(it)
    mark = heap.fork()
    control = fr.control
    way_a, a = _along(it, fr, guard, True, run_a)
    da = heap.take(mark)
    fr.control = control
    way_b, b = _along(it, fr, guard, False, run_b)
    fr.control = control
    parting.joined(it, [(way_a, a), (way_b, b)])
    return resume(combine(it, fr, mark, a, da, b, guard))


def under(it: Any, fr: Frame, guard: Guard | None, side: bool, run: Run) -> Outcome:
    """The outcome of an alternative: what it calls is not called for certain."""
    return _along(it, fr, guard, side, run)[1]


def _along(
    it: Any, fr: Frame, guard: Guard | None, side: bool, run: Run
) -> tuple[Way, Outcome]:  # fmt: skip
    """An alternative, with what it certainly calls, and its outcome."""
    pushed = None if guard is None else guard._replace(side=side)
    if pushed is not None:
        fr.guards.append(pushed)
    maybe, outer = it.maybe, it.way
    it.maybe = maybe + 1
    way = it.way = Way(it.heap.clock)
    try:
        return way, protect(run)
    finally:
        # pendings left inside keep their own guards; only ours is popped
        if pushed is not None:
            drop_guard(fr, pushed)
        it.maybe, it.way = maybe, outer


def drop_guard(fr: Frame, guard: Guard) -> None:
    """Take this very entry from the frame's guards."""
    for i in range(len(fr.guards) - 1, -1, -1):
        if fr.guards[i] is guard:
            del fr.guards[i]
            return


# -- pending alternatives ----------------------------------------------------------------------


def leave(it: Any, fr: Frame, pending: Pending) -> None:
    """Keep an alternative, whose mark is open, in the frame."""
    pending.frame = fr
    fr.pending.append(pending)
    it.heap.save(pending)


def detach(pending: Pending) -> None:
    """Take an alternative out of its frame; the heap still keeps it."""
    if pending.frame is not None:
        pending.frame.pending.remove(pending)
        if pending.guard is not None:
            drop_guard(pending.frame, pending.guard)
    pending.frame = pending.guard = None


def hand_on(pending: Pending, fr: Frame) -> None:
    """Make an alternative one of another frame."""
    detach(pending)
    pending.frame = fr
    fr.pending.append(pending)


def drop_uncaught(it: Any, fr: Frame, first: int) -> None:
    """Forget the raising alternatives that no active handler could catch.

    The program ends there: a conditional refusal.
    """
    for pending in fr.pending[first:][::-1]:
        if pending.outcome.kind == "raise" and not it.may_be_caught(pending.outcome.value):
            it.trace.refusal(pending.outcome.value)
            detach(pending)
            it.heap.discard(pending)


def settle(it: Any, fr: Frame, first: int, kinds: tuple[str, ...], outcome: Outcome) -> Outcome:
    """Join the pendings from index ``first`` on whose kind is in ``kinds`` into ``outcome``.

    ``break``/``continue`` pendings become normal endings; the caller says which belong to it.
    """
    for pending in fr.pending[first:][::-1]:
        if pending.outcome.kind in kinds:
            detach(pending)
            it.heap.release(pending)
            ended = pending.outcome
            if ended.kind in ("left", "break", "continue"):
                ended = NORMAL
            outcome = combine(it, fr, pending.mark, ended, pending.delta, outcome, None)
    return outcome


def run_alternative(it: Any, fr: Frame, pending: Pending, outcome: Outcome, run: Run) -> Outcome:
    """Run ``run`` in the state of ``pending``, which was detached.

    Its ending is joined with ``outcome``, that of the straight path.
    """
    heap = it.heap
    heap.release(pending)
    current = heap.take(pending.mark)
    heap.apply(pending.delta)
    alternative = under(it, fr, None, True, run)
    return combine(it, fr, pending.mark, outcome, current, alternative, None, main=True)


def gathered(it: Any, pendings: list[Pending]) -> list[Pending]:
    """Detached pendings, fewer where there are many: those that ended alike are joined."""
    groups: list[list[Pending]] = []
    for pending in pendings:
        group = next((g for g in groups if alike(g[0].outcome, pending.outcome)), None)
        if group is None:
            groups.append([pending])
        else:
            group.append(pending)
    result: list[Pending] = []
    for group in groups:
        result.extend(group if len(group) < MERGE_FROM else [_gather(it, group)])
    return result


def _gather(it: Any, group: list[Pending]) -> Pending:
    heap = it.heap
    position = min(p.position for p in group)
    latest = max(group, key=lambda p: p.clock)
    mark = (position, latest.clock)
    current = heap.take(mark)  # every pending of the group is relative to the position now
    outcome = group[0].outcome
    heap.apply(group[0].delta)
    join_deltas(heap, mark, [other.delta for other in group[1:]])
    for other in group[1:]:
        outcome = merge_outcomes(other.outcome, outcome)
    delta = heap.take(mark)
    heap.apply(current)
    for pending in group:
        heap.release(pending)
        if pending is not latest:
            heap.close(pending.mark)
    made = Pending(outcome, delta, mark)
    heap.save(made)
    return made
