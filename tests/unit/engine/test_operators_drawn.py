"""Operators, comparisons and builtins on drawn values: CPython's answers, or what covers them.

Where all is known, the evaluator must give CPython's value or exception. Where an operand is only
known to be one of several values, or a number within bounds, its answer must cover CPython's.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from mlapath.engine.control import PyRaise
from mlapath.engine.interp import Engine
from mlapath.ir.lower import lower_module
from mlapath.models.libraries import LIBRARIES
from mlapath.models.registry import Models
from mlapath.resolve.program import Program
from mlapath.values.concrete import from_py
from mlapath.values.truth import Truth
from mlapath.values.union import union
from mlapath.values.value import Unknown, V
from soundness.cover import Cover
from support.differential import FakeFacts, Sources

Compute = Callable[..., Any]

ENGINE = Engine(Program([Sources({})], lower_module), Models(LIBRARIES), FakeFacts())
NUMBERS = st.one_of(
    st.integers(-4, 9), st.booleans(), st.sampled_from([10**30, -(2**63), 257]),
    st.sampled_from([0.0, -0.0, 0.5, -2.5, 1e300, float("inf"), float("-inf"), float("nan")]),
)  # fmt: skip
SCALARS = st.one_of(
    NUMBERS, NUMBERS, st.sampled_from(["", "a", "ab", "%s", "b", "10", b"", b"a", None, ..., 1j])
)
CONTAINERS = st.one_of(
    st.lists(SCALARS, max_size=3), st.lists(SCALARS, max_size=3).map(tuple),
    st.dictionaries(st.sampled_from(["a", "b", 1]), SCALARS, max_size=2),
    st.frozensets(st.sampled_from(["a", "b", 1, 2]), max_size=3),
    st.sets(st.sampled_from(["a", "b", 1, 2]), max_size=3), st.sampled_from([range(3), range(0)]),
)  # fmt: skip
OPERANDS = st.one_of(SCALARS, SCALARS, CONTAINERS)

BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "<<": operator.lshift,
    ">>": operator.rshift, "&": operator.and_, "|": operator.or_, "^": operator.xor,
    "@": operator.matmul,
}  # fmt: skip
COMPARED = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
    "!=": operator.ne, "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip
UNARY = {"-": operator.neg, "+": operator.pos, "~": operator.invert, "not": operator.not_}
OF_ONE = (abs, all, any, ascii, bin, bool, chr, float, frozenset, hex, int, len, list, max, min,
          oct, ord, range, repr, round, set, sorted, str, sum, tuple)  # fmt: skip
ORDERED = (list, tuple, repr, str, ascii)
"""What shows the order of a set, which differs from run to run."""
OF_TWO = (divmod, max, min, pow, range, round, sum)


def outcome(run: Callable[[], Any]) -> tuple[str, Any]:
    """What CPython does: a value, or the name of an exception."""
    try:
        return "value", run()
    except Exception as error:  # noqa: BLE001 - the answer
        return "raises", type(error).__name__


def answer(run: Callable[[], V]) -> tuple[str, Any]:
    """What the evaluator does."""
    try:
        return "value", run()
    except PyRaise as raised:
        return "raises", ENGINE.type_name(raised.exc)


def agree(real: tuple[str, Any], found: tuple[str, Any], *, known: bool) -> bool:
    """Whether the evaluator's answer is CPython's, or, where not all is known, allows for it."""
    if real[0] == "raises":
        return found == real or not known or found[0] == "value" and _is_open(found[1])
    return found[0] == "value" and Cover().covers(found[1], real[1], "")


def _is_open(value: V) -> bool:
    """Whether the answer is none: unknown, or a container of which nothing is known."""
    return type(value.d) is Unknown or bool(ENGINE.is_open(value))


def small(op: str, a: Any, b: Any) -> bool:
    """Whether CPython computes it in no time."""
    numbers = [abs(x) for x in (a, b) if isinstance(x, int)]
    return op not in ("**", "<<", "*") or all(x < 1000 for x in numbers)


@st.composite
def loose(draw: st.DrawFn, content: Any) -> V:
    """A value that stands for the content among others."""
    others = draw(st.lists(SCALARS, min_size=1, max_size=2))
    if type(content) in (int, float) and not math.isnan(content) and draw(st.booleans()):
        lo = draw(st.sampled_from([None, content, content - 1]))
        hi = draw(st.sampled_from([None, content, content + 1]))
        return V(Unknown("a number", type(content).__name__, lo=lo, hi=hi))
    if draw(st.integers(0, 4)) == 0:
        hint = type(content).__name__ if type(content) in (int, float, str, bool) else ""
        return V(Unknown("anything", hint))
    return union([from_py(ENGINE.heap, content), *map(V, others)])


@given(st.sampled_from(sorted(BINARY)), OPERANDS, OPERANDS)
@example("%", "%s", (1,))
@example("*", [1], True)
@example("|", {"a": 1}, {1})
def test_binary(op: str, a: Any, b: Any) -> None:
    assume(small(op, a, b))
    x, y = from_py(ENGINE.heap, a), from_py(ENGINE.heap, b)
    real = outcome(lambda: BINARY[op](a, b))
    assert agree(real, answer(lambda: ENGINE.binop(op, x, y)), known=True)


@given(st.data(), st.sampled_from(sorted(BINARY)), OPERANDS, OPERANDS)
def test_binary_with_operands_that_are_not_known(data: Any, op: str, a: Any, b: Any) -> None:
    assume(small(op, a, b))
    x, y = data.draw(loose(a)), data.draw(st.one_of(loose(b), st.just(from_py(ENGINE.heap, b))))
    real = outcome(lambda: BINARY[op](a, b))
    assert agree(real, answer(lambda: ENGINE.binop(op, x, y)), known=False)


@given(st.sampled_from(sorted(COMPARED)), OPERANDS, OPERANDS)
@example("==", {}, set())
@example("==", {1: 1}, {1})
@example("<", [1], 3)
@example("<", (1, "a"), (1, 2))
@example("in", 1, {1.0: 2})
def test_comparisons(op: str, a: Any, b: Any) -> None:
    x, y = from_py(ENGINE.heap, a), from_py(ENGINE.heap, b)
    real = outcome(lambda: COMPARED[op](a, b))
    assert agree(real, answer(lambda: ENGINE.compare(op, x, y)), known=True)


@given(st.data(), st.sampled_from(sorted(COMPARED)), OPERANDS, OPERANDS)
def test_comparisons_with_operands_that_are_not_known(
    data: Any, op: str, a: Any, b: Any
) -> None:  # fmt: skip
    x, y = data.draw(loose(a)), data.draw(st.one_of(loose(b), st.just(from_py(ENGINE.heap, b))))
    real = outcome(lambda: COMPARED[op](a, b))
    assert agree(real, answer(lambda: ENGINE.compare(op, x, y)), known=False)


@given(st.data(), st.sampled_from(sorted(UNARY)), OPERANDS)
def test_unary(data: Any, op: str, a: Any) -> None:
    real = outcome(lambda: UNARY[op](a))
    known = from_py(ENGINE.heap, a)
    assert agree(real, answer(lambda: ENGINE.unary(op, known)), known=True)
    assert agree(real, answer(lambda: ENGINE.unary(op, data.draw(loose(a)))), known=False)


@given(st.data(), OPERANDS)
def test_truth(data: Any, a: Any) -> None:
    assert ENGINE.truth(from_py(ENGINE.heap, a)) is Truth.of(bool(a))
    assert ENGINE.truth(data.draw(loose(a))) in (Truth.of(bool(a)), Truth.UNKNOWN)


@given(OPERANDS, OPERANDS)
@example("abc", 1.0)
@example((1, 2), True)
@example([1, 2], -3)
@example({"a": 1}, "c")
def test_items(a: Any, index: Any) -> None:
    x, y = from_py(ENGINE.heap, a), from_py(ENGINE.heap, index)
    real = outcome(lambda: a[index])
    assert agree(real, answer(lambda: ENGINE.getitem(x, y)), known=True)


def called(function: Callable[..., Any], *args: Any) -> bool:
    """Whether the evaluator and CPython agree on a call of a builtin."""
    values = [from_py(ENGINE.heap, x) for x in args]
    real = outcome(lambda: function(*args))
    found = answer(lambda: ENGINE.call(ENGINE.builtins[function.__name__], values, {}))
    return agree(real, found, known=True)


@pytest.mark.parametrize("function", OF_ONE, ids=lambda function: function.__name__)
@given(OPERANDS)
def test_builtins_of_one_argument(function: Callable[..., Any], a: Any) -> None:
    assume(not (function is range and isinstance(a, int) and a > 1000))
    assume(not (isinstance(a, (set, frozenset)) and len(a) > 1 and function in ORDERED))
    assert called(function, a)


@pytest.mark.parametrize("function", OF_TWO, ids=lambda function: function.__name__)
@given(OPERANDS, OPERANDS)
def test_builtins_of_two_arguments(function: Callable[..., Any], a: Any, b: Any) -> None:
    assume(not any(isinstance(x, int) and abs(x) > 1000 for x in (a, b)))
    assert called(function, a, b)
