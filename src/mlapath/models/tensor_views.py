"""Methods of tensors that change shapes."""

from __future__ import annotations

from typing import Any

from mlapath.models import array_index
from mlapath.models import array_shape as shapes
from mlapath.models.api import Fn, argument
from mlapath.models.array_dtype import DTYPES
from mlapath.models.array_layout import contiguous, lay_out, strides_of
from mlapath.models.array_value import (
    dimension,
    dims_of,
    dtype_name,
    forget,
    is_array,
    known_dims,
    like,
    name_of,
    view,
)
from mlapath.models.tensor_arguments import finish, method, tensor
from mlapath.values.objects import Instance, SliceObj
from mlapath.values.truth import Truth
from mlapath.values.value import External, Union, Unknown, V

NONE = V(None)


def _sequence(it: Any, value: V) -> list[V] | None:
    found = it.iterate(value) if type(value.d) is not Unknown else None
    return None if found is None or it.is_open(value) else found


def reshape(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    given = args or [v for k, v in kwargs.items() if k in ("shape", "size")]
    return shapes.reshape(it, base, shapes.shape_argument(it, given))


def view_(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``view(shape)`` or ``view(dtype)``."""
    dtype = args[0] if args else kwargs.get("dtype")
    if dtype is not None and (dtype_name(dtype) is not None or type(dtype.d) is External):
        return _reinterpret(it, base, dtype)
    return reshape(it, base, args, kwargs)


def _reinterpret(it: Any, base: V, dtype: V) -> V:
    """The same bytes as another type: the last dimension scales with the size."""
    dims = dims_of(base)
    old, new = name_of(base), dtype_name(dtype)
    if old is None or new is None:
        return like(it, base, None if dims is None else [
            *dims[:-1], dimension("a reinterpreted dimension")], dtype)  # fmt: skip
    a, b = DTYPES[old].size, DTYPES[new].size
    out = dims
    if dims is not None and a != b and dims:
        last = it.binop("//", it.binop("*", dims[-1], V(a)), V(b))
        out = (*dims[:-1], last)
    made = like(it, base, out, dtype)
    store = view(it, base, out, None)
    for key, value in store.d.attrs.items():  # it writes to the same storage
        if key.startswith("\0"):
            made.d.attrs[key] = value
    plain = a == b or contiguous(it, base) is Truth.TRUE
    return lay_out(it, made, strides_of(it, base)) if a == b else made if plain else lay_out(
        it, made, None)  # fmt: skip


def permute(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    order = shapes.shape_argument(it, args or list(kwargs.values()))
    axes = None
    if dims is not None and order is not None and all(type(o.d) is int for o in order):
        axes = [o.d % max(len(dims), 1) for o in order]
    return shapes.permute(it, base, axes)


def transpose(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    first = argument(args, kwargs, 0, "dim0") or NONE
    second = argument(args, kwargs, 1, "dim1") or NONE
    return shapes.swap(it, base, first, second)


def matrix_transpose(it: Any, base: V) -> V:
    """``t()``, ``T``, ``mT``."""
    dims = dims_of(base)
    return base if dims is not None and len(dims) < 2 else shapes.swap(it, base, V(-2), V(-1))


def reverse_axes(it: Any, base: V) -> V:
    """``T``."""
    dims = dims_of(base)
    return shapes.permute(it, base, None if dims is None else list(range(len(dims)))[::-1])


def unsqueeze(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return shapes.unsqueeze(it, base, argument(args, kwargs, 0, "dim") or NONE)


def squeeze(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return shapes.squeeze(it, base, argument(args, kwargs, 0, "dim"))


def flatten(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    start = argument(args, kwargs, 0, "start_dim", V(0))
    end = argument(args, kwargs, 1, "end_dim", V(-1))
    if start is None or end is None or type(start.d) is not int or type(end.d) is not int:
        return view(it, base, None, None)
    return shapes.flatten(it, base, start.d, end.d)


def unflatten(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    axis = shapes.axis_of(it, dims, argument(args, kwargs, 0, "dim") or NONE)
    sizes = _sequence(it, argument(args, kwargs, 1, "sizes") or V(Unknown("sizes")))
    if dims is None or axis is None or sizes is None:
        return view(it, base, None, None)
    return shapes.reshape(it, base, [*dims[:axis], *sizes, *dims[axis + 1 :]])


def expand(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return shapes.expand(it, base, shapes.shape_argument(it, args or list(kwargs.values())))


def expand_as(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(tensor(it, args[0]))
    return shapes.expand(it, base, None if dims is None else list(dims))


def reshape_as(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(tensor(it, args[0]))
    return shapes.reshape(it, base, None if dims is None else list(dims))


def _along(axis: int, rank: int, entry: V) -> V:
    whole = V(SliceObj(NONE, NONE, NONE))
    return V(tuple(entry if i == axis else whole for i in range(rank)))


def _slice(start: V, stop: V) -> V:
    return V(SliceObj(start, stop, NONE))


def narrow(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    axis = shapes.axis_of(it, dims, argument(args, kwargs, 0, "dim") or NONE)
    start = argument(args, kwargs, 1, "start") or V(0)
    length = argument(args, kwargs, 2, "length") or NONE
    if dims is None or axis is None:
        return view(it, base, None, None)
    made = array_index.get(it, base, _along(axis, len(dims), _slice(
        start, it.binop("+", start, length))))  # fmt: skip
    if type(length.d) is int or type(length.d) is Unknown and (length.d.lo or -1) >= 0:
        out = [length if i == axis else d for i, d in enumerate(dims_of(made) or ())]
        return _resized(it, made, out)
    return made


def _resized(it: Any, base: V, dims: list[V]) -> V:
    """The same view with dimensions that are known better."""
    ints = known_dims(dims)
    made = view(it, base, dims, None if ints is None else range(_total(dims)))
    return lay_out(it, made, strides_of(it, base))


def _total(dims: list[V]) -> int:
    total = 1
    for d in dims:
        total *= d.d
    return total


def select(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    axis = shapes.axis_of(it, dims, argument(args, kwargs, 0, "dim") or NONE)
    index = argument(args, kwargs, 1, "index") or NONE
    if dims is None or axis is None:
        return view(it, base, None, None)
    return array_index.get(it, base, _along(axis, len(dims), index))


def split(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``split(size or sizes, dim)``: a tuple of views."""
    sizes = argument(args, kwargs, 0, "split_size_or_sections") or kwargs.get("split_size") or NONE
    dims = dims_of(base)
    axis = shapes.axis_of(it, dims, argument(args, kwargs, 1, "dim", V(0)) or NONE)
    if dims is None or axis is None:
        return _unknown_parts(it, base, sizes)
    whole = dims[axis]
    parts: list[V] | None
    if type(sizes.d) in (int, Unknown, Union):
        parts = None
        if type(sizes.d) is int and type(whole.d) is int and sizes.d > 0:
            full, rest = divmod(whole.d, sizes.d)
            parts = [V(sizes.d)] * full + ([V(rest)] if rest else [])
    else:
        parts = _sequence(it, sizes)
    if parts is None:
        return V(Unknown("the parts of a tensor", "", "torch.split()"), base.o)
    return V(tuple(_cuts(it, base, axis, list(dims), parts)), base.o)


def _unknown_parts(it: Any, base: V, sizes: V) -> V:
    parts = None if type(sizes.d) in (int, Unknown, Union, type(None)) else _sequence(it, sizes)
    if parts is None:
        return V(Unknown("the parts of an unknown tensor", "", "torch.split()"), base.o)
    return V(tuple(view(it, base, None, None) for _ in parts), base.o)


def _cuts(it: Any, base: V, axis: int, dims: list[V], parts: list[V]) -> list[V]:
    total = dims[axis]
    if type(total.d) is int and all(type(p.d) is int for p in parts):
        given = sum(p.d for p in parts)
        if given != total.d:
            it.throw("RuntimeError", f"split_with_sizes expects split_sizes to sum exactly to "
                     f"{total.d} but got {given}")  # fmt: skip
    made: list[V] = []
    start = V(0)
    for part in parts:
        stop = it.binop("+", start, part)
        cut = array_index.get(it, base, _along(axis, len(dims), _slice(start, stop)))
        shape = [part if i == axis else d for i, d in enumerate(dims_of(cut) or ())]
        made.append(_resized(it, cut, shape))
        start = stop
    return made


def chunk(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    number = argument(args, kwargs, 0, "chunks") or NONE
    axis = shapes.axis_of(it, dims, argument(args, kwargs, 1, "dim", V(0)) or NONE)
    if type(number.d) is not int or number.d < 1:
        return V(Unknown("the parts of a tensor", "", "torch.chunk()"), base.o)
    if dims is None or axis is None:
        return V(tuple(view(it, base, None, None) for _ in range(number.d)), base.o)
    whole = dims[axis]
    if type(whole.d) is int:
        size = -(-whole.d // number.d)
        return split(it, base, [V(size or 1), V(axis)], {})
    part = dimension("a part of an unknown dimension")
    out = [part if i == axis else d for i, d in enumerate(dims)]
    steps = strides_of(it, base)
    return V(tuple(lay_out(it, view(it, base, out, None), steps) for _ in range(number.d)), base.o)


def unbind(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    axis = shapes.axis_of(it, dims, argument(args, kwargs, 0, "dim", V(0)) or NONE)
    if dims is None or axis is None or not dims or type(dims[axis].d) is not int:
        return V(Unknown("the parts of an unknown tensor", "", "torch.unbind()"), base.o)
    return V(tuple(array_index.get(it, base, _along(axis, len(dims), V(i)))
                   for i in range(dims[axis].d)), base.o)  # fmt: skip


def movedim(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    source = shapes.axis_of(it, dims, argument(args, kwargs, 0, "source") or NONE)
    target = shapes.axis_of(it, dims, argument(args, kwargs, 1, "destination") or NONE)
    if dims is None or source is None or target is None:
        return shapes.permute(it, base, None)
    axes = [i for i in range(len(dims)) if i != source]
    axes.insert(target, source)
    return shapes.permute(it, base, axes)


def as_strided(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """A view whose shape is given; its positions are not followed."""
    size, steps = argument(args, kwargs, 0, "size"), argument(args, kwargs, 1, "stride")
    dims = None if size is None else shapes.shape_argument(it, [size])
    laid = None if steps is None else shapes.shape_argument(it, [steps])
    return lay_out(it, view(it, base, dims, None), laid)


def parts_of(it: Any, value: V) -> list[V] | None:
    """The tensors of a sequence."""
    found = _sequence(it, value)
    return None if found is None else [tensor(it, v) for v in found]


def cat(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``cat(tensors, dim)``."""
    return _join(it, args, kwargs, shapes.concatenate)


def stack(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``stack(tensors, dim)``."""
    return _join(it, args, kwargs, shapes.stack)


def _join(it: Any, args: list[V], kwargs: dict[str, V], how: Any) -> V:
    parts = parts_of(it, argument(args, kwargs, 0, "tensors") or NONE)
    dim = argument(args, kwargs, 1, "dim") or kwargs.get("axis") or V(0)
    if not parts:
        return tensor(it, V(Unknown("a join of unknown tensors")))
    return finish(it, how(it, parts, dim), kwargs)


def repeat(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    times = shapes.shape_argument(it, args or list(kwargs.values()))
    if dims is None or times is None:
        return like(it, base, None)
    padded = [V(1)] * (len(times) - len(dims)) + list(dims)
    made = shapes.reshape(it, base, padded)
    for axis, n in enumerate(times):
        if type(n.d) is int and 0 < n.d <= 64:
            made = shapes.concatenate(it, [made] * n.d, V(axis)) if n.d > 1 else made
        else:
            out = list(dims_of(made) or ())
            out[axis] = it.binop("*", out[axis], n)
            made = like(it, base, out)
    return made if made.d is not base.d else like(it, base, padded)


def resize_(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``resize_``: another shape in place; the contents are not followed."""
    base = args[0]
    dims = shapes.shape_argument(it, args[1:])
    if is_array(base) and type(base.d) is Instance:
        forget(it, base)
        changed = like(it, base, dims)
        it.heap.put(base.d.attrs, "shape", changed.d.attrs["shape"])
        for key in [k for k in base.d.attrs if k.startswith("\0")]:
            it.heap.drop(base.d.attrs, key)
    return base


METHODS: dict[str, Fn] = {
    **{name: method(fn) for name, fn in (
        ("reshape", reshape), ("view", view_), ("permute", permute), ("transpose", transpose),
        ("swapaxes", transpose), ("swapdims", transpose), ("unsqueeze", unsqueeze),
        ("squeeze", squeeze), ("flatten", flatten), ("ravel", flatten), ("unflatten", unflatten),
        ("expand", expand), ("expand_as", expand_as), ("view_as", reshape_as),
        ("reshape_as", reshape_as), ("narrow", narrow), ("select", select), ("split", split),
        ("split_with_sizes", split), ("chunk", chunk),
        ("unbind", unbind), ("movedim", movedim), ("as_strided", as_strided), ("repeat", repeat),
        ("tile", repeat), ("broadcast_to", expand),
        ("t", lambda it, b, a, k: matrix_transpose(it, b)))},
    "resize_": resize_,
}  # fmt: skip
FUNCTIONS: dict[str, Fn] = {
    **{k: v for k, v in METHODS.items()
       if k not in ("view", "expand", "repeat", "resize_", "view_as", "reshape_as", "expand_as")},
    "cat": cat, "concat": cat, "concatenate": cat, "stack": stack,
}  # fmt: skip
