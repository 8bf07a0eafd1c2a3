"""Running alternatives one after the other over one heap, and joining them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.control import NORMAL, Flow, Frame, Guard, Outcome, Pending, PyRaise
from mlapath.values.heap import Delta
from mlapath.values.join import join_delta, union
from mlapath.values.value import ABSENT, Unknown, V

RANK = {"normal": 0, "return": 1, "continue": 2, "break": 3, "raise": 4}


def protect(run: Callable[[], Flow | None]) -> Outcome:
    """Run a block; its ending, a raise included, as an Outcome."""
    try:
        flow = run()
    except PyRaise as raised:
        return Outcome("raise", raised)
    return NORMAL if flow is None else Outcome(flow.kind, flow.value)


def resume(outcome: Outcome) -> Flow | None:
    """The inverse of ``protect``."""
    if outcome.kind == "normal":
        return None
    if outcome.kind == "raise":
        raise outcome.value
    return Flow(outcome.kind, outcome.value)


def _opaque(outcome: Outcome) -> bool:
    """Whether what is raised is only what code that is not looked into might raise."""
    d = outcome.value.exc.d
    return type(d) is Unknown and d.hint == "exception"


def merge_outcomes(a: Outcome, b: Outcome) -> Outcome:
    """The outcome of two alternatives that ended in the same way."""
    if a.kind == "return":
        return Outcome("return", union([a.value, b.value]))
    if a.kind == "raise" and (_opaque(a) or _opaque(b)):
        return b if _opaque(a) else a
    if a.kind == "raise" and a.value is not b.value:
        merged = PyRaise(union([a.value.exc, b.value.exc]), b.value.path, b.value.pos,
                         b.value.stack)  # fmt: skip
        return Outcome("raise", merged)
    return b


def combine(
    it: Any, fr: Frame, mark: tuple[int, int], a: Outcome, da: Delta, b: Outcome,
    guard: Guard | None,
) -> Outcome:  # fmt: skip
    """Join alternative ``a`` (ended, its writes ``da`` taken) with ``b`` (the current state).

    Endings of different kinds: the one that goes on straight survives, the other is left
    pending in the frame.
    """
    heap = it.heap
    if a.kind == b.kind:
        join_delta(heap, mark, da)
        heap.close()
        if a.kind == "raise":
            it.trace.refusal(fr, a.value, guard, certain=False)
        return merge_outcomes(a, b)
    if RANK[a.kind] < RANK[b.kind]:
        db = heap.take(mark)
        heap.apply(da)
        loser, delta, survivor, side = b, db, a, True
    else:
        loser, delta, survivor, side = a, da, b, False
    if loser.kind == "raise":
        it.trace.refusal(fr, loser.value, guard, certain=False)
        if not it.may_be_caught(loser.value):
            heap.close()
            return survivor
    pushed = 0
    if guard is not None and loser.kind != "raise":
        fr.guards.append(guard._replace(side=side))
        it.maybe += 1
        pushed = 1
    fr.pending.append(Pending(loser, delta, mark, pushed))
    return survivor


def fork(
    it: Any, fr: Frame, guard: Guard | None,
    run_a: Callable[[], Flow | None], run_b: Callable[[], Flow | None],
) -> Flow | None:  # fmt: skip
    """Run both alternatives of an unknown guard and join them."""
    heap = it.heap
    mark = heap.fork()
    control = fr.control
    a = _under(it, fr, guard, True, run_a)
    da = heap.take(mark)
    fr.control = control
    b = _under(it, fr, guard, False, run_b)
    fr.control = control
    return resume(combine(it, fr, mark, a, da, b, guard))


def _under(
    it: Any, fr: Frame, guard: Guard | None, side: bool, run: Callable[[], Flow | None]
) -> Outcome:
    if guard is None:
        return protect(run)
    depth = len(fr.guards)
    fr.guards.append(guard._replace(side=side))
    it.maybe += 1
    try:
        return protect(run)
    finally:
        # pendings left inside keep their own guards; only ours is popped
        del fr.guards[depth]
        it.maybe -= 1


def settle(it: Any, fr: Frame, first: int, kinds: tuple[str, ...], outcome: Outcome) -> Outcome:
    """Join the pendings from index ``first`` on whose kind is in ``kinds`` into ``outcome``.

    ``break``/``continue`` pendings become normal endings; the caller says which belong to it.
    """
    index = len(fr.pending) - 1
    while index >= first:
        pending = fr.pending[index]
        if pending.outcome.kind in kinds:
            rebase_later(it, fr, index)
            del fr.pending[index]
            _pop_guards(it, fr, pending)
            kind = pending.outcome.kind
            ended = NORMAL if kind in ("break", "continue") else pending.outcome
            if ended.kind == outcome.kind:
                join_delta(it.heap, pending.mark, pending.delta)
                it.heap.close()
                outcome = merge_outcomes(ended, outcome)
            else:
                outcome = combine(it, fr, pending.mark, ended, pending.delta, outcome, None)
                index = min(index, len(fr.pending))
        index -= 1
    return outcome


def _pop_guards(it: Any, fr: Frame, pending: Pending) -> None:
    for _ in range(min(pending.guards, len(fr.guards))):
        fr.guards.pop()
        it.maybe -= 1


def rebase_later(it: Any, fr: Frame, index: int) -> None:
    """Express the pendings after ``index`` relative to the mark of the one at ``index``."""
    base = fr.pending[index].mark
    log = it.heap.log
    for later in fr.pending[index + 1 :]:
        position = later.mark[0]
        at_mark: dict[tuple[int, Any], Any] = {}
        for cell, key, old in log[position:]:
            at_mark.setdefault((id(cell), key), old)
        delta: Delta = {}
        for cell, key, _ in log[base[0] : position]:
            if cell.born <= base[1]:
                ident = (id(cell), key)
                delta[ident] = (cell, key, at_mark.get(ident, cell.get(key, ABSENT)))
        delta.update(later.delta)
        later.delta = delta
        later.mark = base


def run_alternative(
    it: Any, fr: Frame, pending: Pending, outcome: Outcome, run: Callable[[], Flow | None]
) -> Outcome:
    """Run ``run`` in the state of ``pending`` and join its ending with ``outcome``.

    The pending must be the last of those that share its mark, and already be removed.
    """
    heap = it.heap
    current = heap.take(pending.mark)
    heap.apply(pending.delta)
    alternative = protect(run)
    return combine(it, fr, pending.mark, outcome, current, alternative, None)


def drop_uncaught(it: Any, fr: Frame, first: int) -> None:
    """Forget the raising alternatives that no active handler could catch.

    The program ends there, which was recorded as a conditional refusal.
    """
    kept = fr.pending[:first]
    for pending in fr.pending[first:]:
        if pending.outcome.kind == "raise" and not it.may_be_caught(pending.outcome.value):
            it.heap.close()
        else:
            kept.append(pending)
    fr.pending[:] = kept


def carry(it: Any, fr: Frame, first: int, mark: tuple[int, int]) -> None:
    """Repeat the writes since ``mark`` in the alternatives pending from index ``first`` on.

    For the exit code of ``finally`` and ``with``, which runs in each of them too: it is taken
    to write there what it writes on the straight path.
    """
    written = it.heap.writes(mark)
    for pending in fr.pending[first:]:
        clock = pending.mark[1]
        pending.delta.update({k: w for k, w in written.items() if w[0].born <= clock})


def join_values(values: list[V]) -> V:
    """The value that is one of ``values``."""
    return union(values)
