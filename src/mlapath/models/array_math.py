"""Element by element: arithmetic, comparisons and conversions of arrays, contents included."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from mlapath.models.array_broadcast import broadcast, broadcast_items
from mlapath.models.array_dtype import DTYPES, fit_all, promote, with_scalar
from mlapath.models.array_layout import inherit
from mlapath.models.array_value import (
    dims_of,
    dtype_name,
    is_array,
    items_of,
    known_dims,
    like,
    name_of,
)
from mlapath.values.objects import Instance
from mlapath.values.origin import merge
from mlapath.values.value import External, Union, Unknown, V

ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
    "%": operator.mod, "/": operator.truediv, "**": operator.pow, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
    "max": max, "min": min,
}  # fmt: skip
COMPARISON: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
MAX_UNKNOWN = 1024
"""Contents with unknown items are followed up to this length."""
MAX_SHIFT = 64


def default_float(it: Any, base: V) -> str:
    """The float type that integers are promoted to."""
    if library_of(base) == "numpy":
        return "float64"
    default = it.store.get("torch state", {}).get("default_dtype")
    return dtype_name(default) or "float32"


def library_of(base: V) -> str:
    """``torch`` or ``numpy``."""
    full = next(c.facts["array"] for c in base.d.cls.mro if "array" in c.facts)
    return str(full.partition(".")[0])


def dtype_value(it: Any, base: V, name: str | None) -> V:
    """The element type ``name`` as the library of ``base`` has it."""
    if name is None:
        return V(Unknown("the type of an unknown tensor", "object"))
    if library_of(base) == "numpy":
        found: V | None = it.models.symbol(it, f"numpy.{'bool' if name == 'bool' else name}")
        return found if found is not None else V(Unknown("a numpy type", "type"))
    return V(External(f"torch.{name}"))


def scalar(value: V) -> V:
    """A number, unwrapped from an instance of a subclass of int or the like."""
    d = value.d
    if type(d) is Instance and type(d.payload) in (bool, int, float):
        return V(d.payload, value.o)
    return value


def scalar_type(value: V) -> str:
    """``bool int float complex`` of a Python number, "" where it is not known."""
    d = value.d
    if type(d) is Unknown:
        return d.hint if d.hint in ("bool", "int", "float") else ""
    return type(d).__name__ if type(d) in (bool, int, float, complex) else ""


def result_name(it: Any, a: V, b: V) -> str | None:
    """The element type of ``a op b``."""
    base = a if is_array(a) else b
    if is_array(a) and is_array(b):
        x, y = name_of(a), name_of(b)
        if x is None or y is None:
            return x if x == y else None
        if library_of(base) == "torch":
            ranks = [dims_of(v) != () for v in (a, b)]
            if ranks[0] != ranks[1]:
                wide, narrow = (x, y) if ranks[0] else (y, x)
                if _order(wide) >= _order(narrow):
                    return wide
        return promote(x, y)
    name = name_of(base)
    kind = scalar_type(scalar(b if base is a else a))
    if name is None or not kind:
        return None
    return with_scalar(name, kind, default_float(it, base))


def _order(name: str) -> int:
    return {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}[DTYPES[name].kind]


def binary(it: Any, op: str, a: V, b: V) -> V:
    """``a op b`` of arrays and numbers, as a new array."""
    base = a if is_array(a) else b
    name = "bool" if op in COMPARISON else result_name(it, a, b)
    if op == "/" and name is not None and DTYPES[name].kind not in "fc":
        name = default_float(it, base)
    if any(not is_array(v) and type(v.d) in (Unknown, Union) and not scalar_type(v)
           for v in (a, b)):  # fmt: skip
        return like(it, base, None, dtype_value(it, base, name), origin=merge(a.o, b.o))
    dims = broadcast(it, [dims_of(v) if is_array(v) else () for v in (a, b)])
    items = _binary_items(it, op, a, b, dims)
    if items is not None and name is not None:
        items = fit_all(items, name)
    made = like(it, base, dims, dtype_value(it, base, name),
                None if name is None else items, merge(a.o, b.o))  # fmt: skip
    return inherit(it, made, [v for v in (a, b) if is_array(v)])


def _binary_items(it: Any, op: str, a: V, b: V, dims: Sequence[V] | None) -> list[V] | None:
    ints = known_dims(dims)
    if ints is None:
        return None
    columns: list[list[V]] = []
    for value in (a, b):
        own = known_dims(dims_of(value)) if is_array(value) else ()
        items = items_of(value) if is_array(value) else [scalar(value)]
        spread = None if items is None or own is None else broadcast_items(items, own, ints)
        if spread is None:
            return None
        columns.append(spread)
    return combine(it, op, columns[0], columns[1])


def combine(it: Any, op: str, xs: Sequence[V], ys: Sequence[V]) -> list[V] | None:
    """The items of ``x op y``; None where there are too many that are not known."""
    fn = ARITHMETIC.get(op) or COMPARISON[op]
    plain = (bool, int, float)
    unknown = sum(type(x.d) not in plain or type(y.d) not in plain
                  for x, y in zip(xs, ys, strict=True))  # fmt: skip
    if unknown > MAX_UNKNOWN:
        return None
    out: list[V] = []
    for x, y in zip(xs, ys, strict=True):
        if type(x.d) in plain and type(y.d) in plain:
            out.append(_concrete(fn, op, x, y))
        elif op in COMPARISON:
            out.append(it.compare(op, x, y))
        elif op in ("max", "min"):
            out.append(it.call(it.builtins[op], [x, y], {}))
        elif op in ("&", "|", "^"):
            out.append(V(Unknown("a bitwise operation", "bool"
                                 if {_hint(x), _hint(y)} == {"bool"} else "int")))  # fmt: skip
        else:
            out.append(it.binop(op, x, y))
    return out


def _hint(value: V) -> str:
    return value.d.hint if type(value.d) is Unknown else type(value.d).__name__


def _concrete(fn: Callable[[Any, Any], Any], op: str, x: V, y: V) -> V:
    if op in ("<<", ">>", "**") and abs(y.d) > MAX_SHIFT:
        return V(Unknown("an operation with a large operand"))
    try:
        value = fn(x.d, y.d)
    except (ArithmeticError, TypeError, ValueError):
        if op == "/" and type(x.d) in (int, float) and x.d > 0 and str(y.d) in ("0", "0.0"):
            return V(math.inf)
        return V(Unknown("an operation without a result"))
    return V(value) if type(value) in (bool, int, float) else V(Unknown("a complex number"))


UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg, "negative": operator.neg, "abs": abs, "absolute": abs,
    "positive": operator.pos, "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)), "trunc": lambda x: float(math.trunc(x)),
    "round": lambda x: float(round(x)), "square": lambda x: x * x,
    "sign": lambda x: (x > 0) - (x < 0),
}  # fmt: skip
FLOAT_UNARY = (
    "sqrt", "rsqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan",
    "tanh", "sigmoid", "reciprocal", "erf", "asin", "acos", "atan", "sinh", "cosh", "logit",
)  # fmt: skip


def unary(it: Any, op: str, base: V) -> V:
    """An operation on each element that keeps the type."""
    name, items, fn = name_of(base), items_of(base), UNARY[op]
    out: list[V] | None = None
    if items is not None and name is not None:
        whole = DTYPES[name].kind in "biu" and op in ("floor", "ceil", "trunc", "round")
        out = items if whole else fit_all([_apply(fn, x) for x in items], name)
    return inherit(it, like(it, base, dims_of(base), items=out), [base])


def _apply(fn: Callable[[Any], Any], x: V) -> V:
    if type(x.d) not in (bool, int, float):
        return V(Unknown("an operation on an unknown element"))
    try:
        return V(fn(x.d), x.o)
    except (ArithmeticError, ValueError, TypeError):
        return V(Unknown("an operation without a result"))


def float_unary(it: Any, base: V) -> V:
    """An operation on each element whose result is a float and is not followed."""
    name = name_of(base)
    if name is not None and DTYPES[name].kind not in "fc":
        name = default_float(it, base)
    return inherit(it, like(it, base, dims_of(base), dtype_value(it, base, name)), [base])


def invert(it: Any, base: V, *, logical: bool) -> V:
    """``~a``, or ``logical_not``."""
    name, items = name_of(base), items_of(base)
    boolean = logical or name == "bool"
    out: list[V] | None = None
    if items is not None:
        out = []
        for x in items:
            if boolean:
                out.append(it.unary("not", x))
            else:
                out.append(
                    V(~x.d) if type(x.d) is int else V(Unknown("an inverted number", "int"))
                )
    return like(it, base, dims_of(base), dtype_value(it, base, "bool" if boolean else name), out)


def cast(it: Any, base: V, name: str | None, dtype: V) -> V:
    """The same elements in another type, copied."""
    items = items_of(base)
    out = None if items is None or name is None else fit_all(items, name)
    return inherit(it, like(it, base, dims_of(base), dtype, out), [base])
