"""Calling the program's validators: what they raise becomes a fault of the input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import make_class
from mlapath.models.class_tools import library_class
from mlapath.models.pydantic_context import Context, raise_error
from mlapath.models.pydantic_errors import Invalid, Line, lines_of
from mlapath.values.objects import BoundMethod, DictObj, FuncObj, Instance, Native
from mlapath.values.truth import Truth
from mlapath.values.value import V

Run = Callable[[V], V]
"""Validation of a value by what is inside a validator; raises Invalid."""

INFO = "pydantic_core.core_schema.ValidationInfo"


def guarded(ctx: Context, run: Callable[[], V], value: V) -> V:
    """``run()``; a ValueError or AssertionError of the program is a fault of ``value``."""
    it = ctx.it
    errors = V((it.builtins["ValueError"], it.builtins["AssertionError"]))
    result, raised = it.attempt_certain(run, errors)
    if raised is None:
        return result  # type: ignore[no-any-return]
    raise Invalid(*(lines_of(raised) or (_line(it, raised, value),)))


def _line(it: Any, raised: V, value: V) -> Line:
    text = it.message_of(raised)
    if it.isinstance(raised, it.builtins["AssertionError"]) is Truth.TRUE:
        return Line((), "assertion_error", f"Assertion failed, {text}", value, raised)
    return Line((), "value_error", f"Value error, {text}", value, raised)


def parameter_count(function: V) -> int | None:
    """How many arguments a validator takes beside ``cls`` or ``self``; None: not known."""
    d = function.d
    if type(d) is BoundMethod:
        inner = parameter_count(d.func if isinstance(d.func, V) else V(d.func))
        return None if inner is None else inner - 1
    if type(d) is FuncObj:
        params = d.node.params
        given = [*params.posonly, *params.args]
        return sum(p.default is None for p in given)
    return None


def info_class(it: Any) -> V:
    """``ValidationInfo``."""
    return V(make_class(it, INFO))


def make_info(it: Any, data: DictObj | None, name: str | None) -> V:
    """A ``ValidationInfo``: ``data`` holds the fields validated before."""
    made = Instance(library_class(it, INFO), it.heap.cell())
    made.attrs.update({
        "data": V(it.heap.dict() if data is None else data), "field_name": V(name),
        "context": V(None), "mode": V("python"), "config": V(None),
    })  # fmt: skip
    return V(made)


def wrapped(ctx: Context, mode: str, function: V, info: V, inner: Run, title: str) -> Run:
    """``inner`` with a validator around it: ``before after plain wrap``."""
    it = ctx.it
    takes = parameter_count(function)
    first = 2 if mode == "wrap" else 1
    extra = [info] if takes is not None and takes > first else []

    def ask(*args: V) -> V:
        result: V = it.call(function, [*args, *extra], {})
        return result

    def handler(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        try:
            return inner(args[0])
        except Invalid as error:
            raise_error(it, title, error.lines)
            raise AssertionError("unreachable") from error

    def run(value: V) -> V:
        if mode == "before":
            return inner(guarded(ctx, lambda: ask(value), value))
        if mode == "after":
            valid = inner(value)
            return guarded(ctx, lambda: ask(valid), value)
        if mode == "plain":
            return guarded(ctx, lambda: ask(value), value)
        native = V(Native("handler", handler))
        return guarded(ctx, lambda: ask(value, native), value)

    return run
