"""Nested Python sequences as contents of arrays, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlapath.models.array_dtype import unknown
from mlapath.models.array_value import (
    MAX_ITEMS,
    array_class,
    dimension,
    dims_of,
    dtype_name,
    element,
    is_array,
    items_of,
    known_dims,
    new,
)
from mlapath.values.objects import Instance, ListObj
from mlapath.values.value import External, Unknown, V

SEQUENCES = (ListObj, tuple, range)


def flatten(it: Any, value: V) -> tuple[tuple[int, ...], list[V]] | None:
    """(shape, items in C order) of a number, a nested sequence or an array; None: not known."""
    d = value.d.payload if type(value.d) is Instance and not is_array(value) else value.d
    if is_array(value):
        ints, items = known_dims(dims_of(value)), items_of(value)
        return None if ints is None or items is None else (ints, items)
    if type(d) not in SEQUENCES:
        return ((), [V(d, value.o)]) if type(d) in (bool, int, float, Unknown) else None
    parts = it.iterate(V(d, value.o))
    if parts is None or it.is_open(V(d)) or len(parts) > MAX_ITEMS:
        return None
    if not parts:
        return (0,), []
    inner = [flatten(it, part) for part in parts]
    shapes = {part[0] for part in inner if part is not None}
    if any(part is None for part in inner) or len(shapes) != 1:
        return None
    return (len(parts), *shapes.pop()), [x for part in inner if part is not None for x in part[1]]


def shape_of_nested(it: Any, value: V) -> list[V] | None:
    """The shape of a nested sequence, as far as its first items tell."""
    if is_array(value):
        dims = dims_of(value)
        return None if dims is None else list(dims)
    d = value.d
    if type(d) not in SEQUENCES:
        return [] if type(d) in (bool, int, float) or type(d) is Unknown and d.hint else None
    parts = it.iterate(value)
    if parts is None:
        return None
    opened = it.is_open(value)
    rest = shape_of_nested(it, parts[0]) if parts else None if opened else []
    if rest is None:
        return None
    return [dimension("the length of a list that is not fully known") if opened
            else V(len(parts)), *rest]  # fmt: skip


def scalar_kind(items: Sequence[V]) -> str:
    """``bool int float`` for the Python numbers of a list; "" where it is not known."""
    kinds = {x.d.hint if type(x.d) is Unknown else type(x.d).__name__ for x in items}
    if not kinds <= {"bool", "int", "float"}:
        return ""
    return "float" if "float" in kinds else "int" if "int" in kinds else "bool"


def index_array(it: Any, value: V) -> V:
    """A list used as an index, as an array of numbers or a mask."""
    nested = flatten(it, value)
    cls = array_class(it, "torch.Tensor")
    if nested is None:
        shape = shape_of_nested(it, value)
        return new(it, cls, shape, V(External("torch.int64")))
    kind = "torch.bool" if nested[1] and scalar_kind(nested[1]) == "bool" else "torch.int64"
    return new(it, cls, [V(n) for n in nested[0]], V(External(kind)), items=nested[1])


def to_nested(it: Any, value: V) -> V:
    """``tolist()``: nested lists of numbers."""
    dims, items = dims_of(value), items_of(value)
    ints = known_dims(dims)
    if dims is None or ints is None:
        listed = V(it.heap.list([]), value.o)
        it.heap.open_list(listed.d, "the contents of an unknown tensor")
        return V(Unknown("tolist() of an unknown tensor"), value.o) if dims is None else listed
    if items is None:
        name = dtype_name(value.d.attrs.get("dtype"))
        total = 1
        for n in ints:
            total *= n
        if total > MAX_ITEMS:
            return V(Unknown("the contents of a large tensor", "list"), value.o)
        items = [unknown(name, "an element of an unknown tensor") for _ in range(total)]
    return _nest(it, [element(x) for x in items], ints, value)


def _nest(it: Any, items: list[V], ints: Sequence[int], value: V) -> V:
    if not ints:
        return items[0] if items[0].o is not None else V(items[0].d, value.o)
    step = len(items) // ints[0] if ints[0] else 0
    if len(ints) == 1:
        return V(it.heap.list(items), value.o)
    rows = [_nest(it, items[i * step : (i + 1) * step], ints[1:], value) for i in range(ints[0])]
    return V(it.heap.list(rows), value.o)
