"""try: exceptions of the analysed program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.certainty import confirm, reached
from mlapath.engine.control import Flow, Frame, Outcome, PyRaise, Try
from mlapath.engine.fork import (
    detach,
    drop_uncaught,
    fork,
    gathered,
    protect,
    resume,
    run_alternative,
)
from mlapath.engine.names import store_name, unbind_name
from mlapath.engine.stmt import block
from mlapath.ir import nodes as n
from mlapath.values.objects import ClassObj
from mlapath.values.origin import Origin
from mlapath.values.truth import Truth
from mlapath.values.union import union
from mlapath.values.value import Unknown, V

Run = Callable[[], "Flow | None"]


def try_(it: Any, fr: Frame, s: n.Try) -> Flow | None:
    if not s.finalbody:
        return _handled(it, fr, s)

    def leave(ended: Outcome) -> Flow | None:
        outer = fr.handled
        if ended.kind == "raise":
            fr.handled = ended.value
        try:
            flow = block(it, fr, s.finalbody)
        finally:
            fr.handled = outer
        return flow if flow is not None else resume(ended)

    return finally_(it, fr, lambda: _handled(it, fr, s), leave)


def finally_(
    it: Any, fr: Frame, body: Run, leave: Callable[[Outcome], Flow | None]
) -> Flow | None:
    """Run ``body``, then ``leave`` on each of the ways in which it may have ended.

    leave: takes an ending; returns or raises what it becomes.
    """
    first = len(fr.pending)
    tentative = len(it.way.tentative)
    outcome = guarded(it, Try([None], opaque=True), body)
    pendings = fr.pending[first:]
    for pending in pendings:
        detach(pending)
    ways: list[Outcome] = []

    def exit_(ended: Outcome) -> Flow | None:
        way = protect(lambda: leave(ended))
        if ended.kind == "raise":
            ways.append(way)
        if ended.kind == "abandon" and way.kind == "raise":
            way = ended  # exceptions of a generator that is closed are ignored
        return resume(way)

    outcome = protect(lambda: exit_(outcome))
    for pending in gathered(it, pendings):
        outcome = run_alternative(
            it,
            fr,
            pending,
            outcome,
            lambda p=pending: exit_(p.outcome),  # type: ignore[misc]
        )
    confirm(it, tentative, all(way.kind == "raise" for way in ways))
    return resume(outcome)


def guarded(it: Any, active: Try, run: Run) -> Outcome:
    """The outcome of ``run`` inside a try."""
    it.tries.append(active)
    try:
        return protect(run)
    finally:
        it.tries.pop()


def _handled(it: Any, fr: Frame, s: n.Try) -> Flow | None:
    if not s.handlers:
        return block(it, fr, s.body)
    if s.is_star:
        return catching(
            it, fr, [None], lambda: block(it, fr, s.body),
            lambda raised: _dispatch_group(it, fr, s, raised),
            (lambda: block(it, fr, s.orelse)) if s.orelse else None,
        )  # fmt: skip
    classes = [None if h.type is None else _handler_class(it, fr, h.type) for h in s.handlers]
    return catching(
        it, fr, classes, lambda: block(it, fr, s.body),
        lambda raised: _dispatch(it, fr, s, classes, raised),
        (lambda: block(it, fr, s.orelse)) if s.orelse else None,
    )  # fmt: skip


def _handler_class(it: Any, fr: Frame, expr: n.Expr) -> V:
    """What a handler names; it is evaluated only when there is an exception, so it may fail."""
    found: list[V] = []

    def run() -> None:
        found.append(it.eval(fr, expr))

    if protect(run).kind != "normal":
        return V(Unknown("an exception class that is not known"))
    return found[0]


def catching(
    it: Any, fr: Frame, classes: list[V | None], body: Run,
    dispatch: Callable[[PyRaise], Flow | None], orelse: Run | None = None, *, opaque: bool = True,
) -> Flow | None:  # fmt: skip
    """Run ``body``; give what it raises, and what it may raise, of ``classes`` to ``dispatch``.

    classes: what the handlers name; None catches everything.
    dispatch: handles an exception or re-raises it.
    opaque: whether code that is not looked into may raise one of them.
    """
    first = len(fr.pending)
    tentative = len(it.way.tentative)
    active = Try(classes, opaque=opaque)
    outcome = guarded(it, active, body)
    caught = [
        pending for pending in fr.pending[first:]
        if pending.outcome.kind == "raise" and it.catches(classes, pending.outcome.value)
        and (pending.target is None or pending.target is active)
    ]  # fmt: skip
    for pending in caught:
        detach(pending)
    ways: list[Outcome] = []

    def handle(raised: PyRaise) -> Flow | None:
        ways.append(protect(lambda: dispatch(raised)))
        return resume(ways[-1])

    if outcome.kind == "raise":
        outcome = protect(lambda: handle(outcome.value))
    elif outcome.kind == "abandon" and _catches_exit(it, classes):
        protect(lambda: handle(_closing(it)))
    elif outcome.kind == "normal" and orelse is not None:
        outcome = protect(orelse)
    for pending in gathered(it, caught):
        outcome = run_alternative(
            it,
            fr,
            pending,
            outcome,
            lambda p=pending: handle(p.outcome.value),  # type: ignore[misc]
        )
    drop_uncaught(it, fr, first)
    confirm(it, tentative, all(way.kind == "raise" for way in ways))
    return resume(outcome)


def _closing(it: Any) -> PyRaise:
    """What is raised at the yield of a generator that is closed."""
    raised: PyRaise = it.make_raise(it.exception("GeneratorExit", []))
    return raised


def _catches_exit(it: Any, classes: list[V | None]) -> bool:
    return any(
        c is None or type(c.d) is ClassObj and c.d.name in ("BaseException", "GeneratorExit")
        for c in classes
    )


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


def attempt(
    it: Any, run: Callable[[], V], classes: V, *, opaque: bool = True
) -> tuple[V | None, V | None]:
    """For summaries: the value of ``run()``, and the exception of ``classes`` that it raises.

    One of the two is None, unless it depends on a guard that is not known whether it raises.
    opaque: whether code that is not looked into may raise one of them.
    """
    values: list[V] = []
    errors: list[V] = []

    def body() -> None:
        values.append(run())

    def dispatch(raised: PyRaise) -> Flow | None:
        it.caught = raised
        truth = it.exception_matches(raised.exc, classes)
        if truth is Truth.FALSE:
            raise raised
        if truth is Truth.TRUE:
            errors.append(raised.exc)
            return None
        again = Outcome("raise", raised)
        return fork(it, it.frame, None, lambda: errors.append(raised.exc), lambda: resume(again))

    catching(it, it.frame, [classes], body, dispatch, opaque=opaque)
    return (union(values) if values else None), (union(errors) if errors else None)


def _dispatch(it: Any, fr: Frame, s: n.Try, classes: list[Any], raised: PyRaise) -> Flow | None:
    """Run the handler that catches ``raised``; re-raise where none does."""
    for index, cls in enumerate(classes):
        truth = Truth.TRUE if cls is None else it.exception_matches(raised.exc, cls)
        if truth is Truth.TRUE:
            return _handle(it, fr, s.handlers[index], raised)
        if truth is Truth.UNKNOWN:
            return _maybe_handle(it, fr, s, classes, raised, index)
    raise raised


def _dispatch_group(it: Any, fr: Frame, s: n.Try, raised: PyRaise) -> Flow | None:
    """``except*``: each handler may run, on its part of a group; what is left is raised again."""
    part = PyRaise(V(Unknown("a group of exceptions", "exception")), raised.path, raised.pos)
    for handler in s.handlers:
        fork(it, fr, None, lambda: _handle(it, fr, handler, part), lambda: None)  # noqa: B023
    again = Outcome("raise", raised)
    return fork(it, fr, None, lambda: None, lambda: resume(again))


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
    reached(it, fr, handler.pos[0])
    if handler.name is not None:
        store_name(it, fr, handler.name, raised.exc)
    outcome = protect(lambda: block(it, fr, handler.body))
    if handler.name is not None:
        unbind_name(it, fr, handler.name)
    fr.handled = outer
    fr.control = control
    return resume(outcome)


TRIES: dict[type, Any] = {n.Try: try_}
