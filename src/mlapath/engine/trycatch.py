"""try: exceptions of the analysed program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.control import Flow, Frame, PyRaise
from mlapath.engine.fork import (
    carry,
    drop_uncaught,
    fork,
    protect,
    rebase_later,
    resume,
    run_alternative,
)
from mlapath.engine.stmt import block, store_name
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
    return catching(
        it, fr, classes, lambda: block(it, fr, s.body),
        lambda raised: _dispatch(it, fr, s, classes, raised),
        (lambda: block(it, fr, s.orelse)) if s.orelse else None,
    )  # fmt: skip


def catching(
    it: Any, fr: Frame, classes: list[V | None], body: Callable[[], Flow | None],
    dispatch: Callable[[PyRaise], Flow | None], orelse: Callable[[], Flow | None] | None = None,
) -> Flow | None:  # fmt: skip
    """Run ``body``; give what it raises, and what it may raise, of ``classes`` to ``dispatch``.

    classes: what the handlers name; None catches everything.
    dispatch: handles an exception or re-raises it.
    """
    first = len(fr.pending)
    it.tries.append(classes)
    marker = it.try_marker()
    try:
        outcome = protect(body)
        it.opaque_exit(fr, marker)
    finally:
        it.tries.pop()
        it.try_done(marker)
    if outcome.kind == "raise":
        outcome = protect(lambda: dispatch(outcome.value))
    elif outcome.kind == "normal" and orelse is not None:
        outcome = protect(orelse)
    index = len(fr.pending) - 1
    while index >= first:
        pending = fr.pending[index]
        if pending.outcome.kind == "raise" and it.catches(classes, pending.outcome.value):
            rebase_later(it, fr, index)
            del fr.pending[index]
            raised = pending.outcome.value
            outcome = run_alternative(
                it, fr, pending, outcome,
                lambda r=raised: dispatch(r),  # type: ignore[misc]
            )  # fmt: skip
            index = min(index, len(fr.pending))
        index -= 1
    drop_uncaught(it, fr, first)
    return resume(outcome)


def attempt_certain(it: Any, run: Callable[[], V], classes: V) -> tuple[V | None, V | None]:
    """For summaries: the value of ``run()``, or the exception that it certainly raises.

    Only exceptions of ``classes``; what it only may raise stays with whoever could catch it.
    """
    try:
        return run(), None
    except PyRaise as raised:
        if it.exception_matches(raised.exc, classes) is Truth.TRUE:
            return None, raised.exc
        raise


def attempt(it: Any, run: Callable[[], V], classes: V) -> tuple[V | None, V | None]:
    """For summaries: the value of ``run()``, and the exception of ``classes`` that it raises.

    One of the two is None, unless it depends on a guard that is not known whether it raises.
    """
    values: list[V] = []
    errors: list[V] = []

    def body() -> Flow | None:
        values.append(run())
        return None

    def dispatch(raised: PyRaise) -> Flow | None:
        truth = it.exception_matches(raised.exc, classes)
        if truth is Truth.FALSE:
            raise raised
        if truth is Truth.TRUE:
            errors.append(raised.exc)
            return None
        return fork(it, it.frame, None, lambda: errors.append(raised.exc), lambda: _again(raised))

    catching(it, it.frame, [classes], body, dispatch)
    return (it.union(values) if values else None), (it.union(errors) if errors else None)


def _again(raised: PyRaise) -> Flow | None:
    raise raised


def _dispatch(it: Any, fr: Frame, s: n.Try, classes: list[Any], raised: PyRaise) -> Flow | None:
    """Run the handler that catches ``raised``; re-raise where none does."""
    for handler, cls in zip(s.handlers, classes, strict=True):
        truth = Truth.TRUE if cls is None else it.exception_matches(raised.exc, cls)
        if truth is Truth.FALSE:
            continue
        if truth is Truth.UNKNOWN:
            return _maybe_handle(it, fr, s, classes, raised, s.handlers.index(handler))
        return _handle(it, fr, handler, raised)
    raise raised


def _maybe_handle(
    it: Any, fr: Frame, s: n.Try, classes: list[Any], raised: PyRaise, at: int
) -> Flow | None:
    """Handler number ``at`` on one alternative, the handlers after it on the other."""
    rest = s._replace(handlers=s.handlers[at + 1 :])
    return fork(
        it, fr, None, lambda: _handle(it, fr, s.handlers[at], raised),
        lambda: _dispatch(it, fr, rest, classes[at + 1 :], raised),
    )  # fmt: skip


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


TRIES: dict[type, Any] = {n.Try: try_}
