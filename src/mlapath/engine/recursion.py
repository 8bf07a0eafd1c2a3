"""Recursion under guards that are not known: run until deeper calls bring nothing new.

A call that nothing tells from one that is open, with a fork opened since, may go on for as long as
the unknown guard holds. The second of such calls, the *head*, stands for all deeper ones: where
it comes to itself again, the call is *cut*. The state and the arguments at the head are widened,
and the head is run again, until they cover those of each call that was cut, and the states in
which the head ends. So what a call that was cut leaves is the state at the head, or as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.control import Outcome, Pending
from mlapath.engine.fork import resume, under
from mlapath.engine.unknown_loop import discard_since
from mlapath.values.heap import Delta, Mark
from mlapath.values.join import join_delta
from mlapath.values.objects import Cell, FuncObj, Instance
from mlapath.values.summary import cell_of
from mlapath.values.value import SCALAR_TYPES, External, Union, Unknown, V
from mlapath.values.widen import Widening

SOFT_ROUNDS = 2
MAX_ROUNDS = 16
MAX_HEADS = 2
"""How many heads of one function may be open; calls inside the last are cut, whatever they are."""
MANY = 4
"""From so many open calls on, each under a further fork, numbers do not tell one from another."""

Body = Callable[[Cell], V]
"""Runs the function with these locals."""


class Head:
    """One round of the call that stands for deeper ones.

    args: its arguments; those of calls that are cut are written there. forks: how many forks were
    open. wider: what the state at the mark must hold. again: whether it must be run once more.
    """

    __slots__ = ("again", "args", "cut", "forks", "hard", "mark", "widening", "wider")

    def __init__(self, widening: Widening, args: Cell, mark: Mark, forks: int, *, hard: bool):
        self.widening = widening
        self.args = args
        self.mark = mark
        self.forks = forks
        self.hard = hard
        self.wider: Delta = {}
        self.cut = self.again = False

    def cover(self) -> None:
        """Note what the state at the mark lacks to cover the present one."""
        wider = self.widening.widen(self.mark, hard=self.hard)
        if wider is None:
            return
        self.again = True
        known = {ident[0] for ident in self.wider}  # items and openness go together
        self.wider.update((i, entry) for i, entry in wider.items() if i[0] not in known)


class Activation:
    """An open call: its arguments, how many forks were open, the clock then."""

    __slots__ = ("clock", "forks", "head", "values")

    def __init__(self, values: tuple[V, ...], forks: int, clock: int) -> None:
        self.values = values
        self.forks = forks
        self.clock = clock
        self.head: Head | None = None


def run(it: Any, f: FuncObj, locals_: Cell, body: Body) -> V:
    """Run a function, or cut the call."""
    heap = it.heap
    stack: list[Activation] = it.active.setdefault(id(f.node), [])
    values = tuple(locals_.values())
    if not stack:
        stack.append(Activation(values, heap.forks, heap.clock))
        try:
            return body(locals_)
        finally:
            stack.pop()
    under_forks = [a for a in stack if a.forks < heap.forks]
    loose = len(under_forks) >= MANY
    alike = [a for a in under_forks if _alike(a, values, loose=loose)]
    heads = [a for a in stack if a.head is not None and a.head.forks < heap.forks]
    known = [a for a in heads if a in alike] or heads[MAX_HEADS - 1 :]
    if known:
        return _cut(it, f, known[-1].head, locals_)  # type: ignore[arg-type]
    activation = Activation(values, heap.forks, heap.clock)
    stack.append(activation)
    try:
        return _rounds(it, f, activation, locals_, body) if alike else body(locals_)
    finally:
        stack.pop()


def _cut(it: Any, f: FuncObj, head: Head, locals_: Cell) -> V:
    fr = it.frame
    head.cut = True
    for name, value in locals_.items():
        it.heap.put(head.args, name, value)
    head.cover()
    join_delta(it.heap, head.mark, {})
    it.frontier(fr, fr.pos, f"a recursion of {f.qualname} of unknown depth")
    it.may_raise(fr, f"a recursion of {f.qualname}")
    return V(Unknown(f"the result of a recursion of {f.qualname}"))


def _rounds(it: Any, f: FuncObj, activation: Activation, locals_: Cell, body: Body) -> V:
    heap, fr = it.heap, it.frame
    widening = Widening(heap)
    args = heap.cell(locals_)
    for round_ in range(MAX_ROUNDS):
        mark = heap.fork()
        kept = len(fr.pending)
        refusals = len(it.trace.refusals)
        head = activation.head = Head(
            widening, args, mark, heap.forks, hard=round_ >= SOFT_ROUNDS
        )  # fmt: skip
        activation.values = tuple(args.values())
        given = heap.cell(args)
        given.bound = f.bound
        results: list[V] = []
        outcome = under(it, fr, None, True, lambda: results.append(body(given)))  # noqa: B023
        if head.cut:
            head.cover()
            for pending in fr.pending[kept:]:
                _in_state(it, pending, head.cover)
        if not head.again:
            heap.close(mark)
            return _ended(outcome, results)
        heap.take(mark)
        discard_since(it, mark)
        heap.close(mark)
        del it.trace.refusals[refusals:]
        heap.apply(head.wider)
    it.frontier(fr, fr.pos, f"a recursion of {f.qualname} whose state still changes")
    return V(Unknown(f"the result of a recursion of {f.qualname}"))


def _ended(outcome: Outcome, results: list[V]) -> V:
    resume(outcome)
    return results[0]


def _in_state(it: Any, pending: Pending, look: Callable[[], None]) -> None:
    """Look at the state of an alternative that was put aside."""
    heap = it.heap
    heap.saved.remove(pending)
    current = heap.take(pending.mark)
    heap.apply(pending.delta)
    look()
    pending.delta = heap.take(pending.mark)
    heap.apply(current)
    pending.seen, pending.stale = pending.position, dict(pending.delta)
    heap.save(pending)


def _alike(a: Activation, values: tuple[V, ...], *, loose: bool) -> bool:
    """Whether nothing tells a call from an open one: an object that that made itself does not."""
    return len(a.values) == len(values) and all(
        _part(x.d, loose=loose) == _part(y.d, loose=loose) or _made_since(a.clock, x.d, y.d)
        for x, y in zip(a.values, values, strict=True)
    )


def _made_since(clock: int, old: Any, new: Any) -> bool:
    if type(old) is not type(new) or type(old) is Instance and old.cls is not new.cls:
        return False
    cell = cell_of(new)
    return cell is not None and cell.born > clock


def _part(d: Any, *, loose: bool) -> Any:
    """What two values have in common that cannot be told apart."""
    if loose and (type(d) in (int, float) or type(d) is Unknown and d.hint in ("int", "float")):
        return "a number"
    if type(d) is Unknown:
        return ("?", d.hint)
    if type(d) in SCALAR_TYPES:
        return (type(d), d)
    if type(d) is tuple:
        return tuple(_part(x.d, loose=loose) for x in d)
    if type(d) is Union:
        return frozenset(_part(o.d, loose=loose) for o in d.options)
    if type(d) is External:
        return d
    return id(d)
