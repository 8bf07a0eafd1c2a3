"""``torch.nn.functional`` and ``torch.nn.init``."""

from __future__ import annotations

from typing import Any

from mlapath.models import array_index
from mlapath.models.api import Fn, argument
from mlapath.models.array_value import (
    array_class,
    blank,
    dims_of,
    dtype_of,
    forget,
    is_array,
    like,
    new,
)
from mlapath.models.tensor_arguments import method, tensor, unknown_dtype
from mlapath.models.tensor_linear import linear
from mlapath.values.objects import SliceObj
from mlapath.values.value import NONE, External, V

_SAME = (
    "silu gelu relu relu6 sigmoid tanh softmax log_softmax softplus logsigmoid layer_norm "
    "rms_norm normalize dropout group_norm instance_norm batch_norm elu leaky_relu mish hardswish "
    "hardsigmoid threshold hardtanh"
)
_INITS = (
    "uniform_ normal_ constant_ ones_ zeros_ eye_ xavier_uniform_ xavier_normal_ "
    "kaiming_uniform_ kaiming_normal_ trunc_normal_ orthogonal_ sparse_ dirac_"
)


def _same(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return like(it, base, dims_of(base))


def pad(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``pad(x, (left, right, …))`` from the last dimension on; a constant's contents followed."""
    dims = dims_of(base)
    amounts = it.iterate(argument(args, kwargs, 0, "pad") or NONE)
    mode = argument(args, kwargs, 1, "mode", V("constant")) or V("constant")
    value = argument(args, kwargs, 2, "value") or NONE
    if dims is None or amounts is None or len(amounts) % 2 or len(amounts) > 2 * len(dims):
        return like(it, base, None)
    out = list(dims)
    region: list[V] = [V(SliceObj(NONE, NONE, NONE))] * len(dims)
    followed = mode.d == "constant"
    for i in range(len(amounts) // 2):
        before, after = amounts[2 * i], amounts[2 * i + 1]
        axis = len(dims) - 1 - i
        out[axis] = it.binop("+", it.binop("+", dims[axis], before), after)
        if all(type(x.d) is int and x.d >= 0 for x in (dims[axis], before, after)):
            region[axis] = V(SliceObj(before, V(before.d + dims[axis].d), NONE))
        else:
            followed = False
    if not followed:
        return like(it, base, out)
    fill = V(0) if value.d is None else value
    made = blank(it, array_class(it, "torch.Tensor"), out, dtype_of(base),
                 base.d.attrs.get("device"), fill, base.o)  # fmt: skip
    array_index.set_(it, made, V(tuple(region)), base)
    return made


def embedding(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """Rows of a weight by index."""
    weight = tensor(it, argument(args, kwargs, 0, "weight") or NONE)
    x, w = dims_of(base), dims_of(weight)
    out = None if x is None or w is None else [*x, *w[1:]]
    return like(it, weight, out)


def attention(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``scaled_dot_product_attention(query, key, value)``."""
    value = tensor(it, argument(args, kwargs, 1, "value") or NONE)
    q, v = dims_of(base), dims_of(value)
    return like(it, base, None if q is None or v is None else [*q[:-1], v[-1]])


def one_hot(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    classes = argument(args, kwargs, 0, "num_classes", V(-1)) or V(-1)
    dims = dims_of(base)
    known = dims is not None and type(classes.d) is int and classes.d >= 0
    out = [*dims, classes] if known and dims is not None else None
    return like(it, base, out, V(External("torch.int64")))


def _init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """Initialisers write the tensor and return it."""
    target = args[0] if args else kwargs.get("tensor", NONE)
    forget(it, target)
    return target


def unknown_tensor(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A function whose result is a tensor of unknown shape."""
    for value in (*args, *kwargs.values()):
        it.trace.escape(value)
    if "out" in kwargs:
        forget(it, kwargs["out"])
    base = next((a for a in args if is_array(a)), None)
    device = base.d.attrs.get("device") if base is not None else None
    return new(it, array_class(it, "torch.Tensor"), None, unknown_dtype(), device)


PACKAGE = "torch.nn.functional"
FUNCTIONS: dict[str, Fn] = {
    **{f"{PACKAGE}.{name}": method(_same) for name in _SAME.split()},
    f"{PACKAGE}.linear": method(linear), f"{PACKAGE}.pad": method(pad),
    f"{PACKAGE}.embedding": method(embedding), f"{PACKAGE}.one_hot": method(one_hot),
    f"{PACKAGE}.scaled_dot_product_attention": method(attention),
    **{f"torch.nn.init.{name}": _init for name in _INITS.split()},
}  # fmt: skip
