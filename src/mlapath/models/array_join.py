"""One array for several: what an operation made of the alternatives of its operands.

The product of alternatives grows with every operation. Arrays that an operation has just made,
each in a state of its own, are known to nobody else, so one that may have the shape and type of
any of them stands for whichever was made. None of their contents is followed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlapath.models.array_layout import STRIDES, contiguous
from mlapath.models.array_value import dimension, dims_of, dtype_of, new
from mlapath.values.objects import Instance
from mlapath.values.origin import merge
from mlapath.values.truth import Truth
from mlapath.values.union import same, union
from mlapath.values.value import Union, Unknown, V

PLAIN = frozenset({"shape", "dtype", "device", STRIDES})
"""What is known of an array that has just been made and whose contents are not followed."""


def fewer(it: Any, values: Sequence[V]) -> list[V]:
    """``values`` with those of one type and rank, whose contents are not followed, as one."""
    kinds: dict[Any, list[V]] = {}
    for value in values:
        dims = dims_of(value)
        dtype = dtype_of(value).d
        apart = value.d.attrs.keys() - PLAIN or type(dtype) in (Unknown, Union)
        kind = (value.d.cls, dtype, None if dims is None else len(dims))
        kinds.setdefault(id(value) if apart else kind, []).append(value)
    return [alike[0] if len(alike) == 1 else _one_of(it, alike) for alike in kinds.values()]


def _one_of(it: Any, values: Sequence[V]) -> V:
    shapes = [dims_of(x) for x in values]
    known = [shape for shape in shapes if shape is not None]
    dims = [_dimension(column) for column in zip(*known, strict=True)] if known else None
    devices = [x.d.attrs["device"] for x in values if "device" in x.d.attrs]
    device = union(_different(devices)) if len(devices) == len(values) else None
    origin = merge(*(x.o for x in values))
    made = new(it, values[0].d.cls, dims, dtype_of(values[0]), device, origin=origin)
    if any(contiguous(it, x) is not Truth.TRUE for x in values):
        made.d.attrs[STRIDES] = V(None)
    return made


def _dimension(column: Sequence[V]) -> V:
    if all(same(d.d, column[0].d) for d in column):
        return column[0]
    return dimension("a dimension of one of several tensors")


def _different(devices: Sequence[V]) -> list[V]:
    """Devices are values: those that read alike are one."""
    found: list[V] = []
    for device in devices:
        if not any(_alike(device.d, other.d) for other in found):
            found.append(device)
    return found


def _alike(a: Any, b: Any) -> bool:
    if type(a) is not Instance or type(b) is not Instance:
        return same(a, b)
    return a is b or a.cls is b.cls and a.attrs.keys() == b.attrs.keys() and all(
        same(value.d, b.attrs[key].d) for key, value in a.attrs.items())  # fmt: skip
