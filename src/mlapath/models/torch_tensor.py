"""``torch.Tensor`` and ``torch.Size`` as classes, and the tensor functions of ``torch``."""

from __future__ import annotations

from typing import Any

from mlapath.models import (
    tensor_arith,
    tensor_convert,
    tensor_linear,
    tensor_meta,
    tensor_reduce,
    tensor_select,
    tensor_views,
    torch_create,
)
from mlapath.models.api import Fn, make_class
from mlapath.models.array_join import fewer
from mlapath.models.array_layout import STRIDES
from mlapath.models.array_shape import shape_argument
from mlapath.models.array_value import (
    STORE,
    VIEW,
    array_class,
    blank,
    device_of,
    dims_of,
    forget,
    is_array,
    like,
    new,
)
from mlapath.models.tensor_arguments import in_place, method, tensor, unknown_dtype
from mlapath.models.torch_device import resolve
from mlapath.models.torch_names import TENSOR_METHODS, TENSOR_PROPERTIES
from mlapath.values.objects import ClassObj, Descriptor, Instance, Native
from mlapath.values.value import External, Unknown, V

MODULES = (tensor_arith, tensor_convert, tensor_linear, tensor_meta, tensor_reduce, tensor_select,
           tensor_views)  # fmt: skip
_SAME_SHAPE = (
    "acos acosh arctan asinh atanh ceil conj cumprod digamma dropout erfc erfinv "
    "fix float_power fmod frac hardshrink i0 igamma lgamma log_softmax nan_to_num prelu "
    "resolve_conj resolve_neg sgn sinc softmax xlogy"
)
KEEPS_SHAPE = frozenset(_SAME_SHAPE.split())
LEGACY = {"FloatTensor": "float32", "HalfTensor": "float16", "DoubleTensor": "float64",
          "IntTensor": "int32", "LongTensor": "int64", "ByteTensor": "uint8",
          "BoolTensor": "bool", "BFloat16Tensor": "bfloat16", "CharTensor": "int8"}  # fmt: skip


def _methods() -> dict[str, Fn]:
    table: dict[str, Fn] = {}
    for module in MODULES:
        table.update(module.METHODS)
    for name in ("squeeze", "unsqueeze", "transpose", "t", "cumsum", "index_select", "softmax",
                 "masked_fill", "relu", "sort"):  # fmt: skip
        if name in table:
            table[f"{name}_"] = _shape_in_place(table[name]) if name in (
                "squeeze", "unsqueeze", "transpose", "t") else in_place(table[name])  # fmt: skip
    return table


def _shape_in_place(fn: Fn) -> Fn:
    def summary(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made = fn(it, args, kwargs)
        tensor_meta.set_data(it, [args[0], made], {})
        return args[0]

    return summary


def _new(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Tensor.__new__(cls, data or sizes)``."""
    cls = args[0].d
    data = args[1] if len(args) > 1 else kwargs.get("data")
    if data is None:
        made = new(it, array_class(it, "torch.Tensor"), [V(0)], V(External("torch.float32")),
                   resolve(it, None), [])  # fmt: skip
    elif is_array(data) or type(data.d) is Unknown:
        made = tensor(it, data)
    elif all(type(a.d) is int for a in args[1:]):
        made = blank(it, array_class(it, "torch.Tensor"), shape_argument(it, args[1:]),
                     V(External("torch.float32")), resolve(it, None), None)  # fmt: skip
    else:
        made = torch_create.make_tensor(it, [data], {"dtype": V(External("torch.float32"))})
    return retyped(it, cls, made)


def retyped(it: Any, cls: ClassObj, base: V) -> V:
    """An instance of a subclass of Tensor that shows the storage of ``base``."""
    made = V(Instance(cls, it.heap.cell()), base.o)
    for key in ("shape", "dtype", "device", STORE, VIEW, STRIDES):
        if key in base.d.attrs:
            made.d.attrs[key] = base.d.attrs[key]
    made.d.site = it.site()
    return made


def _new_parameter(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Parameter.__new__(cls, data, requires_grad)``."""
    data = args[1] if len(args) > 1 else kwargs.get("data")
    flag = args[2] if len(args) > 2 else kwargs.get("requires_grad", V(True))
    empty = data is None or data.d is None
    made = retyped(it, args[0].d, tensor(it, data) if data is not None and not empty else new(
        it, array_class(it, "torch.Tensor"), [V(0)], V(External("torch.float32")),
        resolve(it, None), []))  # fmt: skip
    made.d.attrs["requires_grad"] = flag
    return made


def _no_init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(None)


def _getattr(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """An attribute without a summary: a method whose result is a tensor of unknown shape."""
    base, name = args[0], args[1].d
    if name in tensor_meta.DEFAULTS:
        return V(tensor_meta.DEFAULTS[name])
    if name in ("shape", "dtype", "device"):
        return V(Unknown(f"the {name} of an unknown tensor", "", f"torch.Tensor.{name}"))
    if name in TENSOR_PROPERTIES:
        return V(Unknown(f"{name} of a tensor", "", f"torch.Tensor.{name}"), base.o)
    if name not in TENSOR_METHODS or name.startswith("\0"):
        it.throw("AttributeError", f"'{base.d.cls.name}' object has no attribute '{name}'")
    return V(Native(f"torch.Tensor.{name}", lambda i, a, k: _unmodelled(i, base, name, a, k)))


def _unmodelled(it: Any, base: V, name: str, args: list[V], kwargs: dict[str, V]) -> V:
    it.trace.external(it.frame, f"torch.Tensor.{name}")
    for value in (*args, *kwargs.values()):
        it.trace.escape(value)
    if name.endswith("_") and not name.startswith("_"):
        forget(it, base)
        return base
    if "out" in kwargs:
        forget(it, kwargs["out"])
    if name in KEEPS_SHAPE:
        return like(it, base, dims_of(base))
    return new(it, array_class(it, "torch.Tensor"), None, unknown_dtype(), device_of(base),
               origin=base.o)  # fmt: skip


def _text(it: Any, value: V, conversion: str) -> None:
    """The text of a tensor is not followed."""
    return


def build_tensor(it: Any) -> V:
    """The class ``torch.Tensor``."""
    cls = make_class(
        it, "torch.Tensor", methods={**_methods(), "__getattr__": _getattr, "__init__": _no_init},
        properties=tensor_meta.PROPERTIES,
        facts={"array": "torch.Tensor", "text": _text, "forget": forget, "fewer": fewer,
               "fixed": tensor_meta.NOT_PYTHON},
    )  # fmt: skip
    cls.ns.update(tensor_meta.descriptors())
    cls.ns["__new__"] = V(Descriptor("staticmethod", V(Native("torch.Tensor.__new__", _new))))
    cls.ns["__hash__"] = V(Native("torch.Tensor.__hash__", lambda i, a, k: V(
        Unknown("a hash", "int")), binds=True))  # fmt: skip
    return V(cls)


def build_parameter(it: Any) -> V:
    """The class ``torch.nn.Parameter``."""
    cls = make_class(it, "torch.nn.parameter.Parameter", (array_class(it, "torch.Tensor"),))
    native = V(Native("torch.nn.Parameter.__new__", _new_parameter))
    cls.ns["__new__"] = V(Descriptor("staticmethod", native))
    return V(cls)


def build_uninitialized(it: Any) -> V:
    """The class of parameters whose shape comes later: none of the path's is one."""
    base = array_class(it, "torch.nn.parameter.Parameter")
    return V(make_class(it, "torch.nn.parameter.UninitializedParameter", (base,)))


def build_buffer(it: Any) -> V:
    """The class ``torch.nn.Buffer``."""
    return V(make_class(it, "torch.nn.parameter.Buffer", (array_class(it, "torch.Tensor"),)))


def _size(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made = Instance(cls, it.heap.cell())
    dims = shape_argument(it, args[:1]) if args else []
    made.payload = None if dims is None else tuple(dims)
    return V(made, args[0].o if args else None)


def _size_text(it: Any, value: V, conversion: str) -> str | None:
    if value.d.payload is None:
        return None
    parts = [it.format_value(d, "r", "") for d in value.d.payload]
    return None if None in parts else f"torch.Size([{', '.join(parts)}])"


def build_size(it: Any) -> V:
    """The class ``torch.Size``, a tuple."""
    return V(make_class(
        it, "torch.Size", (it.builtins["tuple"].d,), construct=_size,
        methods=tensor_meta.shape_methods(), facts={"text": _size_text},
    ))  # fmt: skip


def _legacy(name: str) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        dtype = V(External(f"torch.{name}"))
        if args and all(type(a.d) is int for a in args):
            return blank(it, array_class(it, "torch.Tensor"), shape_argument(it, args), dtype,
                         resolve(it, V("cpu")), None)  # fmt: skip
        data = args[0] if args else V(it.heap.list([]))
        return torch_create.make_tensor(it, [data], {"dtype": dtype})

    return fn


def unmodelled_function(name: str) -> Fn:
    """A function of torch that is a tensor method without a summary."""
    return method(lambda it, base, args, kwargs: _unmodelled(it, base, name, args, kwargs))


def _functions() -> dict[str, Fn]:
    table: dict[str, Fn] = {}
    for module in MODULES:
        table.update({f"torch.{k}": v for k, v in module.FUNCTIONS.items()})
    table.update({f"torch.{k}": v for k, v in torch_create.FUNCTIONS.items()})
    table["torch.where"] = _where
    table.update({f"torch.{k}": _legacy(v) for k, v in LEGACY.items()})
    for name in sorted(KEEPS_SHAPE):
        table.setdefault(f"torch.{name}", unmodelled_function(name))
    for name in ("clamp_", "relu_", "sigmoid_"):
        table[f"torch.{name}"] = in_place(table[f"torch.{name[:-1]}"])
    return table


def _where(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``where(condition, a, b)``, or the places where a condition holds."""
    if len(args) + len(kwargs) == 1:
        return tensor_select.nonzero(it, tensor(it, args[0]), [], {"as_tuple": V(True)})
    named = [kwargs[n] for n in ("condition", "input", "other") if n in kwargs]
    return tensor_arith.where(it, [*args, *named], kwargs)


FUNCTIONS: dict[str, Fn] = _functions()
VALUES = {
    "torch.Tensor": build_tensor, "torch.Size": build_size,
    "torch.nn.parameter.Parameter": build_parameter, "torch.nn.parameter.Buffer": build_buffer,
    "torch.nn.parameter.UninitializedParameter": build_uninitialized,
    "torch.inf": lambda it: V(float("inf")), "torch.nan": lambda it: V(float("nan")),
    "torch.pi": lambda it: V(3.141592653589793), "torch.e": lambda it: V(2.718281828459045),
    "torch.newaxis": lambda it: V(None),
}  # fmt: skip
ALIASES = {
    "torch.nn.Parameter": "torch.nn.parameter.Parameter",
    "torch.nn.UninitializedParameter": "torch.nn.parameter.UninitializedParameter",
    "torch.nn.Buffer": "torch.nn.parameter.Buffer", "torch._tensor.Tensor": "torch.Tensor",
}  # fmt: skip
