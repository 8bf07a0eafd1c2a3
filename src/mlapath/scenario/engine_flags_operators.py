"""Operators over plain values and ``typing`` forms."""

from __future__ import annotations

import operator
import typing
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from mlapath.scenario.engine_flags_values import CannotReadError, Foreign, Unread

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_walker import Walker

MAX_EXPONENT = 1024
MAX_LENGTH = 1_000_000

BINARY: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "+": operator.add,
        "-": operator.sub,
        "*": operator.mul,
        "/": operator.truediv,
        "//": operator.floordiv,
        "%": operator.mod,
        "**": operator.pow,
        "<<": operator.lshift,
        ">>": operator.rshift,
        "|": operator.or_,
        "&": operator.and_,
        "^": operator.xor,
    }
)
IN_PLACE: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {"+": operator.iadd, "|": operator.ior, "&": operator.iand, "-": operator.isub}
)
_COMPARE: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
        "is": operator.is_,
        "is not": operator.is_not,
        "in": lambda left, right: left in right,
        "not in": lambda left, right: left not in right,
    }
)
_UNARY: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {"not": operator.not_, "-": operator.neg, "+": operator.pos, "~": operator.invert}
)


def binary(walker: Walker, op: str, left: Any, right: Any, *, in_place: bool = False) -> Any:
    """``left op right``; the unions of annotations included."""
    unread = first_unread(left, right)
    if unread is not None:
        return unread
    if op == "|":
        left, right = as_hint(walker, left), as_hint(walker, right)
    _refuse_size(op, left, right)
    function = IN_PLACE.get(op) if in_place else None
    function = function or BINARY.get(op)
    if function is None:
        raise CannotReadError(f"the operator {op} is not read")
    return function(left, right)


def unary(op: str, value: Any) -> Any:
    """``op value``."""
    return value if isinstance(value, Unread) else _UNARY[op](value)


def compare(op: str, left: Any, right: Any) -> Any:
    """One comparison."""
    unread = first_unread(left, right)
    return _COMPARE[op](left, right) if unread is None else unread


def subscript(walker: Walker, value: Any, index: Any) -> Any:
    """``value[index]``: an element, or a parametrised type."""
    unread = first_unread(value, index)
    if unread is not None:
        return unread
    if isinstance(value, Foreign) or walker.classes.info(value) is not None:
        return as_hint(walker, value)  # a generic class: its parameters do not matter here
    if isinstance(value, (str, bytes, list, tuple, dict)):
        return value[index]
    if isinstance(index, tuple):
        if value is typing.Annotated:
            index = (index[0], *(None for _ in index[1:]))  # what is said beside the type
        unread = first_unread(*index)
        index = tuple(as_hint(walker, part) for part in index)
    return value[as_hint(walker, index)] if unread is None else unread


def as_hint(walker: Walker, value: Any) -> Any:
    """A value as a part of an annotation: a library's class becomes a stand-in."""
    if isinstance(value, Foreign):
        return walker.classes.foreign(value.name)
    if isinstance(value, list):  # the parameters of a Callable
        return [as_hint(walker, part) for part in value]
    return value


def first_unread(*values: Any) -> Unread | None:
    """The first that is unread."""
    return next((value for value in values if isinstance(value, Unread)), None)


def _refuse_size(op: str, left: Any, right: Any) -> None:
    if op in ("**", "<<") and isinstance(right, int) and abs(right) > MAX_EXPONENT:
        raise CannotReadError(f"a number of that size is not computed: {op} {right}")
    if op == "*":
        for one, other in ((left, right), (right, left)):
            sized = isinstance(other, (str, bytes, list, tuple))
            if isinstance(one, int) and sized and one * len(other) > MAX_LENGTH:
                raise CannotReadError("a sequence of that size is not built")
