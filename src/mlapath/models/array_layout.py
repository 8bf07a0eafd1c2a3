"""Strides of arrays, in elements, and whether an array is contiguous."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlapath.models.array_value import count, dims_of, known_dims
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

STRIDES = "\0strides"
"""Attribute of arrays that are not contiguous, or may not be: a tuple, V(None) where unknown."""


def unknown_stride() -> V:
    """A stride that is not known."""
    return V(Unknown("a stride", "int", lo=0))


def canonical(it: Any, dims: Sequence[V]) -> tuple[V, ...]:
    """The strides of a contiguous array of these dimensions."""
    steps: list[V] = []
    for i in range(len(dims)):
        rest = count(it, [d if d.d != 0 else V(1) for d in dims[i + 1 :]])
        known = type(rest.d) is int or type(rest.d) is Unknown and rest.d.hint == "int"
        steps.append(rest if known else unknown_stride())
    return tuple(steps)


def strides_of(it: Any, value: V) -> tuple[V, ...] | None:
    """The strides; None where not even the rank is known. Unknown ones are unknown ints."""
    dims = dims_of(value)
    if dims is None:
        return None
    own = value.d.attrs.get(STRIDES)
    if own is None:
        return canonical(it, dims)
    if type(own.d) is tuple and len(own.d) == len(dims):
        strides: tuple[V, ...] = own.d
        return strides
    return tuple(unknown_stride() for _ in dims)


def lay_out(it: Any, made: V, strides: Sequence[V] | None) -> V:
    """Give a new array strides; None: they are not known. Returns it."""
    dims = dims_of(made)
    if dims is not None and strides is not None and len(strides) == len(dims):
        normal = canonical(it, dims)
        if all(type(s.d) is int and s.d == c.d for s, c in zip(strides, normal, strict=True)):
            made.d.attrs.pop(STRIDES, None)
            return made
        made.d.attrs[STRIDES] = V(tuple(strides))
    else:
        made.d.attrs[STRIDES] = V(None)
    return made


def contiguous(it: Any, value: V) -> Truth:
    """``is_contiguous()``: dimensions of one element do not count."""
    own, dims = value.d.attrs.get(STRIDES), dims_of(value)
    if dims is None:
        return Truth.UNKNOWN
    if own is None:
        return Truth.TRUE
    if type(own.d) is not tuple:
        return Truth.UNKNOWN
    ints = known_dims(dims)
    if ints is not None and 0 in ints:
        return Truth.TRUE
    result = Truth.TRUE
    for dim, stride, wanted in zip(dims, own.d, canonical(it, dims), strict=True):
        if dim.d == 1 or stride.d is wanted.d:
            continue
        if type(stride.d) is int and type(wanted.d) is int:
            if stride.d == wanted.d:
                continue
            if type(dim.d) is int or type(dim.d) is Unknown and (dim.d.lo or 0) > 1:
                return Truth.FALSE
        result = Truth.UNKNOWN
    return result


def inherit(it: Any, made: V, inputs: Sequence[V]) -> V:
    """The layout of an array that is computed from others: plain, where all of theirs are."""
    if any(contiguous(it, x) is not Truth.TRUE for x in inputs):
        made.d.attrs[STRIDES] = V(None)
    return made
