"""What tensors say of themselves: sizes, layout, device, bookkeeping of gradients."""

from __future__ import annotations

from typing import Any

from mlapath.models import array_layout as layout
from mlapath.models.api import Fn, argument, make_class
from mlapath.models.array_dtype import DTYPES
from mlapath.models.array_shape import axis_of
from mlapath.models.array_value import (
    array_class,
    count,
    device_of,
    dims_of,
    dtype_of,
    known_dims,
    name_of,
    size_of,
    view,
)
from mlapath.models.tensor_arguments import method, tensor
from mlapath.models.tensor_views import matrix_transpose, reverse_axes
from mlapath.models.torch_device import type_of
from mlapath.values.objects import Descriptor, Instance, Native
from mlapath.values.truth import Truth
from mlapath.values.value import Union, Unknown, V

NONE = V(None)
DEFAULTS = {"grad": None, "grad_fn": None, "requires_grad": False, "is_leaf": True, "names": None}
"""Attributes that hold until they are set."""


def size(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    dim = argument(args, kwargs, 0, "dim")
    if dim is None or dim.d is None:
        shape: V = base.d.attrs["shape"]
        return shape
    axis = axis_of(it, dims, dim)
    if dims is None or axis is None:
        return V(Unknown("a dimension of an unknown tensor", "int", lo=0), base.o)
    return dims[axis] if dims[axis].o is not None else V(dims[axis].d, base.o)


def rank(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    if dims is None:
        return V(Unknown("the rank of an unknown tensor", "int", lo=0), base.o)
    return V(len(dims), base.o)


def numel(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return count(it, dims_of(base))


def length(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    if dims is not None and not dims:
        it.throw("TypeError", "len() of a 0-d tensor")
    return V(Unknown("the length of an unknown tensor", "int", lo=0), base.o) if not dims \
        else dims[0]  # fmt: skip


def stride(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    steps, dim = layout.strides_of(it, base), argument(args, kwargs, 0, "dim")
    if steps is None:
        return layout.unknown_stride() if dim is not None and dim.d is not None else V(
            Unknown("the strides of an unknown tensor", ""), base.o)  # fmt: skip
    located = [V(s.d, s.o or base.o) for s in steps]
    if dim is None or dim.d is None:
        return V(tuple(located), base.o)
    axis = axis_of(it, dims_of(base), dim)
    return layout.unknown_stride() if axis is None else located[axis]


def is_contiguous(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    truth = layout.contiguous(it, base)
    if truth is Truth.UNKNOWN or args or "memory_format" in kwargs:
        return V(Unknown("whether a tensor is contiguous", "bool"), base.o)
    return V(truth is Truth.TRUE, base.o)


def element_size(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    name = name_of(base)
    if name is None:
        return V(Unknown("the size of an element", "int", lo=1, hi=16), dtype_of(base).o)
    return V(DTYPES[name].size, dtype_of(base).o or base.o)


def nbytes(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    result: V = it.binop("*", count(it, dims_of(base)), element_size(it, base, [], {}))
    return result


def data_ptr(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return V(Unknown("an address", "int", lo=0), base.o)


def kind(letters: str) -> Any:
    """``is_floating_point`` and the like."""

    def fn(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
        name = name_of(base)
        if name is None:
            return V(Unknown("the type of an unknown tensor", "bool"), base.o)
        return V(DTYPES[name].kind in letters, dtype_of(base).o or base.o)

    return fn


def on_device(name: str) -> Any:
    """``is_cuda`` and the like."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        device = device_of(args[0])
        found = type_of(device)
        if found is None:
            return V(Unknown("the device of an unknown tensor", "bool"), device.o)
        return V(found == name, device.o or args[0].o)

    return fn


def get_device(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    device = device_of(base).d
    if type(device) is Instance and "index" in device.attrs:
        index: V = device.attrs["index"]
        return V(-1) if index.d is None else index
    return V(Unknown("the index of a device", "int", lo=-1), base.o)


def get_data(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``data``: the same storage, without gradients."""
    base = args[0]
    dims = dims_of(base)
    ints = known_dims(dims)
    total = 1
    for n in ints or ():
        total *= n
    made = view(it, base, dims, range(total) if ints is not None else None)
    return layout.lay_out(it, made, layout.strides_of(it, base))


def set_data(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``data = other``: the tensor shows the other's storage from now on."""
    target, source = args[0].d, tensor(it, args[1])
    for key in ("shape", "dtype", "device"):
        if key in source.d.attrs:
            it.heap.put(target.attrs, key, source.d.attrs[key])
    for key in {k for d in (target, source.d) for k in d.attrs if k.startswith("\0")}:
        if key in source.d.attrs:
            it.heap.put(target.attrs, key, source.d.attrs[key])
        else:
            it.heap.drop(target.attrs, key)
    return NONE


def shared_storage(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``untyped_storage()``: an address and a size."""
    cls = it.store.get("torch storage")
    if cls is None:
        number = {"data_ptr": _address, "nbytes": _address, "size": _address, "__len__": _address}
        cls = it.store["torch storage"] = make_class(
            it, "torch.storage.UntypedStorage", foreign="torch.UntypedStorage", methods=number,
            facts={"truthy": True})  # fmt: skip
    return V(Instance(cls, it.heap.cell()), base.o)


def _address(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(Unknown("an address or a size", "int", lo=0), args[0].o)


def constant(value: Any) -> Any:
    return lambda it, args, kwargs: V(value)


def same(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def requires_grad_(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    flag = argument(args, kwargs, 1, "requires_grad", V(True))
    it.setattr(args[0], "requires_grad", flag)
    return args[0]


NOT_PYTHON = ("shape", "dtype", "device", *DEFAULTS)
"""Attributes that torch keeps outside the instance's dict."""


def get_dict(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``tensor.__dict__``: what Python code has set."""
    made: V = it.instance_dict(args[0])
    for name in NOT_PYTHON:
        made.d.data.pop(name, None)
    return made


def set_dict(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    for key, value in it.mapping_items(args[1]) or ():
        if type(key.d) is str:
            it.setattr(args[0], key.d, value)
    return NONE


def _own(name: str) -> Any:
    fns = {"get": get_dict, "set": set_dict}
    return V(Native(f"torch.Tensor.__dict__.{name}", fns[name]))


def _data(name: str) -> Any:
    fns = {"get": get_data, "set": set_data}
    return V(Native(f"torch.Tensor.data.{name}", fns[name]))


def descriptors() -> dict[str, V]:
    """Properties that can be set."""
    return {"data": V(Descriptor("property", _data("get"), _data("set"))),
            "__dict__": V(Descriptor("property", _own("get"), _own("set")))}  # fmt: skip


METHODS: dict[str, Fn] = {
    **{name: method(fn) for name, fn in (
        ("size", size), ("dim", rank), ("ndimension", rank), ("numel", numel), ("nelement", numel),
        ("__len__", length), ("stride", stride), ("is_contiguous", is_contiguous),
        ("element_size", element_size), ("data_ptr", data_ptr), ("storage_offset", data_ptr),
        ("is_floating_point", kind("f")), ("is_complex", kind("c")), ("get_device", get_device),
        ("untyped_storage", shared_storage), ("storage", shared_storage))},
    "requires_grad_": requires_grad_, "is_inference": constant(False),
    "record_stream": constant(None), "is_shared": constant(False), "retain_grad": constant(None),
    "share_memory_": same,
}  # fmt: skip
FUNCTIONS: dict[str, Fn] = {
    "numel": METHODS["numel"], "is_floating_point": METHODS["is_floating_point"],
    "is_complex": METHODS["is_complex"],
    "is_tensor": lambda it, a, k: it.call(it.builtins["isinstance"], [
        a[0], V(array_class(it, "torch.Tensor"))], {}),
}  # fmt: skip
PROPERTIES: dict[str, Fn] = {
    "ndim": METHODS["dim"], "nbytes": method(nbytes), "itemsize": METHODS["element_size"],
    "T": lambda it, a, k: reverse_axes(it, a[0]),
    "mT": lambda it, a, k: matrix_transpose(it, a[0]),
    "is_cuda": on_device("cuda"), "is_cpu": on_device("cpu"), "is_xpu": on_device("xpu"),
    "is_meta": on_device("meta"), "is_mps": on_device("mps"), "is_sparse": constant(False),
    "is_quantized": constant(False), "is_nested": constant(False), "layout": lambda it, a, k: V(
        Unknown("a layout", "object", "torch.strided")),
}  # fmt: skip


def shape_methods() -> dict[str, Fn]:
    """Methods of ``torch.Size``, of known rank or not."""
    return {"numel": _size_numel, "__getitem__": _size_item, "__len__": _size_len,
            "__eq__": _size_equal("=="), "__add__": _size_add, "__iter__": _size_iter,
            "__radd__": lambda it, a, k: _size_add(it, [a[1], a[0]], k)}  # fmt: skip


def _payload(value: V) -> tuple[V, ...] | None:
    d = value.d.payload if type(value.d) is Instance else value.d
    return d if type(d) is tuple else None


def _size_numel(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return count(it, _payload(args[0]))


def _size_item(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    dims = _payload(args[0])
    if dims is None:
        if type(args[1].d) in (int, Unknown, Union):
            return V(Unknown("a dimension of an unknown tensor", "int", lo=0), args[0].o)
        return size_of(it, None, args[0].o)
    item: V = it.getitem(V(dims, args[0].o), args[1])
    if type(item.d) is tuple:
        return size_of(it, item.d, args[0].o)
    return item if item.o is not None else V(item.d, args[0].o)


def _size_len(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    dims = _payload(args[0])
    if dims is None:
        return V(Unknown("the rank of an unknown tensor", "int", lo=0), args[0].o)
    return V(len(dims), args[0].o)


def _size_iter(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    dims = _payload(args[0])
    if dims is None:
        return V(Unknown("the dimensions of an unknown tensor"), args[0].o)
    return V(it.heap.list(list(dims)), args[0].o)


def _size_equal(op: str) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        left, right = _payload(args[0]), _payload(args[1])
        if left is not None and right is not None:
            result: V = it.compare(op, V(left, args[0].o), V(right, args[1].o))
            return result
        if right is None and type(args[1].d) not in (Instance, Unknown, Union):
            return V(False)
        return V(Unknown("the shape of an unknown tensor", "bool"), args[0].o)

    return fn


def _size_add(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    left, right = _payload(args[0]), _payload(args[1])
    if left is None or right is None:
        return size_of(it, None, args[0].o)
    return size_of(it, (*left, *right), args[0].o)
