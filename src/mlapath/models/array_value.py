"""Arrays (torch tensors, numpy arrays) as abstract values: shape, type, small contents.

An array is an ``Instance`` with the attributes ``shape`` (a ``torch.Size``, see ``size_of``),
``dtype`` and ``device``.  Its contents, where they are followed, are the items of a ``ListObj``
that all its views share (``STORE``) at the positions that ``VIEW`` lists in C order.  A view
with a store but without positions writes somewhere into the store.  An item is the ``V`` of a
bool, int or float, known or not.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from mlapath.models.array_dtype import DTYPES, fit, fit_all, unknown
from mlapath.values.objects import Cell, ClassObj, Instance, ListObj, Obj
from mlapath.values.origin import Origin, merge
from mlapath.values.value import External, Union, Unknown, V

STORE = "\0store"
VIEW = "\0view"
MAX_ITEMS = 1 << 10
MAX_WEIGHTS = 1 << 6
"""Of floats that are not initialised: weights and their scales, which no code branches on."""
FLOATS = frozenset(name for name, dtype in DTYPES.items() if dtype.kind == "f")

Positions = Sequence[int]


class View(Obj):
    """Which items of a store an array shows, in C order."""

    __slots__ = ("positions",)
    shared = True

    def __init__(self, positions: Positions) -> None:
        self.positions = positions


def array_class(it: Any, name: str) -> ClassObj:
    """``torch.Tensor``, ``torch.Size``, ``numpy.ndarray``: the class object."""
    found: ClassObj = it.models.symbol(it, name).d
    return found


def is_array(value: V) -> bool:
    """Whether the value is certainly a tensor or a numpy array."""
    return type(value.d) is Instance and any("array" in c.facts for c in value.d.cls.mro)


def size_of(it: Any, dims: Sequence[V] | None, origin: Origin | None = None) -> V:
    """A ``torch.Size``; of unknown rank where ``dims`` is None."""
    made = Instance(array_class(it, "torch.Size"), it.heap.cell())
    made.payload = None if dims is None else tuple(dims)
    return V(made, origin)


def dims_of(value: V) -> tuple[V, ...] | None:
    """The dimensions of an array; None where not even their number is known."""
    shape = value.d.attrs.get("shape")
    if shape is not None and type(shape.d) is Instance and type(shape.d.payload) is tuple:
        dims: tuple[V, ...] = shape.d.payload
        return dims
    return None


def dtype_of(value: V) -> V:
    """The element type of an array, as its library has it."""
    dtype: V | None = value.d.attrs.get("dtype")
    return dtype if dtype is not None else V(Unknown("the type of an unknown tensor", "object"))


def dtype_name(dtype: V | None) -> str | None:
    """``int32`` of ``torch.int32`` or of ``numpy.int32``; None where it is not known."""
    d = None if dtype is None else dtype.d
    if type(d) is External or type(d) is ClassObj:
        name = (d.name if type(d) is External else d.name.rstrip("_")).rpartition(".")[2]
        return name if name in DTYPES else None
    return None


def name_of(value: V) -> str | None:
    """The name of an array's element type."""
    return dtype_name(dtype_of(value))


def device_of(value: V) -> V:
    """The device of a tensor."""
    device: V | None = value.d.attrs.get("device")
    return device if device is not None else V(Unknown("the device of an unknown tensor"))


def known_dims(dims: Sequence[V] | None) -> tuple[int, ...] | None:
    """The dimensions as ints, or None."""
    if dims is None or any(type(d.d) is not int for d in dims):
        return None
    return tuple(d.d for d in dims)


def dimension(why: str, text: str = "", lo: int = 0, hi: float | None = None) -> V:
    """A dimension that is not known."""
    return V(Unknown(why, "int", lo=lo, hi=hi, text=text))


def count(it: Any, dims: Sequence[V] | None) -> V:
    """The number of elements."""
    if dims is None:
        return dimension("the number of elements of an unknown tensor")
    if any(type(d.d) is int and d.d == 0 for d in dims):
        return V(0)
    total = V(1)
    for d in dims:
        if d.d != 1:
            total = d if type(total.d) is int and total.d == 1 else it.binop("*", total, d)
    return V(total.d, merge(*(d.o for d in dims)))


def new(
    it: Any, cls: ClassObj, dims: Sequence[V] | None, dtype: V, device: V | None = None,
    items: Sequence[V] | None = None, origin: Origin | None = None,
) -> V:  # fmt: skip
    """A new array. items: its contents in C order; None where they are not followed."""
    made = V(Instance(cls, it.heap.cell()), origin)
    attrs: Cell = made.d.attrs
    attrs["shape"] = size_of(it, dims, origin)
    attrs["dtype"] = dtype
    if device is not None:
        attrs["device"] = device
    if items is not None and len(items) <= MAX_ITEMS:
        attrs[STORE] = V(it.heap.list(list(items)))
        attrs[VIEW] = V(View(range(len(items))))
    return made


def blank(it: Any, cls: ClassObj, dims: Sequence[V] | None, dtype: V, device: V | None,
          fill: V | None, origin: Origin | None = None) -> V:  # fmt: skip
    """A new array filled with one value; ``fill`` None: not initialised."""
    ints = known_dims(dims)
    name = dtype_name(dtype)
    items = None
    most = MAX_WEIGHTS if fill is None and name in FLOATS else MAX_ITEMS
    if ints is not None and math.prod(ints) <= most and min(ints, default=0) >= 0:
        fill = unknown(name, "memory that is not initialised") if fill is None else fill
        items = [fill if name is None else fit(fill, name)] * math.prod(ints)
    return new(it, cls, dims, dtype, device, items, origin)


def store_of(value: V) -> ListObj | None:
    """The store that an array's contents lie in, where one is followed."""
    store = value.d.attrs.get(STORE)
    return store.d if store is not None and type(store.d) is ListObj else None


def positions_of(value: V) -> Positions | None:
    """The positions of an array's elements in its store."""
    view = value.d.attrs.get(VIEW)
    return view.d.positions if view is not None and type(view.d) is View else None


def items_of(value: V) -> list[V] | None:
    """The contents in C order; None where they are not followed."""
    store, positions = store_of(value), positions_of(value)
    if store is None or positions is None or store.open:
        return None
    items = store.items
    if type(positions) is range and positions == range(len(items)):
        return list(items)
    return [items[i] for i in positions]


def view(it: Any, base: V, dims: Sequence[V] | None, positions: Positions | None) -> V:
    """An array over the same storage. positions: those of its elements in ``base``, C order.

    It is laid out as a contiguous one; who makes the view says otherwise (``array_layout``).
    """
    made = like(it, base, dims)
    store, own = store_of(base), positions_of(base)
    if store is not None:
        made.d.attrs[STORE] = V(store)
        if positions is not None and own is not None:
            made.d.attrs[VIEW] = V(View(_compose(own, positions)))
    return made


def _compose(own: Positions, positions: Positions) -> Positions:
    if type(own) is range and type(positions) is range:
        if not positions:
            return range(0)
        if own.step == 1:
            return range(own.start + positions.start, own.start + positions.stop, positions.step)
    return tuple(own[i] for i in positions)


def like(
    it: Any, base: V, dims: Sequence[V] | None, dtype: V | None = None,
    items: Sequence[V] | None = None, origin: Origin | None = None,
) -> V:  # fmt: skip
    """A new array of the library and on the device of ``base``."""
    cls = next(c for c in base.d.cls.mro if "array" in c.facts and c.facts["array"] == c.full)
    return new(it, cls, dims, dtype or dtype_of(base), base.d.attrs.get("device"), items,
               origin or base.o)  # fmt: skip


def _lacks(store: ListObj, positions: Positions) -> bool:
    """Whether a store does not list all of these positions: it was opened, or joined with one."""
    return bool(store.open) or bool(len(positions)) and max(positions) >= len(store.items)


def write(
    it: Any, target: V, items: Sequence[V] | None, positions: Positions | None = None
) -> None:
    """Overwrite the contents, or those at ``positions`` of the target; None: with unknowns."""
    store, own = store_of(target), positions_of(target)
    if store is None:
        return
    if own is None or _lacks(store, own):
        it.heap.open_list(store, "written at unknown positions")
        return
    where = own if positions is None else [own[i] for i in positions]
    name = name_of(target)
    fresh = it.heap.items_for_write(store)
    if items is None:
        anything = unknown(name, "written by code that is not followed")
        for position in where:
            fresh[position] = anything
        return
    stored = items if name is None else fit_all(items, name)
    for i, position in enumerate(where):
        fresh[position] = stored[i]


def forget(it: Any, value: V) -> None:
    """The contents of an array may have been written by code that is not looked into."""
    if is_array(value):
        write(it, value, None)
    elif type(value.d) is tuple:
        for part in value.d:
            forget(it, part)
    elif type(value.d) is ListObj:
        for part in value.d.items:
            forget(it, part)


def element(value: V) -> V:
    """An item as a scalar: an unknown is a new one each time, as items may share one."""
    d = value.d
    if type(d) is Unknown:
        return V(Unknown(d.why, d.hint, d.lib, d.lo, d.hi, d.text), value.o)
    return value


def strides(dims: Sequence[int]) -> tuple[int, ...]:
    """Strides in elements of a C-contiguous array."""
    return tuple(itertools.accumulate(reversed(dims[1:]), lambda a, b: a * b, initial=1))[::-1] \
        if dims else ()  # fmt: skip


def is_unknown(value: V | None) -> bool:
    """Whether a value is not known to be one thing."""
    return value is not None and type(value.d) in (Unknown, Union)
