"""Broadcasting of shapes and contents."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mlapath.models.array_value import MAX_ITEMS, dimension, strides
from mlapath.values.value import Unknown, V


def broadcast(it: Any, shapes: Sequence[Sequence[V] | None]) -> list[V] | None:
    """The joint shape; None where a rank is not known. Raises the program's RuntimeError."""
    if any(shape is None for shape in shapes):
        return None
    known = [shape for shape in shapes if shape is not None]
    rank = max((len(shape) for shape in known), default=0)
    out: list[V] = []
    for axis in range(rank):
        column = [
            shape[axis - rank + len(shape)] for shape in known if axis - rank + len(shape) >= 0
        ]
        out.append(_joint(it, column))
    return out


def _joint(it: Any, column: Sequence[V]) -> V:
    """One joint dimension: those that are 1 stretch."""
    rest = [d for d in column if d.d != 1]
    if not rest:
        return column[0]
    fixed = [d for d in rest if type(d.d) is int]
    if fixed:
        if any(d.d != fixed[0].d for d in fixed):
            sizes = " and ".join(str(d.d) for d in fixed[:2])
            it.throw(
                "RuntimeError", f"The size of tensor a must match the size of tensor b: {sizes}"
            )
        return fixed[0]
    if len({id(d.d) for d in rest}) == 1:
        return rest[0]
    bounds = [d.d.lo if type(d.d) is Unknown and d.d.lo is not None else 0 for d in rest]
    if bounds[0] > 1:
        return rest[0]
    return dimension("a dimension of a broadcast", lo=int(min(bounds)))


def broadcast_items(
    items: Sequence[V], own: Sequence[int], target: Sequence[int]
) -> list[V] | None:
    """Contents of shape ``own`` repeated to ``target``.

    None where they do not fit, or are too many.
    """
    if tuple(own) == tuple(target):
        return list(items)
    if len(own) > len(target) or math.prod(target) > MAX_ITEMS:
        return None
    padded = (1,) * (len(target) - len(own)) + tuple(own)
    if any(a not in (1, b) for a, b in zip(padded, target, strict=True)):
        return None
    steps = [0 if a == 1 else s for a, s in zip(padded, strides(padded), strict=True)]
    positions = [0]
    for size, step in zip(target, steps, strict=True):
        positions = [p + i * step for p in positions for i in range(size)]
    return [items[p] for p in positions]
