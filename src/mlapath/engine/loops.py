"""Loops: unrolled over known items, widened to a fixpoint over unknown ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.control import NORMAL, Abandon, Flow, Frame, Guard, Outcome
from mlapath.engine.fork import combine, fork, protect, resume, settle
from mlapath.engine.stmt import block, store
from mlapath.ir import nodes as n
from mlapath.values.join import join, library_of, same
from mlapath.values.objects import GeneratorObj, Instance, MayHold
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, Union, Unknown, V

MAX_UNROLL = 20_000
MAX_WIDEN = 3


def for_(it: Any, fr: Frame, s: n.For) -> Flow | None:
    source = it.eval(fr, s.iter)
    if type(source.d) is GeneratorObj and "items" not in source.d.cell:
        return _for_generator(it, fr, s, source.d)
    items = it.iterate(source)
    first = len(fr.pending)
    if items is None:
        element = it.element_of(source)
        it.note_loop(fr, s.iter, source)
        return _unknown_loop(it, fr, s, lambda: _bind(it, fr, s, V(element, source.o)), first)
    opened = it.is_open(source)
    for item in list(items):
        it.budget.step(it)
        value = item if item.o is not None or source.o is None else V(item.d, source.o)
        if opened:
            guard = Guard(fr.path, s.iter.pos, f"an item of {it.text(fr, s.iter.pos)}", True, None)
            flow = fork(it, fr, guard, lambda v=value: _once(it, fr, s, v), lambda: None)  # type: ignore[misc]
        else:
            flow = _once(it, fr, s, value)
        ended = _iteration(it, fr, first, flow)
        if ended is not None:
            _left_early(it, source)
            return None if ended.kind == "break" else ended
    if len(fr.pending) > first:
        _left_early(it, source)
    if opened:
        element = it.element_of(source)
        flow = _unknown_loop(
            it, fr, s._replace(orelse=()), lambda: _bind(it, fr, s, V(element)), first
        )
        if flow is not None:
            return flow
    flow = block(it, fr, s.orelse) if s.orelse else None
    return _after(it, fr, first, flow)


def _left_early(it: Any, source: V) -> None:
    """A user-defined iterator has been run to its end, which the loop may not have reached."""
    if type(source.d) is Instance and it.lookup_special(source, "__next__") is not None:
        it.havoc(source, "an iterator that a loop left early")


def _bind(it: Any, fr: Frame, s: n.For, value: V) -> None:
    end = s.iter.pos
    store(it, fr, s.target, value, (s.pos[0], s.pos[1], end[2], end[3]))


def _once(it: Any, fr: Frame, s: n.For, value: V) -> Flow | None:
    _bind(it, fr, s, value)
    return block(it, fr, s.body)


def _iteration(it: Any, fr: Frame, first: int, flow: Flow | None) -> Flow | None:
    """After one run of the body: what leaves the loop, or None to go on."""
    if len(fr.pending) > first:
        outcome = settle(it, fr, first, ("continue",), _continued(flow))
        flow = resume(outcome)
    if flow is None or flow.kind == "continue":
        return None
    if flow.kind == "break":
        after = _after(it, fr, first, None)
        return after if after is not None else flow
    return flow


def _continued(flow: Flow | None) -> Outcome:
    if flow is None or flow.kind == "continue":
        return NORMAL
    return Outcome(flow.kind, flow.value)


def _after(it: Any, fr: Frame, first: int, flow: Flow | None) -> Flow | None:
    """Join the alternatives that broke out of the loop."""
    if len(fr.pending) > first and any(p.outcome.kind == "break" for p in fr.pending[first:]):
        outcome = NORMAL if flow is None else Outcome(flow.kind, flow.value)
        return resume(settle(it, fr, first, ("break",), outcome))
    return flow


def while_(it: Any, fr: Frame, s: n.While) -> Flow | None:
    first = len(fr.pending)
    for _ in range(MAX_UNROLL):
        it.budget.step(it)
        test = it.eval(fr, s.test)
        truth = it.guard(fr, s.test, test)
        if truth is Truth.FALSE:
            flow = block(it, fr, s.orelse) if s.orelse else None
            return _after(it, fr, first, flow)
        if truth is Truth.UNKNOWN:
            return _unknown_loop(it, fr, s, lambda: _test(it, fr, s), first)
        ended = _iteration(it, fr, first, block(it, fr, s.body))
        if ended is not None:
            return None if ended.kind == "break" else ended
        if any(p.outcome.kind == "break" for p in fr.pending[first:]) and _ > 64:
            break  # a loop left by an unknown guard only
    else:
        it.frontier(fr, s.pos, f"a loop of more than {MAX_UNROLL} rounds")
    return _unknown_loop(it, fr, s, lambda: _test(it, fr, s), first)


def _test(it: Any, fr: Frame, s: n.While) -> None:
    it.eval(fr, s.test)
    it.refine(fr, s.test, True)


def _unknown_loop(
    it: Any, fr: Frame, s: n.For | n.While, begin: Callable[[], None], first: int
) -> Flow | None:
    """A loop that runs any number of rounds."""

    def body() -> Flow | None:
        begin()
        return block(it, fr, s.body)

    result = any_rounds(it, fr, s.iter if isinstance(s, n.For) else s.test, body)
    if result is None and s.orelse:
        result = block(it, fr, s.orelse)
    return _after(it, fr, first, result)


def any_rounds(it: Any, fr: Frame, where: n.Expr, body: Callable[[], Flow | None]) -> Flow | None:
    """Run ``body`` any number of times, none included; ``where`` is what the number rests on.

    Havoc what it writes until nothing changes, then run it once more as an alternative to not
    running it.
    """
    guard = Guard(fr.path, where.pos, it.text(fr, where.pos), True, None)
    it.trace.unknown_guard(fr, guard)
    result: Flow | None = None
    heap = it.heap
    for round_ in range(MAX_WIDEN + 1):
        mark = heap.fork()
        kept = len(fr.pending)
        fr.guards.append(guard)
        it.maybe += 1
        depth = len(fr.guards) - 1
        try:
            outcome = protect(body)
        finally:
            del fr.guards[depth]
            it.maybe -= 1
        outcome = settle(it, fr, kept, ("continue", "break"), outcome)
        if outcome.kind in ("continue", "break"):
            outcome = NORMAL
        changed = _widened(heap.writes(mark), mark, heap, round_ == MAX_WIDEN)
        if not changed or round_ == MAX_WIDEN:
            if round_ == MAX_WIDEN and changed:
                for cell, key, value in changed:
                    heap.put(cell, key, value)
            delta = heap.take(mark)
            result = resume(combine(it, fr, mark, outcome, delta, NORMAL, guard))
            break
        heap.take(mark)
        for pending in fr.pending[kept:]:
            heap.close()
            for _ in range(pending.guards):
                fr.guards.pop()
                it.maybe -= 1
        del fr.pending[kept:]
        heap.close()
        for cell, key, value in changed:
            heap.put(cell, key, value)
    return result


def _widened(delta: Any, mark: Any, heap: Any, last: bool) -> list[tuple[Any, Any, Any]]:
    """What must be widened so that another round starts from a state that covers this one."""
    original: dict[Any, Any] = {}
    for cell, key, old in heap.log[mark[0] :]:
        original.setdefault((id(cell), key), old)
    changed: list[tuple[Any, Any, Any]] = []
    for ident, (cell, key, value) in delta.items():
        old = original.get(ident, ABSENT)
        if isinstance(value, list):
            if isinstance(old, list) and len(old) == len(value):
                continue
            if type(cell.get("open", "")) is not str or not cell.get("open"):
                changed.append((cell, "open", "changed in a loop of unknown length"))
            continue
        if type(value) is MayHold and value is not old:
            changed.append((cell, key, "changed in a loop of unknown length"))
            continue
        if old is ABSENT:
            continue  # first bound in the body: the join makes it maybe unbound
        joined = join(old, value)
        if isinstance(joined, V) and isinstance(old, V):
            if joined is old or same(joined.d, old.d) or _anything(old):
                continue
            if last or _counts(old, value):
                hint = "int" if type(old.d) is int else ""
                lib = "" if hint else library_of(joined)
                joined = V(Unknown("changed in a loop of unknown length", hint, lib), value.o)
            changed.append((cell, key, joined))
    return changed


def _anything(value: V) -> bool:
    """Whether a value covers all others, but perhaps for its being absent."""
    if type(value.d) is Union:
        return any(type(o.d) is Unknown for o in value.d.options)
    return type(value.d) is Unknown


def _counts(old: V, new: V) -> bool:
    numbers = (int, float)
    return type(old.d) in numbers and (type(new.d) in numbers or type(new.d) is Unknown)


def _for_generator(it: Any, fr: Frame, s: n.For, generator: GeneratorObj) -> Flow | None:
    """Run the generator's body with the loop body at its yields, so that effects interleave."""
    first = len(fr.pending)
    left: list[Flow] = []
    owner = object()

    def on_yield(value: V) -> V:
        frame, it.frame = it.frame, fr
        try:
            ended = _iteration(it, fr, first, _once(it, fr, s, value))
        finally:
            it.frame = frame
        if ended is not None:
            left.append(ended)
            raise Abandon(owner)
        return V(None)

    try:
        it.heap.put(generator.cell, "items", [])
        generator.run(on_yield)
    except Abandon as abandon:
        if abandon.owner is not owner:
            raise
    if left:
        return None if left[0].kind == "break" else left[0]
    flow = block(it, fr, s.orelse) if s.orelse else None
    return _after(it, fr, first, flow)


LOOPS: dict[type, Any] = {n.For: for_, n.While: while_}
