"""Arithmetic, comparisons and other element-wise functions of tensors."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, argument
from mlapath.models.array_broadcast import broadcast
from mlapath.models.array_dtype import fit
from mlapath.models.array_index import values_for
from mlapath.models.array_math import (
    FLOAT_UNARY,
    UNARY,
    binary,
    dtype_value,
    float_unary,
    invert,
    result_name,
    unary,
)
from mlapath.models.array_value import dims_of, is_array, items_of, known_dims, like, name_of
from mlapath.models.tensor_arguments import in_place, method, operand, tensor
from mlapath.values.truth import Truth
from mlapath.values.value import External, Union, Unknown, V

BINARY = {
    "add": "+", "sub": "-", "subtract": "-", "mul": "*", "multiply": "*", "div": "/",
    "true_divide": "/", "divide": "/", "floor_divide": "//", "remainder": "%", "pow": "**",
    "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^", "bitwise_left_shift": "<<",
    "bitwise_right_shift": ">>", "maximum": "max", "minimum": "min", "eq": "==", "ne": "!=",
    "not_equal": "!=", "lt": "<", "less": "<", "le": "<=", "less_equal": "<=", "gt": ">",
    "greater": ">", "ge": ">=", "greater_equal": ">=",
}  # fmt: skip
OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%",
    "pow": "**", "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
}  # fmt: skip
COMPARE = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
NOT_IMPLEMENTED = V(External("NotImplemented"))


def _accepts(value: V) -> bool:
    d = value.d
    return is_array(value) or type(d) in (bool, int, float, complex, Unknown, Union) or (
        hasattr(d, "payload") and type(d.payload) in (bool, int, float)
    )  # fmt: skip


def _operator(op: str, *, swapped: bool = False) -> Fn:
    def summary(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        base, other = args[0], args[1]
        if not _accepts(other):
            return NOT_IMPLEMENTED
        other = operand(it, other)
        return binary(it, op, other, base) if swapped else binary(it, op, base, other)

    return summary


def _comparison(op: str) -> Fn:
    def summary(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        if not _accepts(args[1]):
            return NOT_IMPLEMENTED
        return binary(it, op, args[0], operand(it, args[1]))

    return summary


def _function(op: str) -> Fn:
    def summary(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
        other = operand(it, argument(args, kwargs, 0, "other") or kwargs.get("exponent") or V(1))
        alpha = kwargs.get("alpha")
        if alpha is not None and alpha.d != 1:
            other = (
                binary(it, "*", other, alpha) if is_array(other) else it.binop("*", other, alpha)
            )
        mode = kwargs.get("rounding_mode")
        if op == "/" and mode is not None and mode.d is not None:
            return (
                binary(it, "//", base, other) if mode.d == "floor" else _truncated(it, base, other)
            )
        return binary(it, op, base, other)

    return method(summary)


def _truncated(it: Any, base: V, other: V) -> V:
    """Division rounded toward zero: as floor division where nothing is negative."""
    floored = binary(it, "//", base, other)
    items = [x.d for v in (base, other)
             for x in ((items_of(v) or [V(None)]) if is_array(v) else [v])]  # fmt: skip
    if all(type(x) in (int, float) and x >= 0 for x in items):
        return floored
    return like(it, base, dims_of(floored), dtype_value(it, base, name_of(floored)))


def _unary(op: str) -> Fn:
    return method(lambda it, base, args, kwargs: unary(it, op, base))


def _reflected_unary(op: str) -> Fn:
    return lambda it, args, kwargs: unary(it, op, args[0])


def _float(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return float_unary(it, base)


def _clamp(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    low = argument(args, kwargs, 0, "min")
    high = argument(args, kwargs, 1, "max")
    made = base
    if low is not None and low.d is not None:
        made = binary(it, "max", made, operand(it, low))
    if high is not None and high.d is not None:
        made = binary(it, "min", made, operand(it, high))
    return made


def _logical(op: str) -> Fn:
    def summary(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
        other = tensor(it, argument(args, kwargs, 0, "other") or V(False))
        return binary(it, op, _boolean(it, base), _boolean(it, other))

    return method(summary)


def _boolean(it: Any, base: V) -> V:
    return binary(it, "!=", base, V(0))


def where(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``where(condition, a, b)``, element by element."""
    condition = tensor(it, args[0])
    a, b = (operand(it, v) for v in args[1:3])
    dims = broadcast(it, [dims_of(v) if is_array(v) else () for v in (condition, a, b)])
    base = next((v for v in (a, b) if is_array(v)), condition)
    if not is_array(a) and not is_array(b):
        name = {"bool": "bool", "int": "int64"}.get(type(a.d).__name__, "float32")
    else:
        name = result_name(it, a, b) or ""
    ints = known_dims(dims)
    columns = None if ints is None else [values_for(it, v, ints) for v in (condition, a, b)]
    items: list[V] | None = None
    if columns is not None and all(c is not None for c in columns) and name:
        items = [fit(_choose(it, c, x, y), name)
                 for c, x, y in zip(*columns, strict=True)]  # fmt: skip
    return like(it, base, dims, dtype_value(it, base, name or None), items)


def _choose(it: Any, condition: V, a: V, b: V) -> V:
    truth = it.truth(condition)
    if truth is Truth.UNKNOWN:
        joined: V = it.union([a, b])
        return joined if type(joined.d) is not Union else V(Unknown("one of two elements"))
    return a if truth is Truth.TRUE else b


def _where_method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return where(it, [args[1], args[0], *args[2:]], kwargs)


def masked_fill(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``masked_fill(mask, value)``."""
    mask = argument(args, kwargs, 0, "mask") or V(Unknown("a mask"))
    value = argument(args, kwargs, 1, "value") or V(0)
    made = where(it, [mask, value, base], {})
    return like(it, base, dims_of(base), items=items_of(made))


def invert_method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return invert(it, args[0], logical=False)


def _logical_not(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return invert(it, base, logical=True)


def _test(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return like(it, base, dims_of(base), dtype_value(it, base, "bool"))


def _special(names: str) -> dict[str, Fn]:
    return {name: method(_float) for name in names.split()}


FUNCTIONS: dict[str, Fn] = {
    **{name: _function(op) for name, op in BINARY.items()},
    **{name: _unary(name) for name in UNARY},
    **{name: method(_float) for name in FLOAT_UNARY},
    "clamp": method(_clamp), "clip": method(_clamp),
    "clamp_min": method(_clamp),
    "clamp_max": method(lambda it, b, a, k: _clamp(it, b, [V(None), *a], {
        ("max" if n == "max" else n): v for n, v in k.items()})),
    "logical_and": _logical("&"), "logical_or": _logical("|"), "logical_xor": _logical("^"),
    "logical_not": method(_logical_not), "bitwise_not": invert_method,
    "masked_fill": method(masked_fill),
    **_special("relu softplus silu gelu"),
    **{name: method(_test) for name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf")},
}  # fmt: skip
METHODS: dict[str, Fn] = {
    **FUNCTIONS,
    **{f"__{name}__": _operator(op) for name, op in OPERATORS.items()},
    **{f"__r{name}__": _operator(op, swapped=True) for name, op in OPERATORS.items()},
    **{f"__i{name}__": in_place(_operator(op)) for name, op in OPERATORS.items()},
    **{f"__{name}__": _comparison(op) for name, op in COMPARE.items()},
    **{f"{name}_": in_place(fn) for name, fn in FUNCTIONS.items()},
    "__neg__": _reflected_unary("neg"), "__pos__": _reflected_unary("positive"),
    "__abs__": _reflected_unary("abs"), "__invert__": invert_method, "where": _where_method,
}  # fmt: skip
