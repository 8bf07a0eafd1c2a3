"""Reductions, scans and orderings of arrays, contents included."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from mlapath.models.array_dtype import DTYPES, fit_all
from mlapath.models.array_math import MAX_UNKNOWN, default_float, dtype_value, library_of
from mlapath.models.array_value import (
    dimension,
    dims_of,
    items_of,
    known_dims,
    like,
    name_of,
    strides,
)
from mlapath.values.truth import Truth, both, either
from mlapath.values.value import FALSE, TRUE, Unknown, V

PLAIN = (bool, int, float)
KEEPS = ("max", "min", "amax", "amin", "median")
BOOLEAN = ("any", "all")
INDEX = ("argmax", "argmin", "count_nonzero")
FLOATS = ("mean", "std", "var", "norm", "logsumexp")


def axes_of(dims: Sequence[V] | None, dim: V | None) -> list[int] | None:
    """The axes that ``dim`` names, not negative; all of them where it is None. None: unknown."""
    if dims is None:
        return None
    if dim is None or dim.d is None:
        return list(range(len(dims)))
    parts = dim.d if type(dim.d) is tuple else (dim,)
    if any(type(p.d) is not int or not -len(dims) <= p.d < max(len(dims), 1) for p in parts):
        return None
    return [p.d % len(dims) if dims else 0 for p in parts]


def reduced_name(it: Any, op: str, base: V) -> str | None:
    """The element type of a reduction."""
    name = name_of(base)
    if op in BOOLEAN:
        return "bool"
    if op in INDEX:
        return "int64"
    if name is None or op in KEEPS:
        return name
    kind = DTYPES[name].kind
    if op in FLOATS:
        return default_float(it, base) if kind in "biu" else name
    if kind in "bi":
        return "int64"
    return {"torch": "int64", "numpy": "uint64"}[library_of(base)] if kind == "u" else name


def reduce(
    it: Any, op: str, base: V, dim: V | None = None, *, keepdim: bool = False,
    dtype: str | None = None,
) -> V:  # fmt: skip
    """``sum prod max min amax amin any all argmax argmin mean …`` along ``dim``."""
    dims = dims_of(base)
    name = dtype or reduced_name(it, op, base)
    axes = axes_of(dims, dim)
    if dims is None or axes is None:
        whole = dim is None or dim.d is None
        return like(it, base, [] if whole and not keepdim else None, dtype_value(it, base, name))
    out = [V(1) if i in axes else d for i, d in enumerate(dims) if keepdim or i not in axes]
    ints, items = known_dims(dims), items_of(base)
    result = None
    if ints is not None and items is not None and op in FOLDS:
        groups = grouped(items, ints, axes)
        result = [FOLDS[op](it, group) for group in groups]
        if name is not None:
            result = fit_all(result, name)
    return like(it, base, out, dtype_value(it, base, name), result)


def grouped(items: Sequence[V], ints: Sequence[int], axes: Sequence[int]) -> list[list[V]]:
    """The items that each element of a reduction folds, in C order."""
    steps = strides(ints)
    outer, inner = [0], [0]
    for axis, (size, step) in enumerate(zip(ints, steps, strict=True)):
        if axis in axes:
            inner = [p + i * step for p in inner for i in range(size)]
        else:
            outer = [p + i * step for p in outer for i in range(size)]
    return [[items[o + i] for i in inner] for o in outer]


def _known(group: Sequence[V]) -> bool:
    return all(type(x.d) in PLAIN for x in group)


def _fold_sum(it: Any, group: Sequence[V]) -> V:
    if _known(group):
        return V(sum(x.d for x in group))
    if len(group) > MAX_UNKNOWN:
        return V(Unknown("a sum of unknown elements", "int"))
    total = V(0)
    for x in group:
        total = it.binop("+", total, x)
    return total


def _fold_prod(it: Any, group: Sequence[V]) -> V:
    if _known(group):
        return V(math.prod(x.d for x in group))
    if len(group) > MAX_UNKNOWN:
        return V(Unknown("a product of unknown elements"))
    total = group[0]
    for x in group[1:]:
        total = it.binop("*", total, x)
    return total


def _extreme(name: str) -> Callable[[Any, Sequence[V]], V]:
    def fold(it: Any, group: Sequence[V]) -> V:
        if not group:
            it.throw("RuntimeError", f"{name}() of a tensor without elements")
        if _known(group):
            return V((max if name == "max" else min)(x.d for x in group))
        result: V = it.call(it.builtins[name], list(group), {}) if len(group) > 1 else group[0]
        return result

    return fold


def _arg(name: str) -> Callable[[Any, Sequence[V]], V]:
    def fold(it: Any, group: Sequence[V]) -> V:
        if group and _known(group):
            values = [x.d for x in group]
            return V(values.index(max(values) if name == "max" else min(values)))
        return V(Unknown(f"arg{name} of unknown elements", "int", lo=0, hi=max(len(group) - 1, 0)))

    return fold


def _quantifier(join: Callable[[Truth, Truth], Truth], start: Truth) -> Any:
    def fold(it: Any, group: Sequence[V]) -> V:
        out = start
        for x in group:
            out = join(out, it.truth(x))
        if out is Truth.UNKNOWN:
            return V(Unknown("any() or all() of unknown elements", "bool"))
        return TRUE if out is Truth.TRUE else FALSE

    return fold


def _fold_count(it: Any, group: Sequence[V]) -> V:
    truths = [it.truth(x) for x in group]
    sure = sum(t is Truth.TRUE for t in truths)
    maybe = sum(t is Truth.UNKNOWN for t in truths)
    if not maybe:
        return V(sure)
    return V(Unknown("a count of unknown elements", "int", lo=sure, hi=sure + maybe))


def _fold_mean(it: Any, group: Sequence[V]) -> V:
    if group and _known(group):
        return V(sum(x.d for x in group) / len(group))
    return V(Unknown("the mean of unknown elements", "float"))


FOLDS: dict[str, Callable[[Any, Sequence[V]], V]] = {
    "sum": _fold_sum, "prod": _fold_prod, "max": _extreme("max"), "min": _extreme("min"),
    "amax": _extreme("max"), "amin": _extreme("min"), "argmax": _arg("max"),
    "argmin": _arg("min"), "any": _quantifier(either, Truth.FALSE),
    "all": _quantifier(both, Truth.TRUE), "count_nonzero": _fold_count, "mean": _fold_mean,
}  # fmt: skip


def scan(it: Any, base: V, axis: int | None, step: Callable[[V, V], V], name: str | None) -> V:
    """A running fold along an axis: ``cumsum`` and the like."""
    dims, items = dims_of(base), items_of(base)
    ints = known_dims(dims)
    out: list[V] | None = None
    if ints == ():
        out = None if items is None else list(items)  # the fold of a single number is itself
    elif ints is not None and items is not None and axis is not None and len(items) <= 1 << 14:
        out = list(items)
        stride = strides(ints)[axis]
        for position in range(len(items)):
            if (position // stride) % ints[axis]:
                out[position] = step(out[position - stride], items[position])
    if out is not None and name is not None:
        out = fit_all(out, name)
    return like(it, base, dims, dtype_value(it, base, name), out)


def cumsum(it: Any, base: V, dim: V | None, dtype: str | None = None) -> V:
    """``cumsum(dim)``."""
    axes = axes_of(dims_of(base), dim)
    axis = axes[0] if axes is not None and len(axes) == 1 else None

    def add(x: V, y: V) -> V:
        if type(x.d) in PLAIN and type(y.d) in PLAIN:
            return V(x.d + y.d)
        result: V = it.binop("+", x, y)
        return result

    return scan(it, base, axis, add, dtype or reduced_name(it, "sum", base))


def order(it: Any, base: V, axis: int, *, descending: bool) -> tuple[list[V], list[V]] | None:
    """(sorted items, their old places) along an axis; None where they are not known."""
    ints, items = known_dims(dims_of(base)), items_of(base)
    if ints is None or items is None or not _known(items):
        return None
    if not ints:
        return list(items), [V(0)]
    stride, size = strides(ints)[axis], ints[axis]
    values, places = list(items), [V(0)] * len(items)
    for start in range(len(items)):
        if (start // stride) % size == 0:
            row = [start + i * stride for i in range(size)]
            ranked = sorted(range(size), key=lambda i: items[row[i]].d, reverse=descending)
            for target, i in zip(row, ranked, strict=True):
                values[target], places[target] = items[row[i]], V(i)
    return values, places


def nonzero_rows(it: Any, base: V) -> tuple[list[tuple[int, ...]] | None, V]:
    """(coordinates of the true elements or None, how many they are)."""
    ints, items = known_dims(dims_of(base)), items_of(base)
    if ints is not None and items is not None and _known(items):
        steps = strides(ints)
        rows = [tuple(i // s % n for s, n in zip(steps, ints, strict=True))
                for i, x in enumerate(items) if x.d]  # fmt: skip
        return rows, V(len(rows))
    high = math.prod(ints) if ints is not None else None
    return None, dimension("the number of true elements", hi=high)
