"""Reductions, scans and orderings as methods and functions of tensors."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, argument
from mlapath.models.array_math import binary, dtype_value
from mlapath.models.array_reduce import axes_of, cumsum, order, reduce
from mlapath.models.array_shape import axis_of
from mlapath.models.array_value import (
    dimension,
    dims_of,
    dtype_name,
    is_array,
    items_of,
    known_dims,
    like,
)
from mlapath.models.tensor_arguments import method, named_result, operand, tensor, truth
from mlapath.values.value import V

REDUCTIONS = ("sum", "prod", "mean", "amax", "amin", "any", "all", "argmax", "argmin",
              "count_nonzero", "std", "var", "norm", "logsumexp", "nansum", "nanmean")  # fmt: skip


def _reduction(op: str) -> Fn:
    def fn(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
        dim = kwargs.get("dim") or kwargs.get("axis")
        if dim is None and args and op not in ("norm", "std", "var"):
            dim = args[0]
        keep = argument(args, kwargs, 1, "keepdim")
        return reduce(it, op, base, _dims(it, dim), keepdim=bool(truth(it, keep)),
                      dtype=dtype_name(kwargs.get("dtype")))  # fmt: skip

    return method(fn)


def _dims(it: Any, dim: V | None) -> V | None:
    if dim is None or type(dim.d) in (int, type(None)):
        return dim
    parts = it.iterate(dim)
    return dim if parts is None else V(tuple(parts))


def _extreme(op: str) -> Fn:
    """``max`` and ``min``: of all, along a dimension (values and indices), or of two tensors."""

    def fn(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
        other = argument(args, kwargs, 0, "other")
        if other is not None and is_array(other):
            return binary(it, op, base, operand(it, other))
        dim = argument(args, kwargs, 0, "dim") or kwargs.get("axis")
        if dim is None or dim.d is None:
            return reduce(it, op, base)
        keep = bool(truth(it, argument(args, kwargs, 1, "keepdim")))
        values = reduce(it, op, base, dim, keepdim=keep)
        indices = reduce(it, f"arg{op}", base, dim, keepdim=keep)
        return named_result(it, op, {"values": values, "indices": indices})

    return method(fn)


def _cumulative(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dim = argument(args, kwargs, 0, "dim") or kwargs.get("axis")
    return cumsum(it, base, dim, dtype_name(kwargs.get("dtype")))


def _unfollowed(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return like(it, base, dims_of(base))


def sort(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``sort(dim, descending)``: values and indices."""
    values, indices = _sorted(it, base, args, kwargs)
    return named_result(it, "sort", {"values": values, "indices": indices})


def argsort(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return _sorted(it, base, args, kwargs)[1]


def _sorted(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> tuple[V, V]:
    axes = axes_of(dims_of(base), argument(args, kwargs, 0, "dim", V(-1)))
    falling = truth(it, argument(args, kwargs, 1, "descending"))
    found = None
    if axes is not None and len(axes) == 1 and falling is not None:
        found = order(it, base, axes[0], descending=falling)
    values, places = found if found is not None else (None, None)
    return (like(it, base, dims_of(base), items=values),
            like(it, base, dims_of(base), dtype_value(it, base, "int64"), places))  # fmt: skip


def topk(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``topk(k, dim)``: the shapes, and the values where they are known."""
    k = argument(args, kwargs, 0, "k") or V(1)
    dims = dims_of(base)
    axis = axis_of(it, dims, argument(args, kwargs, 1, "dim", V(-1)) or V(-1))
    out = None
    if dims is not None and axis is not None:
        out = [k if i == axis else d for i, d in enumerate(dims)]
    integers = dtype_value(it, base, "int64")
    return named_result(it, "topk", {"values": like(it, base, out),
                                     "indices": like(it, base, out, integers)})  # fmt: skip


def diff(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``diff`` of neighbours along the last dimension."""
    dims = dims_of(base)
    axis = axis_of(it, dims, kwargs.get("dim") or kwargs.get("axis") or V(-1))
    ints, items = known_dims(dims), items_of(base)
    if dims is None or axis is None or args or not set(kwargs) <= {"dim", "axis"}:
        return like(it, base, None)
    if ints is None or items is None or axis != len(dims) - 1:
        less = it.binop("-", dims[axis], V(1))
        low = less if type(less.d) is int else dimension("a difference's length")
        return like(it, base, [low if i == axis else d for i, d in enumerate(dims)])
    size = ints[-1]
    starts = [i for i in range(len(items)) if i % size < size - 1]
    first = like(it, base, [V(len(starts))], items=[items[i + 1] for i in starts])
    second = like(it, base, [V(len(starts))], items=[items[i] for i in starts])
    made = binary(it, "-", first, second)
    return like(it, base, [*dims[:-1], V(max(size - 1, 0))], items=items_of(made))


def equal(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``torch.equal``: one bool."""
    a, b = tensor(it, args[0]), tensor(it, args[1])
    x, y = known_dims(dims_of(a)), known_dims(dims_of(b))
    if x is not None and y is not None and x != y:
        return V(False)
    return reduce(it, "all", binary(it, "==", a, b)) if x == y and x is not None else V(
        like(it, a, []).d)  # fmt: skip


def equal_bool(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    result = equal(it, args, kwargs)
    if is_array(result):
        return it.call(it.getattr(result, "__bool__"), [], {})  # type: ignore[no-any-return]
    return result


FUNCTIONS: dict[str, Fn] = {
    **{name: _reduction(name) for name in REDUCTIONS},
    "max": _extreme("max"), "min": _extreme("min"), "cumsum": method(_cumulative),
    **{name: method(_unfollowed) for name in (
        "cumprod", "softmax", "log_softmax", "flip", "roll", "triu", "tril", "nan_to_num",
        "renorm", "fft", "cummax_values", "dropout")},
    "sort": method(sort), "argsort": method(argsort), "topk": method(topk), "diff": method(diff),
    "equal": equal_bool,
}  # fmt: skip
METHODS = FUNCTIONS
