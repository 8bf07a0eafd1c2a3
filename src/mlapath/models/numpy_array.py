"""``numpy.ndarray``: methods and properties, over the arrays that tensors use too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models import (
    array_nested,
    tensor_arith,
    tensor_convert,
    tensor_linear,
    tensor_meta,
    tensor_reduce,
    tensor_select,
    tensor_views,
)
from mlapath.models.api import Fn, argument, make_class
from mlapath.models.array_math import cast
from mlapath.models.array_reduce import order
from mlapath.models.array_value import (
    array_class,
    count,
    dims_of,
    dtype_name,
    dtype_of,
    forget,
    is_array,
    like,
    new,
    write,
)
from mlapath.models.numpy_types import dtype_symbol
from mlapath.models.tensor_arguments import finish
from mlapath.values.value import NONE, External, Unknown, V

KEPT = (
    "__getitem__ __setitem__ __iter__ __len__ __bool__ __int__ __index__ __float__ __contains__ "
    "reshape item tolist squeeze cumsum repeat flatten ravel argsort "
    "__neg__ __pos__ __abs__ __invert__ __matmul__ __rmatmul__"
)
REDUCTIONS = ("sum", "prod", "mean", "max", "min", "any", "all", "argmax", "argmin", "std", "var")
OPERATORS = tuple(f"__{p}{name}__" for name in tensor_arith.OPERATORS for p in ("", "r", "i"))
COMPARISONS = tuple(f"__{name}__" for name in tensor_arith.COMPARE)


def ndarray(it: Any) -> Any:
    """The class object."""
    return array_class(it, "numpy.ndarray")


def unknown_dtype() -> V:
    """A dtype that is not known."""
    return V(Unknown("a numpy dtype", "object", "numpy.dtype"))


def inferred(it: Any, items: list[V]) -> V:
    """The dtype of Python numbers."""
    kind = array_nested.scalar_kind(items) if items else "float"
    name = {"bool": "bool", "int": "int64", "float": "float64"}.get(kind)
    found: V | None = None if name is None else it.models.symbol(it, f"numpy.{name}")
    return found if found is not None else unknown_dtype()


def asarray(it: Any, value: V, dtype: V | None = None) -> V:
    """An array of anything; an array of the wanted type is itself."""
    if is_array(value) and ndarray(it) in value.d.cls.mro:
        if dtype is None or dtype_name(dtype) == dtype_name(dtype_of(value)):
            return value
        return cast(it, value, dtype_name(dtype), dtype)
    if is_array(value):
        return asarray(it, tensor_convert.numpy(it, value, [], {}), dtype)
    nested = array_nested.flatten(it, value)
    if nested is None:
        shape = array_nested.shape_of_nested(it, value)
        return new(it, ndarray(it), shape, dtype or unknown_dtype(), origin=value.o)
    wanted = dtype or inferred(it, nested[1])
    made = new(it, ndarray(it), [V(n) for n in nested[0]], wanted, items=nested[1], origin=value.o)
    return cast(it, made, dtype_name(wanted), wanted)


def scalar(it: Any, made: V) -> V:
    """An array without dimensions is a number."""
    if not is_array(made) or dims_of(made) != ():
        return made
    return tensor_convert.item(it, made, [], {})


def in_numpy(fn: Fn) -> Fn:
    """A method of tensors as one of arrays: results without dimensions are numbers."""

    def summary(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made = fn(it, args, kwargs)
        return scalar(it, made) if is_array(made) and made.d is not args[0].d else made

    return summary


def reduction(name: str) -> Fn:
    """``sum(axis, dtype, out, keepdims)``."""
    fn = tensor_reduce.FUNCTIONS[name]

    def summary(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        named = {("keepdim" if k == "keepdims" else k): v for k, v in kwargs.items()
                 if k not in ("out", "initial", "where")}  # fmt: skip
        if "dtype" in named:
            named["dtype"] = dtype_symbol(it, named["dtype"]) or named["dtype"]
        made = fn(it, args[:2], named)
        if not is_array(made) and type(made.d).__name__ == "Instance":
            made = it.getattr(made, "values")  # max and min along an axis give values only
        return finish(it, scalar(it, made), kwargs)

    return summary


def _astype(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    dtype = dtype_symbol(it, argument(args, kwargs, 1, "dtype")) or unknown_dtype()
    return cast(it, args[0], dtype_name(dtype), dtype)


def _copy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return tensor_convert.clone(it, args[0], [], {})


def _fill(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    tensor_convert.fill_(it, args, kwargs)
    return NONE


def _sort(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``sort()`` in place."""
    dims = dims_of(args[0])
    found = order(it, args[0], len(dims) - 1, descending=False) if dims else None
    write(it, args[0], found[0] if found is not None else None)
    return NONE


def _nonzero(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return tensor_select.nonzero(it, args[0], [], {"as_tuple": V(True)})


def _transpose(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    if len(args) == 1:
        return tensor_views.reverse_axes(it, args[0])
    return tensor_views.permute(it, args[0], args[1:], kwargs)


def _view(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    dtype = dtype_symbol(it, argument(args, kwargs, 1, "dtype"))
    if dtype is None:
        return like(it, args[0], dims_of(args[0]), unknown_dtype())
    return tensor_views.view_(it, args[0], [dtype], {})


def _tobytes(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(Unknown("the bytes of an array", "bytes"), args[0].o)


def _clip(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return tensor_arith.FUNCTIONS["clip"](it, args, kwargs)


def _size(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return count(it, dims_of(args[0]))


def _getattr(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """An attribute without a summary."""
    base, name = args[0], args[1].d
    if name.startswith("__") or name in ("cpu", "numel", "device", "is_cuda", "unsqueeze"):
        it.throw("AttributeError", f"'numpy.ndarray' object has no attribute '{name}'")
    forget(it, base)
    return V(Unknown(f"{name} of an array", "", f"numpy.ndarray.{name}"), base.o)


def _new(it: Any, cls: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return new(it, cls, None, unknown_dtype())


def _text(it: Any, value: V, conversion: str) -> None:
    """The text of an array is not followed."""
    return


def _methods() -> dict[str, Fn]:
    table: dict[str, Fn] = {}
    for module in (tensor_arith, tensor_convert, tensor_linear, tensor_meta, tensor_reduce,
                   tensor_select, tensor_views):  # fmt: skip
        table.update(module.METHODS)
    kept = {n: in_numpy(table[n]) for n in (*KEPT.split(), *OPERATORS, *COMPARISONS) if n in table}
    return {
        **kept, **{name: reduction(name) for name in REDUCTIONS}, "astype": _astype,
        "copy": _copy, "fill": _fill, "sort": _sort, "nonzero": _nonzero, "view": _view,
        "transpose": _transpose, "tobytes": _tobytes, "clip": _clip, "__getattr__": _getattr,
    }  # fmt: skip


def _none(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return NONE


PROPERTIES: dict[str, Fn] = {
    "size": _size, "ndim": tensor_meta.METHODS["dim"], "nbytes": tensor_meta.PROPERTIES["nbytes"],
    "itemsize": tensor_meta.METHODS["element_size"], "T": tensor_meta.PROPERTIES["T"],
    "base": _none, "flat": lambda it, a, k: tensor_views.flatten(it, a[0], [], {}),
    "strides": lambda it, a, k: V(Unknown("the strides of an array", "tuple")),
    "ctypes": lambda it, a, k: V(External("numpy.ndarray.ctypes")),
    "data": lambda it, a, k: V(External("numpy.ndarray.data")),
}  # fmt: skip


def build(it: Any) -> V:
    """The class ``numpy.ndarray``."""
    return V(make_class(it, "numpy.ndarray", methods=_methods(), properties=PROPERTIES,
                        construct=_new, facts={"array": "numpy.ndarray", "text": _text,
                                               "forget": forget}))  # fmt: skip


VALUES: dict[str, Callable[[Any], V]] = {"numpy.ndarray": build}
