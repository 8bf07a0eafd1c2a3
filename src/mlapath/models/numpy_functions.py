"""Functions of numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models import (
    array_reduce,
    tensor_arith,
    tensor_convert,
    tensor_reduce,
    tensor_select,
    tensor_views,
    torch_create,
)
from mlapath.models.api import Fn, argument
from mlapath.models.array_math import binary, cast, invert
from mlapath.models.array_shape import shape_argument
from mlapath.models.array_value import (
    blank,
    dimension,
    dims_of,
    dtype_name,
    dtype_of,
    is_array,
    items_of,
    like,
    new,
    size_of,
)
from mlapath.models.numpy_array import (
    REDUCTIONS,
    asarray,
    inferred,
    ndarray,
    reduction,
    scalar,
    unknown_dtype,
)
from mlapath.models.numpy_types import dtype_symbol
from mlapath.models.tensor_arguments import finish
from mlapath.values.objects import Native
from mlapath.values.value import NONE, Unknown, V

BINARY = {
    **{k: v for k, v in tensor_arith.BINARY.items() if k not in ("eq", "ne", "lt", "le", "gt",
                                                                 "ge", "sub", "mul", "div")},
    "equal": "==", "power": "**", "mod": "%", "left_shift": "<<", "right_shift": ">>",
}  # fmt: skip
UNARY = ("negative", "abs", "absolute", "floor", "ceil", "sign", "square", "sqrt", "exp", "log",
         "log2", "sin", "cos", "tanh", "isnan", "isinf", "round")  # fmt: skip


def _numpy(value: V | None) -> V | None:
    return None if value is None or value.d is None else value


def _dtype(it: Any, args: list[V], kwargs: dict[str, V], place: int, default: str | None) -> V:
    given = _numpy(argument(args, kwargs, place, "dtype"))
    if given is None and default is not None:
        found: V = it.models.symbol(it, f"numpy.{default}")
        return found
    return dtype_symbol(it, given) or unknown_dtype()


def _filled(fill: int | None) -> Fn:
    """``zeros ones empty``."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        dims = shape_argument(it, [argument(args, kwargs, 0, "shape") or NONE])
        dtype = _dtype(it, args, kwargs, 1, "float64")
        return blank(it, ndarray(it), dims, dtype, None, None if fill is None else V(fill),
                     args[0].o if args else None)  # fmt: skip

    return fn


def full(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    value = argument(args, kwargs, 1, "fill_value") or V(Unknown("a fill"))
    dims = shape_argument(it, [argument(args, kwargs, 0, "shape") or NONE])
    given = _numpy(argument(args, kwargs, 2, "dtype"))
    dtype = inferred(it, [value]) if given is None else dtype_symbol(it, given) or unknown_dtype()
    made = blank(it, ndarray(it), dims, dtype, None, None, value.o)
    tensor_convert.fill_(it, [made, value], {})
    return made


def _like(fill: int | None) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        base = asarray(it, args[0])
        given = _numpy(argument(args, kwargs, 1, "dtype"))
        dtype = dtype_of(base) if given is None else dtype_symbol(it, given) or unknown_dtype()
        made = None if fill is None else V(fill)
        return blank(it, ndarray(it), dims_of(base), dtype, None, made, base.o)

    return fn


def array(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``array``: a copy."""
    given = _numpy(argument(args, kwargs, 1, "dtype"))
    dtype = None if given is None else dtype_symbol(it, given) or unknown_dtype()
    source = argument(args, kwargs, 0, "object") or V(Unknown("an array"))
    made = asarray(it, source, dtype)
    return tensor_convert.clone(it, made, [], {}) if made.d is source.d else made


def as_array(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    given = _numpy(argument(args, kwargs, 1, "dtype"))
    return asarray(it, args[0], None if given is None else dtype_symbol(it, given))


def arange(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``arange(start, stop, step, dtype)``."""
    given = _numpy(argument(args, kwargs, 3, "dtype"))
    named = {"end" if k == "stop" else k: v for k, v in kwargs.items()
             if k in ("start", "stop", "step")}  # fmt: skip
    made = torch_create.arange(it, args[:3], named)
    items = items_of(made)
    dtype = inferred(it, items or args[:1]) if given is None else dtype_symbol(it, given)
    base = new(it, ndarray(it), dims_of(made), dtype or unknown_dtype(), items=items,
               origin=made.o)  # fmt: skip
    return base if dtype is None else cast(it, base, dtype_name(dtype), dtype)


def fromiter(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``fromiter(iterable, dtype)``."""
    dtype = _dtype(it, args, kwargs, 1, None)
    source = argument(args, kwargs, 0, "iter") or NONE
    found = it.iterate(source) if type(source.d) is not Unknown else None
    if found is None or it.is_open(source):
        return new(it, ndarray(it), [dimension("the length of an iterable")], dtype)
    return asarray(it, V(tuple(found)), dtype)


def _binary(op: str) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        operands = [x if type(x.d) in (bool, int, float) else asarray(it, x) for x in args[:2]]
        if not any(is_array(x) for x in operands):
            operands[0] = asarray(it, operands[0])
        out = kwargs if len(args) < 3 else {**kwargs, "out": args[2]}
        return finish(it, scalar(it, binary(it, op, operands[0], operands[1])), out)

    return fn


def _unary(name: str) -> Fn:
    fn = tensor_arith.FUNCTIONS[name]
    return lambda it, args, kwargs: scalar(it, fn(it, [asarray(it, args[0]), *args[1:]], kwargs))


def _over(fn: Fn) -> Fn:
    """A function of tensors, on arrays."""
    return lambda it, args, kwargs: scalar(it, fn(it, [asarray(it, args[0]), *args[1:]], kwargs))


def _both(fn: Fn) -> Fn:
    """A function of two tensors, on arrays."""
    return lambda it, args, kwargs: scalar(
        it, fn(it, [asarray(it, args[0]), asarray(it, args[1]), *args[2:]], kwargs))  # fmt: skip


def _reduction(name: str) -> Fn:
    fn = reduction(name)
    return lambda it, args, kwargs: fn(it, [asarray(it, args[0]), *args[1:]], kwargs)


def _joined(fn: Fn) -> Fn:
    def summary(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        parts = it.iterate(args[0]) if type(args[0].d) is not Unknown else None
        if parts is None or it.is_open(args[0]) or not parts:
            return new(it, ndarray(it), None, unknown_dtype())
        arrays = V(tuple(asarray(it, p) for p in parts))
        return finish(it, fn(it, [arrays, *args[1:]], {k: v for k, v in kwargs.items()
                                                       if k == "axis"}), kwargs)  # fmt: skip

    return summary


def where(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    condition = asarray(it, args[0])
    if len(args) == 1:
        return tensor_select.nonzero(it, condition, [], {"as_tuple": V(True)})
    others = [a if type(a.d) in (bool, int, float) else asarray(it, a) for a in args[1:3]]
    return tensor_arith.where(it, [condition, *others], {})


def flatnonzero(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    flat = tensor_views.flatten(it, asarray(it, args[0]), [], {})
    found: V = tensor_select.nonzero(it, flat, [], {"as_tuple": V(True)}).d[0]
    return found


def repeat(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    named = {"dim": kwargs["axis"]} if "axis" in kwargs else {}
    times = args[1] if len(args) > 1 else kwargs.get("repeats", NONE)
    counts = [asarray(it, times), *args[2:]]
    return tensor_select.repeat_interleave(it, asarray(it, args[0]), counts, named)


def sort(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    base = asarray(it, args[0])
    made = tensor_reduce.FUNCTIONS["sort"](it, [base], {})
    values: V = it.getattr(made, "values")
    return values


def lists(name: str) -> Fn:
    """A function whose result is an array that is not followed."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        base = next((a for a in args if is_array(a)), None)
        made = new(it, ndarray(it), None, unknown_dtype(), origin=base.o if base else None)
        return finish(it, made, kwargs)

    return fn


def accumulate(op: str) -> Fn:
    """``np.maximum.accumulate``."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        base = asarray(it, args[0])
        axis = 0 if len(dims_of(base) or ()) == 1 else None
        name = dtype_name(dtype_of(base))

        def step(x: V, y: V) -> V:
            made = binary(it, op, like(it, base, [], items=[x]), like(it, base, [], items=[y]))
            found = items_of(made)
            return found[0] if found else V(Unknown("an accumulated element"))

        return array_reduce.scan(it, base, axis, step, name)

    return fn


def _ufunc(name: str, fn: Fn, op: str | None) -> Callable[[Any], V]:
    """A ufunc: a function with ``reduce``, ``accumulate``, ``at`` …."""

    def build(it: Any) -> V:
        made = Native(f"numpy.{name}", fn)
        made.attrs = it.heap.cell()
        for method in ("reduce", "reduceat", "outer", "at"):
            made.attrs[method] = V(Native(f"numpy.{name}.{method}", lists(method)))
        if op is not None:
            made.attrs["accumulate"] = V(Native(f"numpy.{name}.accumulate", accumulate(op)))
        return V(made)

    return build


def shape(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return size_of(it, dims_of(asarray(it, args[0])))


def array_equal(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return tensor_reduce.FUNCTIONS["equal"](it, [asarray(it, a) for a in args[:2]], {})


def expand_dims(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    axis = argument(args, kwargs, 1, "axis") or V(0)
    return tensor_views.unsqueeze(it, asarray(it, args[0]), [axis], {})


def logical_not(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return scalar(it, invert(it, asarray(it, args[0]), logical=True))


def number(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(Unknown("a statistic", "float"))


FUNCTIONS: dict[str, Fn] = {
    "zeros": _filled(0), "ones": _filled(1), "empty": _filled(None), "full": full,
    "zeros_like": _like(0), "ones_like": _like(1), "empty_like": _like(None), "array": array,
    "asarray": as_array, "ascontiguousarray": as_array, "asanyarray": as_array, "arange": arange,
    "fromiter": fromiter, "where": where, "flatnonzero": flatnonzero, "repeat": repeat,
    "nonzero": lambda it, a, k: where(it, a[:1], k), "sort": sort, "shape": shape,
    "concatenate": _joined(tensor_views.cat), "stack": _joined(tensor_views.stack),
    "argsort": _over(tensor_reduce.FUNCTIONS["argsort"]),
    "cumsum": _over(tensor_reduce.FUNCTIONS["cumsum"]),
    "diff": _over(tensor_reduce.FUNCTIONS["diff"]),
    "unique": _over(tensor_select.FUNCTIONS["unique"]),
    "bincount": _over(tensor_select.FUNCTIONS["bincount"]),
    "count_nonzero": _over(tensor_reduce.FUNCTIONS["count_nonzero"]),
    "searchsorted": _both(tensor_select.FUNCTIONS["searchsorted"]),
    "isin": _both(tensor_select.FUNCTIONS["isin"]),
    "clip": _over(tensor_arith.FUNCTIONS["clip"]), "array_equal": array_equal,
    "expand_dims": expand_dims, "squeeze": _over(tensor_views.METHODS["squeeze"]),
    "reshape": _over(tensor_views.METHODS["reshape"]),
    "ravel": _over(tensor_views.METHODS["flatten"]), "logical_not": logical_not,
    "copy": array, "tile": _over(tensor_views.METHODS["repeat"]),
    **{name: _reduction(name) for name in (*REDUCTIONS, "amax", "amin")},
    **dict.fromkeys(("percentile", "median", "quantile"), number),
    **{name: lists(name) for name in (
        "lexsort", "take", "take_along_axis", "split", "meshgrid", "interp", "frombuffer",
        "unpackbits", "packbits", "einsum", "cumprod", "load", "flip", "roll", "pad", "linspace",
        "vstack", "hstack", "triu", "tril", "eye", "intersect1d", "setdiff1d", "union1d",
        "broadcast_to", "argpartition", "partition", "digitize", "divmod", "logspace")},
    "save": lambda it, a, k: NONE, "random.seed": lambda it, a, k: NONE,
    "seterr": lambda it, a, k: NONE, "set_printoptions": lambda it, a, k: NONE,
}  # fmt: skip
LOGICAL = {"logical_and": tensor_arith.FUNCTIONS["logical_and"],
           "logical_or": tensor_arith.FUNCTIONS["logical_or"]}  # fmt: skip
UFUNCS: dict[str, Callable[[Any], V]] = {
    **{name: _ufunc(name, _binary(op), op) for name, op in BINARY.items()},
    **{name: _ufunc(name, _unary(name), None) for name in UNARY},
    **{name: _ufunc(name, _both(fn), None) for name, fn in LOGICAL.items()},
}
