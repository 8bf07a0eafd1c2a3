"""Conversions of tensors: device, type, copies, Python numbers, numpy; and writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models import array_layout as layout
from mlapath.models import array_nested
from mlapath.models.api import Fn, argument
from mlapath.models.array_dtype import hint
from mlapath.models.array_index import get, scalar_item, set_
from mlapath.models.array_math import cast
from mlapath.models.array_shape import shape_argument
from mlapath.models.array_value import (
    STORE,
    VIEW,
    array_class,
    blank,
    count,
    device_of,
    dims_of,
    dtype_name,
    dtype_of,
    element,
    forget,
    is_array,
    items_of,
    like,
    name_of,
    new,
    view,
)
from mlapath.models.tensor_arguments import assign, method, tensor
from mlapath.models.torch_device import device_class, parse, resolve, type_of
from mlapath.values.join import same
from mlapath.values.objects import Instance
from mlapath.values.truth import Truth
from mlapath.values.value import External, Union, Unknown, V

NONE = V(None)


def is_device(it: Any, value: V) -> bool:
    d = value.d
    return type(d) in (str, int) or type(d) is Instance and d.cls is device_class(it)


def to(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``to(device)``, ``to(dtype)``, ``to(device, dtype)``, ``to(other)``."""
    device, dtype = kwargs.get("device"), kwargs.get("dtype")
    first = args[0] if args else V(None)
    if type(first.d) is Union and any(is_array(o) for o in first.d.options):
        options = list(first.d.options)
        return it.each(options, lambda o: to(it, base, [o, *args[1:]], kwargs))  # type: ignore[no-any-return]
    for i, value in enumerate(args[:2]):
        if is_array(value):
            device, dtype = device_of(value), dtype_of(value)
        elif dtype_name(value) is not None or type(value.d) is External:
            dtype = value
        elif is_device(it, value) or type(value.d) is Unknown and value.d.lib == "torch.device()":
            device = value
        elif type(value.d) in (Unknown, Union):
            if i == 0 and _could_be_dtype(value):
                dtype = value
            device = value if dtype is not value else device
    return converted(it, base, device, dtype, kwargs.get("copy"))


def _could_be_dtype(value: V) -> bool:
    options = value.d.options if type(value.d) is Union else (value,)
    return all(dtype_name(o) is not None or type(o.d) is Unknown for o in options)


def converted(it: Any, base: V, device: V | None, dtype: V | None, copy: V | None = None) -> V:
    """On another device or of another type; the tensor itself where nothing changes."""
    device = None if device is not None and device.d is None else device
    dtype = None if dtype is not None and dtype.d is None else dtype
    target = device_of(base) if device is None else resolve(it, device)
    moved = device is not None and not _same_device(target, device_of(base))
    changed = dtype is not None and not same(dtype.d, dtype_of(base).d)
    if not moved and not changed and copy is None:
        return base
    made = clone(it, base, [], {})
    if dtype is not None:
        made = cast(it, base, dtype_name(dtype), dtype)
    if device is not None:
        made.d.attrs["device"] = target
    return made


def _same_device(a: V, b: V) -> bool:
    if type(a.d) is not Instance or type(b.d) is not Instance:
        return False
    return all(same(a.d.attrs[k].d, b.d.attrs[k].d) for k in ("type", "index")
               if k in a.d.attrs and k in b.d.attrs)  # fmt: skip


def on(kind: str) -> Any:
    """``cpu()``, ``cuda()``."""

    def fn(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
        given = argument(args, kwargs, 0, "device") if kind != "cpu" else None
        device = V(kind) if given is None or given.d is None else given
        return converted(it, base, parse(it, device), None)

    return fn


def as_type(name: str) -> Any:
    """``float()``, ``int()`` and the like."""
    return lambda it, base, args, kwargs: converted(it, base, None, V(External(f"torch.{name}")))


def type_(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dtype = argument(args, kwargs, 0, "dtype")
    if dtype is None or dtype.d is None:
        return V(Unknown("the name of a tensor type", "str"))
    return converted(it, base, None, dtype)


def clone(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """A copy of its own."""
    return layout.inherit(it, like(it, base, dims_of(base), items=items_of(base)), [base])


def contiguous(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    truth_ = layout.contiguous(it, base)
    if truth_ is Truth.TRUE:
        return base
    if truth_ is Truth.FALSE:
        return like(it, base, dims_of(base), items=items_of(base))
    return view(it, base, dims_of(base), None)  # a copy or not: a write may reach both


def alias(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``detach()`` and the like: the same storage."""
    made = like(it, base, dims_of(base))
    for key in (STORE, VIEW, layout.STRIDES):
        if key in base.d.attrs:
            made.d.attrs[key] = base.d.attrs[key]
    return made


def item(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """The one element, as a Python number."""
    total = count(it, dims_of(base))
    if type(total.d) is int and total.d != 1:
        it.throw("RuntimeError", f"a Tensor with {total.d} elements cannot be converted to Scalar")
    found = scalar_item(it, base)
    if found is not None:
        return found if found.o is not None else V(found.d, base.o)
    kind = hint(name_of(base))
    return V(Unknown("an element of a tensor", kind or "", "" if kind else "torch.item()"), base.o)


def number(kind: Callable[[Any], Any], name: str) -> Any:
    """``int(tensor)`` and the like."""

    def fn(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
        found = item(it, base, [], {})
        if type(found.d) in (bool, int, float):
            return V(kind(found.d), found.o)
        d = found.d
        lo, hi = (d.lo, d.hi) if type(d) is Unknown and d.hint in ("int", "bool") else (None, None)
        return V(Unknown("an element of a tensor", name, lo=lo, hi=hi), base.o)

    return fn


def truth(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``bool(tensor)``."""
    total = count(it, dims_of(base))
    if type(total.d) is int and total.d > 1:
        it.throw("RuntimeError", "Boolean value of Tensor with more than one value is ambiguous")
    found = scalar_item(it, base)
    known = Truth.UNKNOWN if found is None else it.truth(found)
    if known is not Truth.UNKNOWN:
        return V(known is Truth.TRUE, base.o)
    text = found.d.text if found is not None and type(found.d) is Unknown else ""
    return V(Unknown("the truth of a tensor", "bool", text=text), base.o)


def index(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return number(int, "int")(it, base, args, kwargs)  # type: ignore[no-any-return]


def tolist(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return array_nested.to_nested(it, base)


def numpy(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``numpy()``: an array over the same storage."""
    name = name_of(base)
    symbol = None if name is None else it.models.symbol(it, f"numpy.{name}")
    dtype = symbol if symbol is not None else V(Unknown("a numpy type", "object"))
    made = new(it, array_class(it, "numpy.ndarray"), dims_of(base), dtype, origin=base.o)
    for key in (STORE, VIEW, layout.STRIDES):
        if key in base.d.attrs:
            made.d.attrs[key] = base.d.attrs[key]
    return made


def copy_(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    source = argument(args, kwargs, 1, "src") or V(Unknown("a source"))
    if type(source.d) in (bool, int, float):
        set_(it, args[0], V(Ellipsis), source)
    else:
        assign(it, args[0], tensor(it, source))
    return args[0]


def fill_(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    value = argument(args, kwargs, 1, "value") or V(Unknown("a value"))
    set_(it, args[0], V(Ellipsis), value)
    return args[0]


def zero_(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    set_(it, args[0], V(Ellipsis), V(0))
    return args[0]


def scribble(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """An in-place function whose result is not followed."""
    forget(it, args[0])
    return args[0]


def new_like(fill: int | None) -> Any:
    """``new_empty``, ``new_zeros``, ``new_ones``."""

    def fn(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
        given = args or [kwargs["size"]] if args or "size" in kwargs else []
        dims = shape_argument(it, given)
        dtype = kwargs.get("dtype")
        device = kwargs.get("device")
        target = device_of(base) if device is None or device.d is None else resolve(it, device)
        return blank(it, array_class(it, "torch.Tensor"), dims,
                     dtype_of(base) if dtype is None or dtype.d is None else dtype, target,
                     None if fill is None else V(fill), base.o)  # fmt: skip

    return fn


def new_full(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    value = argument(args, kwargs, 1, "fill_value") or V(Unknown("a fill"))
    made: V = new_like(None)(it, base, args[:1], kwargs)
    set_(it, made, V(Ellipsis), value)
    return made


def new_tensor(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    nested = array_nested.flatten(it, args[0])
    if nested is None:
        return like(it, base, array_nested.shape_of_nested(it, args[0]), kwargs.get("dtype"))
    return like(it, base, [V(n) for n in nested[0]], kwargs.get("dtype"), nested[1])


def getitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return get(it, args[0], args[1])


def setitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    set_(it, args[0], args[1], args[2])
    return NONE


def rows(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """Iteration over the first dimension."""
    base = args[0]
    dims = dims_of(base)
    if dims is not None and not dims:
        it.throw("TypeError", "iteration over a 0-d tensor")
    if dims is None or type(dims[0].d) is not int or dims[0].d > 4096:
        return V(Unknown("the rows of a tensor", "", "torch.Tensor[]"), base.o)
    return V(it.heap.list([get(it, base, V(i)) for i in range(dims[0].d)]), base.o)


def is_pinned(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    if type_of(device_of(base)) not in (None, "cpu"):
        return V(False, base.o)
    return base.d.attrs.get("\0pinned", V(False))  # type: ignore[no-any-return]


def pin_memory(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    made = clone(it, base, [], {})
    made.d.attrs["\0pinned"] = V(True)
    return made


def contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    items = items_of(args[0])
    if items is None:
        return V(Unknown("whether a tensor has an element", "bool"), args[0].o)
    truth_ = it.contains(V(it.heap.list([element(x) for x in items])), args[1])
    if truth_ is Truth.UNKNOWN:
        return V(Unknown("whether a tensor has an element", "bool"), args[0].o)
    return V(truth_ is Truth.TRUE, args[0].o)


SCRIBBLES = ("uniform_", "normal_", "random_", "exponential_", "bernoulli_", "index_copy_",
             "index_add_", "index_fill_", "scatter_", "scatter_add_", "scatter_reduce_",
             "index_put_", "masked_scatter_", "set_", "put_", "addmm_", "baddbmm_", "addcmul_",
             "addcdiv_", "lerp_", "copy", "geometric_", "log_normal_", "cauchy_")  # fmt: skip
METHODS: dict[str, Fn] = {
    **{name: method(fn) for name, fn in (
        ("to", to), ("cpu", on("cpu")), ("cuda", on("cuda")), ("xpu", on("xpu")), ("type", type_),
        ("clone", clone), ("contiguous", contiguous), ("detach", alias), ("detach_", alias),
        ("item", item), ("tolist", tolist), ("numpy", numpy), ("__array__", numpy),
        ("__bool__", truth), ("__int__", number(int, "int")), ("__index__", index),
        ("__float__", number(float, "float")), ("new_empty", new_like(None)),
        ("new_zeros", new_like(0)), ("new_ones", new_like(1)), ("new_full", new_full),
        ("new_tensor", new_tensor), ("is_pinned", is_pinned), ("pin_memory", pin_memory),
        ("type_as", lambda it, b, a, k: converted(it, b, device_of(tensor(it, a[0])),
                                                  dtype_of(tensor(it, a[0])))))},
    **{name: method(as_type(dtype)) for name, dtype in (
        ("float", "float32"), ("half", "float16"), ("bfloat16", "bfloat16"), ("double", "float64"),
        ("int", "int32"), ("long", "int64"), ("short", "int16"), ("bool", "bool"),
        ("char", "int8"), ("byte", "uint8"))},
    **dict.fromkeys(SCRIBBLES, scribble),
    "copy_": copy_, "fill_": fill_, "zero_": zero_, "__getitem__": getitem,
    "__setitem__": setitem, "__iter__": rows, "__contains__": contains,
}  # fmt: skip
FUNCTIONS: dict[str, Fn] = {
    "clone": METHODS["clone"], "detach": METHODS["detach"],
    "fill_": fill_, "zero_": zero_,
}  # fmt: skip
