"""Creation of tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mlapath.models import array_nested
from mlapath.models.api import Fn, argument
from mlapath.models.array_dtype import fit, fit_all
from mlapath.models.array_index import set_
from mlapath.models.array_layout import STRIDES, lay_out
from mlapath.models.array_math import cast
from mlapath.models.array_shape import shape_argument
from mlapath.models.array_value import (
    MAX_ITEMS,
    STORE,
    VIEW,
    array_class,
    blank,
    device_of,
    dimension,
    dims_of,
    dtype_name,
    dtype_of,
    is_array,
    items_of,
    like,
    new,
)
from mlapath.models.tensor_arguments import finish, tensor, unknown_dtype
from mlapath.models.tensor_convert import converted
from mlapath.models.torch_device import resolve
from mlapath.models.torch_state import state
from mlapath.values.objects import ListObj
from mlapath.values.origin import merge
from mlapath.values.value import External, Unknown, V

NONE = V(None)


def given(value: V | None) -> V | None:
    """A parameter, None where it is absent or None."""
    return None if value is None or value.d is None else value


def pinned(it: Any, made: V, kwargs: dict[str, V]) -> V:
    """Note ``pin_memory=``."""
    flag = kwargs.get("pin_memory")
    if flag is not None and flag.d is not False:
        made.d.attrs["\0pinned"] = flag
    return made


def _filled(fill: int | None) -> Fn:
    """``empty zeros ones``."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        sizes = args or [kwargs["size"]] if args or "size" in kwargs else []
        _check_sizes(it, sizes)
        dims = shape_argument(it, sizes)
        dtype = given(kwargs.get("dtype")) or state(it)["default_dtype"]
        device = resolve(it, given(kwargs.get("device")))
        origin = merge(*(a.o for a in args), dtype.o)
        made = blank(it, array_class(it, "torch.Tensor"), dims, dtype, device,
                     None if fill is None else V(fill), origin)  # fmt: skip
        _requires_grad(it, made, kwargs)
        return finish(it, pinned(it, made, kwargs), kwargs)

    return fn


def _items(it: Any, size: V) -> Sequence[V]:
    if type(size.d) is tuple:
        return size.d
    return (it.iterate(size) or ()) if type(size.d) is ListObj else (size,)


def _check_sizes(it: Any, sizes: list[V]) -> None:
    """Raise TypeError in the program where a size is certainly no number, as torch does."""
    flat = [x for s in sizes for x in _items(it, s)]
    for position, size in enumerate(flat):
        if type(size.d) in (type(None), str, float, bytes):
            it.throw("TypeError", f"invalid combination of arguments: size {position} is a "
                     f"{type(size.d).__name__}, not an int")  # fmt: skip


def _requires_grad(it: Any, made: V, kwargs: dict[str, V]) -> None:
    flag = kwargs.get("requires_grad")
    if flag is not None:
        made.d.attrs["requires_grad"] = flag


def full(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``full(size, value)``."""
    dims = shape_argument(it, [argument(args, kwargs, 0, "size") or NONE])
    value = argument(args, kwargs, 1, "fill_value") or V(Unknown("a fill"))
    dtype = given(kwargs.get("dtype")) or _inferred(it, [value])
    device = resolve(it, given(kwargs.get("device")))
    made = blank(it, array_class(it, "torch.Tensor"), dims, dtype, device, None, value.o)
    set_(it, made, V(Ellipsis), value)
    return finish(it, pinned(it, made, kwargs), kwargs)


def _inferred(it: Any, items: list[V]) -> V:
    kind = array_nested.scalar_kind(items)
    if not items or kind == "float":
        default: V = state(it)["default_dtype"]
        return default
    if not kind:
        return unknown_dtype()
    return V(External("torch.bool" if kind == "bool" else "torch.int64"))


def make_tensor(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``tensor(data)``: a copy of a number, a nested list or an array."""
    data = argument(args, kwargs, 0, "data") or V(Unknown("data"))
    dtype = given(kwargs.get("dtype"))
    device = resolve(it, given(kwargs.get("device")))
    nested = array_nested.flatten(it, data)
    if is_array(data):
        dtype = dtype or _torch_dtype(data)
    elif nested is None:
        dtype = dtype or unknown_dtype()
    if nested is None:
        shape = array_nested.shape_of_nested(it, data)
        made = new(it, array_class(it, "torch.Tensor"), shape, dtype or unknown_dtype(), device,
                   origin=data.o)  # fmt: skip
        return pinned(it, made, kwargs)
    dims, items = nested
    dtype = dtype or _inferred(it, items)
    name = dtype_name(dtype)
    contents = fit_all(items, name) if name is not None else None
    made = new(it, array_class(it, "torch.Tensor"), [V(n, data.o) for n in dims], dtype, device,
               contents, data.o or merge(*(x.o for x in items[:4])))  # fmt: skip
    return pinned(it, made, kwargs)


def _torch_dtype(data: V) -> V:
    name = dtype_name(dtype_of(data))
    return V(External(f"torch.{name}")) if name is not None else unknown_dtype()


def as_tensor(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``as_tensor``: shares storage with an array of the same type and device."""
    data = argument(args, kwargs, 0, "data") or argument(args, kwargs, 0, "obj") or NONE
    if not is_array(data):
        return make_tensor(it, args, kwargs)
    shared = from_numpy(it, [data], {}) if "device" not in data.d.attrs else data
    dtype = given(argument(args, kwargs, 1, "dtype"))
    device = given(argument(args, kwargs, 2, "device"))
    return converted(it, shared, device, dtype)


def from_numpy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A tensor over the storage of a numpy array."""
    data = tensor(it, args[0])
    made = new(it, array_class(it, "torch.Tensor"), dims_of(data), _torch_dtype(data),
               resolve(it, V("cpu")), origin=data.o)  # fmt: skip
    for key in (STORE, VIEW, STRIDES):
        if key in data.d.attrs:
            made.d.attrs[key] = data.d.attrs[key]
    return made


def arange(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``arange(start, end, step)``."""
    named = [kwargs[n] for n in ("start", "end", "step") if n in kwargs]
    bounds = [*args, *named]
    start, stop, step = (V(0), bounds[0], V(1)) if len(bounds) == 1 else \
        (bounds[0], bounds[1], bounds[2] if len(bounds) > 2 else V(1))  # fmt: skip
    dtype = given(kwargs.get("dtype")) or _inferred(it, [start, stop, step])
    device = resolve(it, given(kwargs.get("device")))
    name, dims, items = dtype_name(dtype), [dimension("the length of a range")], None
    plain = [v.d for v in (start, stop, step)]
    if all(type(x) in (int, float) for x in plain) and plain[2] != 0:
        n = max(0, math.ceil((plain[1] - plain[0]) / plain[2]))
        dims = [V(n, merge(start.o, stop.o))]
        if n <= MAX_ITEMS and name is not None:
            items = [fit(V(plain[0] + i * plain[2]), name) for i in range(n)]
    elif plain[0] == 0 and plain[2] == 1:
        dims = shape_argument(it, [stop]) or dims
    made = new(it, array_class(it, "torch.Tensor"), dims, dtype, device, items,
               merge(start.o, stop.o))  # fmt: skip
    return finish(it, pinned(it, made, kwargs), kwargs)


def linspace(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    steps = argument(args, kwargs, 2, "steps") or V(100)
    return _filled(None)(it, [steps], {k: v for k, v in kwargs.items() if k != "steps"})


def eye(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    n = argument(args, kwargs, 0, "n") or V(1)
    return _filled(None)(it, [n, argument(args, kwargs, 1, "m") or n], {
        k: v for k, v in kwargs.items() if k not in ("n", "m")})  # fmt: skip


def randint(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``randint(low, high, size)``: unknown numbers."""
    size = kwargs.get("size") or (args[-1] if args else NONE)
    dtype = given(kwargs.get("dtype")) or V(External("torch.int64"))
    return _filled(None)(it, [size], {**kwargs, "dtype": dtype})


def randperm(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return randint(it, [args[0]], kwargs)


def _like(fill: int | None) -> Fn:
    """``empty_like zeros_like ones_like``."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        base = tensor(it, argument(args, kwargs, 0, "input") or NONE)
        dtype = given(kwargs.get("dtype")) or dtype_of(base)
        device = given(kwargs.get("device"))
        target = device_of(base) if device is None else resolve(it, device)
        made = blank(it, array_class(it, "torch.Tensor"), dims_of(base), dtype, target,
                     None if fill is None else V(fill), base.o)  # fmt: skip
        return pinned(it, made, kwargs)

    return fn


def full_like(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    made = _like(None)(it, args[:1], kwargs)
    set_(it, made, V(Ellipsis), argument(args, kwargs, 1, "fill_value") or V(Unknown("a fill")))
    return made


def empty_strided(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A tensor whose strides are given."""
    made = _filled(None)(it, [argument(args, kwargs, 0, "size") or NONE], {
        k: v for k, v in kwargs.items() if k not in ("size", "stride")})  # fmt: skip
    steps = argument(args, kwargs, 1, "stride")
    return lay_out(it, made, None if steps is None else shape_argument(it, [steps]))


def frombuffer(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    dtype = given(kwargs.get("dtype")) or unknown_dtype()
    return new(it, array_class(it, "torch.Tensor"), [dimension("the length of a buffer")], dtype,
               resolve(it, V("cpu")))  # fmt: skip


def same_contents(it: Any, base: V) -> V:
    """A copy."""
    return like(it, base, dims_of(base), items=items_of(base))


def complex_(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    base = tensor(it, args[0])
    return cast(it, base, None, V(External("torch.complex64")))


FUNCTIONS: dict[str, Fn] = {
    "empty": _filled(None), "zeros": _filled(0), "ones": _filled(1), "rand": _filled(None),
    "randn": _filled(None), "full": full, "tensor": make_tensor, "as_tensor": as_tensor,
    "asarray": as_tensor, "from_numpy": from_numpy, "arange": arange, "linspace": linspace,
    "logspace": linspace, "eye": eye, "randint": randint, "randperm": randperm,
    "empty_like": _like(None), "zeros_like": _like(0), "ones_like": _like(1),
    "rand_like": _like(None), "randn_like": _like(None), "randint_like": _like(None),
    "full_like": full_like, "empty_strided": empty_strided, "frombuffer": frombuffer,
    "complex": complex_, "scalar_tensor": make_tensor, "from_dlpack": as_tensor,
}  # fmt: skip
