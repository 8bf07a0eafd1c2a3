"""Layers of ``torch.nn``: their parameters, and the shapes that they give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn, argument, make_class
from mlapath.models.array_value import array_class, dims_of, like
from mlapath.models.tensor_arguments import tensor, truth
from mlapath.models.tensor_linear import linear
from mlapath.models.torch_create import FUNCTIONS as CREATE
from mlapath.models.torch_functional import FUNCTIONS as FUNCTIONAL
from mlapath.models.torch_module import module_class
from mlapath.values.value import NONE, TRUE, Unknown, V

PACKAGE = "torch.nn.modules"


def _parameter(it: Any, dims: list[V], kwargs: dict[str, V]) -> V:
    options = {k: v for k, v in kwargs.items() if k in ("device", "dtype")}
    data = CREATE["empty"](it, dims or [V(())], options)
    cls = array_class(it, "torch.nn.parameter.Parameter")
    made: V = it.call(V(cls), [data], {})
    return made


def _set(it: Any, module: V, **values: V) -> None:
    for name, value in values.items():
        it.heap.put(module.d.attrs, name, value)


def _linear_init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    wide = argument(args, kwargs, 1, "in_features") or NONE
    out = argument(args, kwargs, 2, "out_features") or NONE
    bias = truth(it, argument(args, kwargs, 3, "bias"), default=True)
    weight = _parameter(it, [out, wide], kwargs)
    _set(it, args[0], training=TRUE, in_features=wide, out_features=out, weight=weight,
         bias=NONE if bias is False else _parameter(it, [out], kwargs))  # fmt: skip
    return NONE


def _linear_forward(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    x = argument(args, kwargs, 1, "input") or NONE
    return linear(it, tensor(it, x), [it.getattr(args[0], "weight")], {})


def _embedding_init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    rows = argument(args, kwargs, 1, "num_embeddings") or NONE
    width = argument(args, kwargs, 2, "embedding_dim") or NONE
    _set(it, args[0], training=TRUE, num_embeddings=rows, embedding_dim=width,
         padding_idx=argument(args, kwargs, 3, "padding_idx") or NONE,
         weight=_parameter(it, [rows, width], kwargs))  # fmt: skip
    return NONE


def _embedding_forward(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    x = argument(args, kwargs, 1, "input") or NONE
    return FUNCTIONAL["torch.nn.functional.embedding"](it, [x, it.getattr(args[0], "weight")], {})


def _norm_init(first: str, *, has_bias: bool) -> Fn:
    """Norms over the last dimensions: a weight, perhaps a bias, of the normalised shape."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        shape = argument(args, kwargs, 1, first) or NONE
        dims = [shape] if type(shape.d) in (int, Unknown) else it.iterate(shape)
        affine = truth(it, kwargs.get("elementwise_affine", kwargs.get("affine")), default=True)
        bias = truth(it, kwargs.get("bias"), default=has_bias)
        weight = NONE if affine is False else _parameter(it, dims, kwargs)
        own_bias = _parameter(it, dims, kwargs) if has_bias and bias and affine else NONE
        _set(it, args[0], training=TRUE, weight=weight, bias=own_bias,
             normalized_shape=V(tuple(dims)) if dims is not None else NONE,
             eps=argument(args, kwargs, 2, "eps") or V(1e-5))  # fmt: skip
        return NONE

    return fn


def _same_forward(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    x = tensor(it, args[1] if len(args) > 1 else next(iter(kwargs.values()), NONE))
    return like(it, x, dims_of(x))


def _identity(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[1] if len(args) > 1 else next(iter(kwargs.values()), NONE)


def _free_init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A layer whose parameters are not followed."""
    _set(it, args[0], training=TRUE, **{k: v for k, v in kwargs.items() if k.isidentifier()})
    return NONE


def _unknown_init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _free_init(it, args, kwargs)
    args[0].d.open = f"attributes of {args[0].d.cls.full}"
    return NONE


def _unknown_forward(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return tensor(it, V(Unknown("the result of a layer of torch.nn", "", "torch.nn.Module()")))


def _convolution_init(rank: int) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        narrow = argument(args, kwargs, 1, "in_channels") or NONE
        out = argument(args, kwargs, 2, "out_channels") or NONE
        size = argument(args, kwargs, 3, "kernel_size") or NONE
        groups = argument(args, kwargs, 7, "groups", V(1)) or V(1)
        sides = [size] * rank if type(size.d) in (int, Unknown) else it.iterate(size) or [size]
        bias = truth(it, argument(args, kwargs, 8, "bias"), default=True)
        weight = _parameter(it, [out, it.binop("//", narrow, groups), *sides], kwargs)
        _set(it, args[0], training=TRUE, in_channels=narrow, out_channels=out, weight=weight,
             kernel_size=V(tuple(sides)), groups=groups,
             stride=argument(args, kwargs, 4, "stride", V(1)) or V(1),
             padding=argument(args, kwargs, 5, "padding", V(0)) or V(0),
             bias=NONE if bias is False else _parameter(it, [out], kwargs))  # fmt: skip
        return NONE

    return fn


Layer = tuple[str, Fn, Fn]
_ACTIVATIONS = (
    "ReLU ReLU6 SiLU GELU Sigmoid Tanh Softmax LogSoftmax Softplus Mish LeakyReLU Hardswish "
    "Hardsigmoid ELU SELU CELU PReLU Softsign Threshold"
)
LAYERS: dict[str, Layer] = {
    "Linear": ("linear", _linear_init, _linear_forward),
    "Identity": ("linear", _free_init, _identity),
    "Embedding": ("sparse", _embedding_init, _embedding_forward),
    "LayerNorm": ("normalization", _norm_init("normalized_shape", has_bias=True), _same_forward),
    "RMSNorm": ("normalization", _norm_init("normalized_shape", has_bias=False), _same_forward),
    "Dropout": ("dropout", _free_init, _identity),
    **dict.fromkeys(_ACTIVATIONS.split(), ("activation", _free_init, _same_forward)),
    **{f"Conv{n}d": ("conv", _convolution_init(n), _unknown_forward) for n in (1, 2, 3)},
    **{f"BatchNorm{n}d": ("batchnorm", _norm_init("num_features", has_bias=True), _same_forward)
       for n in (1, 2, 3)},
}  # fmt: skip


def _builder(full: str, init: Fn, forward: Fn) -> Callable[[Any], V]:
    methods = {"__init__": init, "forward": forward, "reset_parameters": lambda it, a, k: NONE}
    return lambda it: V(make_class(it, full, (module_class(it),), methods=methods))


def other_layer(it: Any, name: str) -> V:
    """A layer without a summary: a module whose attributes and results are not known."""
    return _builder(name, _unknown_init, _unknown_forward)(it)


VALUES = {
    f"{PACKAGE}.{module}.{name}": _builder(f"{PACKAGE}.{module}.{name}", init, forward)
    for name, (module, init, forward) in LAYERS.items()
}
ALIASES = {f"torch.nn.{full.rpartition('.')[2]}": full for full in VALUES}
