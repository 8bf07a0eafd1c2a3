"""try, with: exceptions of the analysed program."""

from __future__ import annotations

from typing import Any

from mlapath.engine.control import Flow, Frame, PyRaise
from mlapath.engine.fork import carry, fork, protect, rebase_later, resume, run_alternative
from mlapath.engine.stmt import block, store, store_name
from mlapath.ir import nodes as n
from mlapath.values.origin import Origin
from mlapath.values.truth import Truth
from mlapath.values.value import V


def try_(it: Any, fr: Frame, s: n.Try) -> Flow | None:
    if s.finalbody:
        first = len(fr.pending)
        outcome = protect(lambda: _handled(it, fr, s))
        mark = (len(it.heap.log), it.heap.clock)
        ended = protect(lambda: block(it, fr, s.finalbody))
        carry(it, fr, first, mark)
        return resume(outcome if ended.kind == "normal" else ended)
    return _handled(it, fr, s)


def _handled(it: Any, fr: Frame, s: n.Try) -> Flow | None:
    if not s.handlers:
        return block(it, fr, s.body)
    classes = [None if h.type is None else it.eval(fr, h.type) for h in s.handlers]
    first = len(fr.pending)
    it.tries.append(classes)
    marker = it.try_marker()
    try:
        outcome = protect(lambda: block(it, fr, s.body))
        it.opaque_exit(fr, marker)
    finally:
        it.tries.pop()
        it.try_done(marker)
    if outcome.kind == "raise":
        outcome = protect(lambda: _dispatch(it, fr, s, classes, outcome.value))
    elif outcome.kind == "normal" and s.orelse:
        outcome = protect(lambda: block(it, fr, s.orelse))
    index = len(fr.pending) - 1
    while index >= first:
        pending = fr.pending[index]
        if pending.outcome.kind == "raise" and it.catches(classes, pending.outcome.value):
            rebase_later(it, fr, index)
            del fr.pending[index]
            raised = pending.outcome.value
            outcome = run_alternative(
                it, fr, pending, outcome,
                lambda r=raised: _dispatch(it, fr, s, classes, r),  # type: ignore[misc]
            )  # fmt: skip
            index = min(index, len(fr.pending))
        index -= 1
    return resume(outcome)


def _dispatch(it: Any, fr: Frame, s: n.Try, classes: list[Any], raised: PyRaise) -> Flow | None:
    """Run the handler that catches ``raised``; re-raise where none does."""
    for handler, cls in zip(s.handlers, classes, strict=True):
        truth = Truth.TRUE if cls is None else it.exception_matches(raised.exc, cls)
        if truth is Truth.FALSE:
            continue
        if truth is Truth.UNKNOWN:
            index = s.handlers.index(handler) + 1
            rest = s._replace(handlers=s.handlers[index:])
            return fork(
                it, fr, None, lambda: _handle(it, fr, handler, raised),
                lambda: _dispatch(it, fr, rest, classes[index:], raised),
            )  # fmt: skip
        return _handle(it, fr, handler, raised)
    raise raised


def _handle(it: Any, fr: Frame, handler: n.Handler, raised: PyRaise) -> Flow | None:
    outer = fr.handled
    control = fr.control
    fr.handled = raised
    if raised.exc.o is not None:
        fr.control = Origin("guard", fr.path, handler.pos, (raised.exc.o,), control)
    if handler.name is not None:
        store_name(it, fr, handler.name, raised.exc)
    it.trace.lines_of(fr.path).add(handler.pos[0])
    try:
        return block(it, fr, handler.body)
    finally:
        fr.handled = outer
        fr.control = control


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

    generator = it.context_generator(manager)
    if generator is not None:
        return _with_generator(it, fr, generator, inside)
    enter = it.lookup_special(manager, "__aenter__" if s.is_async else "__enter__")
    if enter is None:  # not known: the body runs, and exceptions pass through
        return inside(it.opaque_result(manager, "__enter__"))
    entered = it.call(enter, [], {})
    if s.is_async:
        entered = it.await_(entered)
    first = len(fr.pending)
    outcome = protect(lambda: inside(entered))
    mark = (len(it.heap.log), it.heap.clock)
    leave = it.lookup_special(manager, "__aexit__" if s.is_async else "__exit__")
    if leave is None:
        return resume(outcome)
    if outcome.kind == "raise":
        exc = outcome.value.exc
        swallowed = it.call(leave, [it.type_of(exc), exc, V(None)], {})
        if s.is_async:
            swallowed = it.await_(swallowed)
        truth = it.truth(swallowed)
        if truth is Truth.TRUE:
            return None
        if truth is Truth.UNKNOWN:
            return fork(it, fr, None, lambda: None, lambda: resume(outcome))
        return resume(outcome)
    it.call(leave, [V(None), V(None), V(None)], {})
    carry(it, fr, first, mark)
    return resume(outcome)


def _with_generator(it: Any, fr: Frame, generator: Any, inside: Any) -> Flow | None:
    """``@contextmanager``: run the generator with the with-body at its yield."""
    flows: list[Flow | None] = []
    first = len(fr.pending)
    mark = (0, 0)

    def on_yield(value: V) -> V:
        if flows:
            return V(None)
        nonlocal mark
        frame, it.frame = it.frame, fr
        flows.append(None)
        try:
            flows[0] = inside(value)
        finally:
            it.frame = frame
            mark = (len(it.heap.log), it.heap.clock)
        return V(None)

    generator.run(on_yield)
    if flows:
        carry(it, fr, first, mark)
    return flows[0] if flows else None


TRIES: dict[type, Any] = {n.Try: try_, n.With: with_}
