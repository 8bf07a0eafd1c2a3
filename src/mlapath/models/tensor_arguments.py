"""What summaries of tensor functions share: operands, devices, results, ``out=``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mlapath.models import array_nested
from mlapath.models.api import Fn, make_class
from mlapath.models.array_broadcast import broadcast_items
from mlapath.models.array_value import (
    array_class,
    dimension,
    dims_of,
    dtype_name,
    dtype_of,
    forget,
    is_array,
    items_of,
    known_dims,
    new,
    write,
)
from mlapath.values.join import same
from mlapath.values.objects import Instance
from mlapath.values.value import External, Union, Unknown, V


def tensor(it: Any, value: V) -> V:
    """``value`` as a tensor.

    An unknown value, or one of several, is a tensor with what is known of it. Raises the
    program's TypeError for what is certainly none.
    """
    if is_array(value):
        return value
    d = value.d
    cls = array_class(it, "torch.Tensor")
    if type(d) is Union:
        options = [tensor(it, o) for o in d.options if o.d is not None]
        first = options[0]
        dims = dims_of(first)
        for other in options[1:]:
            dims = _agreed(dims, dims_of(other))
        dtypes = {dtype_name(dtype_of(o)) for o in options}
        dtype = dtype_of(first) if len(dtypes) == 1 else unknown_dtype()
        return new(it, cls, dims, dtype, first.d.attrs.get("device"), origin=value.o)
    if type(d) in (bool, int, float) or type(d) is Unknown and d.hint in ("bool", "int", "float"):
        kind = d.hint if type(d) is Unknown else type(d).__name__
        name = {"bool": "bool", "int": "int64"}.get(kind, "float32")
        return new(it, cls, [], V(External(f"torch.{name}")), items=[value], origin=value.o)
    if type(d) is str or d is None:
        it.throw("TypeError", f"argument must be Tensor, not {it.type_name(value)}")
    return new(it, cls, None, unknown_dtype(), origin=value.o)


def _agreed(a: Sequence[V] | None, b: Sequence[V] | None) -> tuple[V, ...] | None:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if same(x.d, y.d) else dimension("a dimension of one of several tensors")
                 for x, y in zip(a, b, strict=True))  # fmt: skip


def unknown_dtype() -> V:
    """An element type that is not known."""
    return V(Unknown("the type of an unknown tensor", "object", "torch.dtype"))


def operand(it: Any, value: V) -> V:
    """An operand of arithmetic: an array or a number as it is, a list as a tensor."""
    if is_array(value) or type(value.d) not in array_nested.SEQUENCES:
        if type(value.d) is Unknown and not value.d.hint or type(value.d) is Union and any(
            is_array(o) for o in value.d.options
        ):  # fmt: skip
            return tensor(it, value)
        return value
    return array_nested.index_array(it, value)


def truth(it: Any, value: V | None, default: bool = False) -> bool | None:
    """A bool parameter; None where it is not known."""
    if value is None:
        return default
    if type(value.d) is bool:
        return value.d
    return None if type(value.d) in (Unknown, Union) else bool(value.d)


def finish(it: Any, made: V, kwargs: dict[str, V]) -> V:
    """The result of a function that may have an ``out=``."""
    out = kwargs.get("out")
    if out is None or out.d is None:
        return made
    if not is_array(out):
        forget(it, out)
        return out
    assign(it, out, made)
    return out


def assign(it: Any, target: V, source: V) -> None:
    """Overwrite the contents of ``target`` by those of ``source``, broadcast."""
    ints = known_dims(dims_of(target))
    own = known_dims(dims_of(source))
    items = items_of(source)
    spread = None
    if ints is not None and own is not None and items is not None:
        spread = broadcast_items(items, own, ints)
    write(it, target, spread)


def method(fn: Callable[[Any, V, list[V], dict[str, V]], V]) -> Fn:
    """A summary from ``fn(engine, tensor, other args, kwargs)``, honouring ``out=``."""

    def summary(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        if args:
            first, rest = args[0], args[1:]
        else:
            name = next((n for n in ("input", "self", "tensor", "a") if n in kwargs), "")
            kwargs = dict(kwargs)
            first, rest = kwargs.pop(name, V(Unknown("a missing argument"))), []
        return finish(it, fn(it, tensor(it, first), rest, kwargs), kwargs)

    return summary


def in_place(fn: Fn) -> Fn:
    """``name_`` from ``name``: the result overwrites the tensor, which is returned."""

    def summary(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        target = tensor(it, args[0])
        assign(it, target, tensor(it, fn(it, args, kwargs)))
        if not is_array(args[0]):
            for option in args[0].d.options if type(args[0].d) is Union else ():
                forget(it, option)
        return args[0]

    return summary


def named_result(it: Any, kind: str, parts: dict[str, V]) -> V:
    """A named tuple as ``torch.return_types`` has them."""
    key = f"torch.return_types.{kind}"
    cls = it.store.get(key)
    if cls is None:
        cls = it.store[key] = make_class(it, key, (it.builtins["tuple"].d,))
    made = Instance(cls, it.heap.cell(dict(parts)))
    made.payload = tuple(parts.values())
    return V(made)
