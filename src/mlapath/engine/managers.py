"""with: entering and leaving context managers, and catching what they suppress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.control import Flow, Frame, Outcome, Pending, PyRaise
from mlapath.engine.fork import detach, fork, hand_on, leave, protect, resume
from mlapath.engine.stmt import block, store
from mlapath.engine.trycatch import catching, finally_
from mlapath.engine.unknown_loop import any_of
from mlapath.ir import nodes as n
from mlapath.values.heap import NOTHING
from mlapath.values.join import join_delta, same
from mlapath.values.objects import Cell, DictObj, FuncObj, GeneratorObj, Instance, ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, SCALAR_TYPES, Union, Unknown, V

Body = Callable[[V], "Flow | None"]


def with_(it: Any, fr: Frame, s: n.With) -> Flow | None:
    return _with(it, fr, s, 0)


def _with(it: Any, fr: Frame, s: n.With, i: int) -> Flow | None:
    if i == len(s.items):
        return block(it, fr, s.body)
    item = s.items[i]
    manager = it.eval(fr, item.context)
    fr.pos = s.pos

    def inside(value: V) -> Flow | None:
        if item.target is not None:
            store(it, fr, item.target, value, s.pos)
        return _with(it, fr, s, i + 1)

    return _managed(it, fr, manager, inside, s.is_async)


def _managed(it: Any, fr: Frame, manager: V, inside: Body, is_async: bool) -> Flow | None:
    """Run ``inside`` with what the manager's entry gives, between its entry and its exit."""
    if type(manager.d) is Union:
        options = [o for o in manager.d.options if o.d is not ABSENT]
        return any_of(it, fr, options, lambda o: _managed(it, fr, o, inside, is_async))
    generator = it.context_generator(manager)
    if generator is not None:
        return _with_generator(it, fr, generator, inside)
    classes = _suppressed(manager)
    if classes is not None:
        return catching(
            it, fr, [classes], lambda: inside(V(None)), lambda r: _swallow(it, fr, classes, r)
        )
    enter = it.lookup_special(manager, "__aenter__" if is_async else "__enter__")
    if enter is None and _is_none(manager):
        it.throw("TypeError", f"'{it.type_name(manager)}' object does not support the context "
                 "manager protocol")  # fmt: skip
    if enter is None:  # not known: the body runs, and exceptions pass through
        it.may_throw("TypeError", "the object does not support the context manager protocol")
        return inside(it.opaque_result(manager, "__enter__"))
    entered = it.call(enter, [], {})
    if is_async:
        entered = it.await_(entered)
    leave = it.lookup_special(manager, "__aexit__" if is_async else "__exit__")
    if leave is None:
        return inside(entered)

    pos = fr.pos

    def exit_(ended: Outcome) -> Flow | None:
        fr.pos = pos
        exc = ended.value.exc if ended.kind == "raise" else None
        args = [V(None), V(None), V(None)]
        if exc is not None:
            args = [it.type_of(exc), exc, V(Unknown("a traceback", "object"))]
        swallowed = it.call(leave, args, {})
        if is_async:
            swallowed = it.await_(swallowed)
        truth = Truth.FALSE if exc is None else it.truth(swallowed)
        if truth is Truth.TRUE:
            return None
        if truth is Truth.UNKNOWN:
            return fork(it, fr, None, lambda: None, lambda: resume(ended))
        return resume(ended)

    return finally_(it, fr, lambda: inside(entered), exit_)


def _is_none(manager: V) -> bool:
    """Whether a value is certainly no context manager, as it has no ``__enter__``."""
    d = manager.d
    if type(d) is Instance:
        return not (d.cls.foreign or d.open or d.payload is not None)
    return type(d) in SCALAR_TYPES or type(d) in (tuple, ListObj, DictObj, FuncObj)


def _with_generator(it: Any, fr: Frame, generator: Any, inside: Body) -> Flow | None:
    """``@contextmanager``: run the generator with the with-body at its yield.

    What the body may raise is raised at the yield, too. The code after the yield runs once, on
    the join of the other ways in which the body may have ended. Under guards that are not known
    there may be several alternatives that yield: the body runs in each.
    """
    flows: list[Flow | None] = []  # how the body went on straight, once for each time that it did
    first = len(fr.pending)
    others: list[Pending] = []
    reached = it.heap.cell()

    def on_yield(value: V) -> V:
        if reached.get("yielded", NOTHING).d is True:
            return V(None)
        it.heap.put(reached, "yielded", V(True))
        frame, it.frame = it.frame, fr
        known = [*others]
        try:
            outcome = protect(lambda: inside(value))
        finally:
            it.frame = frame
        mine: list[Pending] = []
        for pending in fr.pending[first:]:
            if pending.outcome.kind in ("raise", "abandon"):
                hand_on(pending, frame)
            elif pending not in known:
                mine.append(pending)
        others.extend(mine)
        if mine and outcome.kind in ("raise", "abandon"):  # an alternative to those that go on
            mark = it.heap.fork()
            leave(it, frame, Pending(outcome, {}, mark))
            _enter_state(it, mine[0])
        else:
            flows.append(resume(outcome))
        for pending in mine:
            join_delta(it.heap, pending.mark, pending.delta)
        return V(None)

    generator.run(on_yield)
    for pending in others:
        it.heap.restate(pending)
    if flows:
        return _one_of(it, fr, flows)
    if not others:
        return None
    last = others[-1]  # the body itself certainly raised
    detach(last)
    it.heap.discard(last)
    return resume(last.outcome)


def _one_of(it: Any, fr: Frame, flows: list[Flow | None]) -> Flow | None:
    """Go on in one of some ways, it is not known in which."""
    if len(flows) == 1:
        return flows[0]
    return fork(it, fr, None, lambda: flows[0], lambda: _one_of(it, fr, flows[1:]))


def _enter_state(it: Any, pending: Pending) -> None:
    """Make the state of a pending the current one; the current one was saved."""
    it.heap.take(pending.mark)
    it.heap.apply(pending.delta)


def _suppressed(manager: V) -> V | None:
    """The classes that a ``contextlib.suppress`` catches."""
    d = manager.d
    if type(d) is Instance and d.cls.facts.get("suppresses"):
        classes: V = d.attrs["exceptions"]
        return classes
    return None


def _swallow(it: Any, fr: Frame, classes: V, raised: PyRaise) -> Flow | None:
    truth = it.exception_matches(raised.exc, classes)
    if truth is Truth.TRUE:
        return None
    if truth is Truth.FALSE:
        raise raised
    again = Outcome("raise", raised)
    return fork(it, fr, None, lambda: None, lambda: resume(again))


def within(it: Any, manager: V, run: Callable[[V], V]) -> V:
    """The value of ``run(entered)`` inside ``with manager as entered``.

    None where the manager suppressed what it raised.
    """
    results: list[V] = []

    def inside(entered: V) -> Flow | None:
        results.append(run(entered))
        return None

    _managed(it, it.frame, manager, inside, is_async=False)
    joined: V = it.union(results) if results else V(None)
    return joined


Exit = list[tuple[Cell, Any, Any, Any]]
"""What the code after a yield writes: cell, key, content at the yield, content after it."""


def enter_generator(it: Any, generator: GeneratorObj) -> tuple[V | None, Exit]:
    """Enter a ``@contextmanager`` by hand.

    Gives what it yields, and what its code after the yield writes: for ``leave_generator``. That
    code is evaluated here, in the state of the entry: it does not see what happens between entry
    and exit. None: it did not yield.
    """
    heap = it.heap
    marks_open = len(heap.marks)
    entered: list[V] = []
    marks: list[tuple[int, int]] = []

    def on_yield(value: V) -> V:
        if not entered:
            entered.append(value)
            if len(heap.marks) == marks_open:
                marks.append(heap.fork())
        return V(None)

    try:
        generator.run(on_yield)
    finally:
        after = heap.take(marks[0]) if marks else {}
        if marks:
            heap.close(marks[0])
    if entered and not marks:
        why = "a context manager that yields under an unknown guard is entered by hand"
        it.frontier(it.frame, it.frame.pos, why)
    left: Exit = []
    for cell, key, value in after.values():
        now = cell.get(key, ABSENT)
        left.append((cell, key, list(now) if isinstance(now, list) else now, value))
    return (entered[0] if entered else None), left


def leave_generator(it: Any, left: Exit) -> None:
    """Repeat what the code after the yield of a manager entered by hand writes."""
    why = "changed between the entry and the exit of a context manager"
    for cell, key, before, after in left:
        current = cell.get(key, ABSENT)
        if isinstance(after, list):
            added = after[len(before) :] if before == after[: len(before)] else None
            if added is None and current != before:
                it.heap.put(cell, "open", why)
            else:
                it.heap.put(cell, key, after if added is None else [*current, *added])
        elif after is ABSENT:
            it.heap.drop(cell, key)
        elif _unchanged(before, current):
            it.heap.put(cell, key, after)
        elif isinstance(after, tuple):  # a dict's (key, value)
            it.heap.put(cell, key, (after[0], V(Unknown(why), after[1].o)))
        else:
            value = V(Unknown(why), after.o) if isinstance(after, V) else after
            it.heap.put(cell, key, value)


def _unchanged(before: Any, now: Any) -> bool:
    if isinstance(before, tuple) and isinstance(now, tuple):
        return same(before[1].d, now[1].d)
    if isinstance(before, V) and isinstance(now, V):
        return same(before.d, now.d)
    return now is before


MANAGERS: dict[type, Any] = {n.With: with_}
