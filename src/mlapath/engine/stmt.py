"""Execution of simple statements and blocks: ``(engine, frame, node) -> Flow | None``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlapath.engine.certainty import reach_line
from mlapath.engine.control import BREAK, CONTINUE, Flow, Frame, Guard, PyRaise
from mlapath.engine.fork import fork
from mlapath.engine.guards import sole_unknown
from mlapath.engine.names import delete_name, store_name
from mlapath.engine.origins import content_origin
from mlapath.ir import nodes as n
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.origin import Origin, merge
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

MAX_PASSED = 12
"""How many decided guards a frame remembers."""


def block(it: Any, fr: Frame, body: Sequence[n.Stmt]) -> Flow | None:
    """Run statements in order until one leaves the block."""
    execute = it.exec_table
    trace, region, path = it.trace, it.region, fr.path
    part = trace.part_of(region, path)
    for s in body:
        fr.pos = s.pos
        line = s.pos[0]
        seen = part.get(line) or trace.line(region, path, line)
        if not seen.covered:
            reach_line(it, fr, seen)
        it.budget.step(it)
        flow: Flow | None = execute[type(s)](it, fr, s)
        if flow is not None:
            return flow
    return None


def expr_stmt(it: Any, fr: Frame, s: n.ExprStmt) -> None:
    it.eval(fr, s.value)


def assign(it: Any, fr: Frame, s: n.Assign) -> None:
    value = it.eval(fr, s.value)
    for target in s.targets:
        store(it, fr, target, value, s.pos)


def ann_assign(it: Any, fr: Frame, s: n.AnnAssign) -> None:
    if fr.func is None and type(s.target) is n.Name:
        it.annotate(fr, s.target.id, s.annotation)  # of a class or module; kept unevaluated
    if s.value is not None:
        store(it, fr, s.target, it.eval(fr, s.value), s.pos)


def aug_assign(it: Any, fr: Frame, s: n.AugAssign) -> None:
    target = s.target
    if type(target) is n.Attr:
        base = it.eval(fr, target.value)
        old = it.getattr(base, target.attr)
        new = it.inplace(s.op, old, it.eval(fr, s.value))
        it.setattr(base, target.attr, traced(fr, new, s.pos))
    elif type(target) is n.Subscript:
        base = it.eval(fr, target.value)
        index = it.eval(fr, target.index)
        old = it.getitem(base, index)
        it.setitem(base, index, it.inplace(s.op, old, it.eval(fr, s.value)))
    else:
        old = it.eval(fr, target)
        store(it, fr, target, it.inplace(s.op, old, it.eval(fr, s.value)), s.pos)


def traced(fr: Frame, value: V, pos: Any, kind: str = "assign") -> V:
    """``value`` with an origin that says that it was assigned here."""
    inputs = (value.o,) if value.o is not None else ()
    return V(value.d, Origin(kind, fr.path, pos, inputs, fr.control, value=value.d))


def store(it: Any, fr: Frame, target: n.Expr, value: V, pos: Any) -> None:
    """Assign to any target."""
    kind = type(target)
    if kind is n.Name:
        if value.o is not None or fr.control is not None or fr.func is None:
            value = traced(fr, value, pos)
        store_name(it, fr, target.id, value)  # type: ignore[union-attr]
    elif kind is n.Attr:
        base = it.eval(fr, target.value)  # type: ignore[union-attr]
        fr.pos = pos
        it.setattr(base, target.attr, traced(fr, value, pos))  # type: ignore[union-attr]
    elif kind is n.Subscript:
        base = it.eval(fr, target.value)  # type: ignore[union-attr]
        index = it.eval(fr, target.index)
        fr.pos = pos
        it.setitem(base, index, value)
    elif kind is n.Tuple or kind is n.List:
        unpack(it, fr, target.elts, value, pos)  # type: ignore[union-attr]
    elif kind is n.Starred:
        store(it, fr, target.value, value, pos)  # type: ignore[union-attr, arg-type]


def unpack(it: Any, fr: Frame, targets: tuple[n.Expr, ...], value: V, pos: Any) -> None:
    """``a, *b, c = value``."""
    items = it.iterate(value)
    star = next((i for i, t in enumerate(targets) if type(t) is n.Starred), None)
    if items is None or it.is_open(value):
        _unpack_unknown(it, fr, targets, value, pos)
        return
    if value.o is not None:
        items = [item if item.o is not None else V(item.d, value.o) for item in items]
    if star is None:
        if len(items) != len(targets):
            it.throw("ValueError", f"expected {len(targets)} values to unpack, got {len(items)}")
        for target, item in zip(targets, items, strict=True):
            store(it, fr, target, item, pos)
        return
    after = len(targets) - star - 1
    if len(items) < star + after:
        it.throw("ValueError", "not enough values to unpack")
    for target, item in zip(targets[:star], items[:star], strict=True):
        store(it, fr, target, item, pos)
    middle = items[star : len(items) - after]
    store(it, fr, targets[star], V(it.heap.list(list(middle))), pos)
    for target, item in zip(targets[star + 1 :], items[len(items) - after :], strict=True):
        store(it, fr, target, item, pos)


def _unpack_unknown(it: Any, fr: Frame, targets: tuple[n.Expr, ...], value: V, pos: Any) -> None:
    """Any number of items: each target gets one of them, the starred one a list of them."""
    it.may_raise_of(("ValueError", "TypeError"), V("values to unpack"))
    for target in targets:
        element = V(it.element_of(value), value.o)
        if type(target) is n.Starred:
            rest = it.heap.list([])
            it.heap.open_list(rest, "the rest of an unknown iterable", element)
            element = V(rest, value.o)
        store(it, fr, target, element, pos)


def return_(it: Any, fr: Frame, s: n.Return) -> Flow:
    """What is returned rests on its value and on the guards that were decided on the way."""
    value = V(None) if s.value is None else it.eval(fr, s.value)
    if value.o is not None or fr.control is not None or fr.passed:
        inputs = (value.o,) if value.o is not None else ()
        control = merge(fr.control, *fr.passed) if fr.passed else fr.control
        value = V(value.d, Origin("return", fr.path, s.pos, inputs, control, value=value.d))
    return Flow("return", value)


def raise_(it: Any, fr: Frame, s: n.Raise) -> None:
    if s.exc is None:
        handled = it.current_exception(fr)
        if handled is not None:
            raise handled
        it.throw("RuntimeError", "No active exception to reraise")
    value = it.eval(fr, s.exc)
    cause = it.eval(fr, s.cause) if s.cause is not None else None
    fr.pos = s.pos
    raised: PyRaise = it.make_raise(value)
    raised.explicit = True
    raised.cause = it.current_exception(fr)
    if cause is not None:
        _set_cause(it, raised, cause)
    raise raised


def _set_cause(it: Any, raised: PyRaise, cause: V) -> None:
    """``raise … from cause``."""
    if cause.d is None:
        raised.cause = None
    if type(cause.d) is ClassObj:
        cause = it.instantiate(cause.d, [], {})
    if type(raised.exc.d) is Instance:
        it.heap.put(raised.exc.d.attrs, "__cause__", cause)
        it.heap.put(raised.exc.d.attrs, "__suppress_context__", V(True))


def assert_(it: Any, fr: Frame, s: n.Assert) -> Flow | None:
    value = it.eval(fr, s.test)
    truth = it.guard(fr, s.test, value)
    if truth is Truth.TRUE:
        return None

    def fail() -> Flow | None:
        message = V("") if s.msg is None else it.eval(fr, s.msg)
        fr.pos = s.pos
        raised: PyRaise = it.make_raise(it.exception("AssertionError", [message] if s.msg else []))
        raised.explicit = True
        raise raised

    if truth is Truth.FALSE:
        return fail()
    guard = it.guard_of(fr, s.test, value)
    return fork(it, fr, guard, lambda: it.refine(fr, s.test, True), fail)


def if_(it: Any, fr: Frame, s: n.If) -> Flow | None:
    value = it.eval(fr, s.test)
    truth = it.guard(fr, s.test, value)
    if truth is Truth.UNKNOWN:
        guard: Guard = it.guard_of(fr, s.test, value)
        deciding = sole_unknown(fr, s.test)

        def side(body: tuple[n.Stmt, ...], holds: bool) -> Flow | None:
            it.refine(fr, s.test, holds)
            if deciding is not None:
                it.refine(fr, deciding, holds)
            return block(it, fr, body)

        return fork(it, fr, guard, lambda: side(s.body, True), lambda: side(s.orelse, False))
    control = fr.control
    origin = content_origin(value)
    if origin is not None:
        fr.control = Origin("guard", fr.path, s.test.pos, (origin,), control, value=value.d)
        fr.passed.append(fr.control)
        if len(fr.passed) > MAX_PASSED:  # none is dropped: what is returned rests on all of them
            older = tuple(fr.passed[: MAX_PASSED // 2])
            fr.passed[: len(older)] = [Origin("expr", inputs=older)]
    flow = block(it, fr, s.body if truth is Truth.TRUE else s.orelse)
    if flow is None:
        body, other = (s.body, s.orelse) if truth is Truth.TRUE else (s.orelse, s.body)
        if not _leaves(other) or not body and not other:
            fr.control = control
        elif origin is not None and type(other[-1]) is n.Raise:
            fr.control = Origin("check", fr.path, s.test.pos, (origin,), control, value=value.d)
    return flow


def _leaves(body: tuple[n.Stmt, ...]) -> bool:
    """Whether a block certainly leaves: then what follows rests on the guard."""
    return bool(body) and type(body[-1]) in (n.Return, n.Raise, n.Continue, n.Break)


def pass_(it: Any, fr: Frame, s: n.Pass) -> None:
    return None


def break_(it: Any, fr: Frame, s: n.Break) -> Flow:
    return BREAK


def continue_(it: Any, fr: Frame, s: n.Continue) -> Flow:
    return CONTINUE


def delete(it: Any, fr: Frame, s: n.Delete) -> None:
    for target in s.targets:
        kind = type(target)
        if kind is n.Name:
            delete_name(it, fr, target.id)  # type: ignore[union-attr]
        elif kind is n.Attr:
            it.delattr(it.eval(fr, target.value), target.attr)  # type: ignore[union-attr]
        elif kind is n.Subscript:
            it.delitem(it.eval(fr, target.value), it.eval(fr, target.index))  # type: ignore[union-attr]
        elif kind is n.Tuple or kind is n.List:
            delete(it, fr, n.Delete(s.pos, target.elts))  # type: ignore[union-attr]


def global_(it: Any, fr: Frame, s: n.Global) -> None:
    fr.globals_ = fr.globals_ | frozenset(s.names)


def nonlocal_(it: Any, fr: Frame, s: n.Nonlocal) -> None:
    fr.nonlocals = fr.nonlocals | frozenset(s.names)


def function_def(it: Any, fr: Frame, s: n.FunctionDef) -> None:
    value = it.make_function(fr, s, s.name)
    for decorator in reversed(s.decorators):
        function = it.eval(fr, decorator)
        fr.pos = decorator.pos
        value = it.call(function, [value], {})
    store_name(it, fr, s.name, value)


def type_alias(it: Any, fr: Frame, s: n.TypeAliasStmt) -> None:
    store_name(it, fr, s.name, V(Unknown("a type alias", "type")))


SIMPLE: dict[type, Any] = {
    n.ExprStmt: expr_stmt, n.Assign: assign, n.AnnAssign: ann_assign, n.AugAssign: aug_assign,
    n.Return: return_, n.Raise: raise_, n.Assert: assert_, n.If: if_, n.Pass: pass_,
    n.Break: break_, n.Continue: continue_, n.Delete: delete, n.Global: global_,
    n.Nonlocal: nonlocal_, n.FunctionDef: function_def, n.TypeAliasStmt: type_alias,
}  # fmt: skip
