"""Changes of shape: views, joins and splits of arrays."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from mlapath.models.array_dtype import fit_all, promote
from mlapath.models.array_layout import contiguous, lay_out, strides_of, unknown_stride
from mlapath.models.array_math import dtype_value
from mlapath.models.array_value import (
    MAX_ITEMS,
    Positions,
    count,
    dimension,
    dims_of,
    is_array,
    items_of,
    known_dims,
    like,
    name_of,
    strides,
    view,
)
from mlapath.values.objects import Instance
from mlapath.values.origin import merge
from mlapath.values.truth import Truth
from mlapath.values.value import Union, Unknown, V


def axis_of(it: Any, dims: Sequence[V] | None, dim: V, extra: int = 0) -> int | None:
    """``dim`` as an axis that is not negative; None where it is not known."""
    if dims is None or type(dim.d) is not int:
        return None
    rank = len(dims) + extra
    if not -max(rank, 1) <= dim.d < max(rank, 1):
        it.throw("IndexError", f"Dimension out of range (expected to be in range of [{-rank}, "
                 f"{rank - 1}], but got {dim.d})")  # fmt: skip
    return int(dim.d) % max(rank, 1)


def shape_argument(it: Any, args: Sequence[V]) -> list[V] | None:
    """A shape given as several numbers or as one sequence; None where it is not known."""
    if len(args) == 1:
        d = args[0].d
        inner = d.payload if type(d) is Instance else d
        if type(inner) not in (int, bool) and not (type(d) is Unknown and d.hint == "int"):
            if type(d) is Union and all(type(o.d) is int for o in d.options):
                return [args[0]]
            parts = None if type(inner) in (type(None), Unknown, Union) else it.iterate(args[0])
            return None if parts is None or it.is_open(args[0]) else [_dim(p) for p in parts]
    return [_dim(a) for a in args]


def _dim(value: V) -> V:
    d = value.d
    if is_array(value):
        items = items_of(value)
        return items[0] if items is not None and len(items) == 1 else dimension("a dimension")
    if type(d) is Instance and type(d.payload) in (int, bool):
        return V(int(d.payload), value.o)
    if type(d) in (int, bool):
        return V(int(d), value.o)
    if type(d) is Unknown:
        if d.hint == "int" and d.lo is not None and d.lo >= 0:
            return value
        low = max(0, d.lo) if d.hint == "int" and d.lo is not None else 0
        made = Unknown(d.why, "int", lo=low, hi=d.hi, text=d.text)
        return V(d.derived("dimension", made), value.o)
    return value if type(d) is Union else dimension("a dimension")


def reshape(it: Any, base: V, shape: Sequence[V] | None) -> V:
    """``view`` and ``reshape``: one dimension may be -1."""
    dims = dims_of(base)
    if shape is None:
        return view(it, base, None, None)
    holes = [i for i, d in enumerate(shape) if type(d.d) is int and d.d == -1]
    out = list(shape)
    if holes:
        out[holes[0]] = _inferred(it, dims, [d for i, d in enumerate(shape) if i != holes[0]])
    ints, old = known_dims(out), known_dims(dims)
    if ints is not None and old is not None and math.prod(ints) != math.prod(old):
        it.throw("RuntimeError", f"shape '{list(known_dims(shape) or ints)}' is invalid for input "
                 f"of size {math.prod(old)}")  # fmt: skip
    whole = range(math.prod(ints)) if ints is not None and old is not None else None
    made = view(it, base, out, whole)
    if contiguous(it, base) is not Truth.TRUE:
        same = dims is not None and len(dims) == len(out) and all(
            a.d is b.d or a.d == b.d for a, b in zip(dims, out, strict=True))  # fmt: skip
        lay_out(it, made, strides_of(it, base) if same else None)
    return made


def _inferred(it: Any, dims: Sequence[V] | None, rest: Sequence[V]) -> V:
    """The dimension that -1 stands for."""
    if dims is None:
        return dimension("an inferred dimension")
    total, left = list(dims), list(rest)
    for d in list(left):  # dimensions that both shapes have cancel out, known or not
        same = next((t for t in total if t.d is d.d or type(d.d) is int and t.d == d.d), None)
        if same is not None:
            total.remove(same)
            left.remove(d)
    numbers = [math.prod(d.d for d in part if type(d.d) is int) for part in (total, left)]
    if all(type(d.d) is int for d in left) and numbers[1] and numbers[0] % numbers[1] == 0:
        rest = [d for d in total if type(d.d) is not int]
        return count(it, [*rest, V(numbers[0] // numbers[1])] if rest else [
            V(numbers[0] // numbers[1], merge(*(d.o for d in total)))])  # fmt: skip
    top, bottom = count(it, total), count(it, left)
    if type(top.d) is int and type(bottom.d) is int and bottom.d:
        return V(top.d // bottom.d, top.o)
    if type(bottom.d) is int and bottom.d > 1 or type(bottom.d) is Unknown and bottom.d.lo:
        result: V = it.binop("//", top, bottom)
        low = result.d.lo if type(result.d) is Unknown else None
        return result if low is not None else dimension("an inferred dimension")
    return dimension("an inferred dimension")


def permute(it: Any, base: V, axes: Sequence[int] | None) -> V:
    """Dimensions in another order."""
    dims = dims_of(base)
    if dims is None or axes is None:
        return lay_out(it, view(it, base, None if dims is None else [
            dimension("a permuted dimension") for _ in dims], None), None)  # fmt: skip
    out = [dims[a] for a in axes]
    steps = strides_of(it, base) or ()
    laid = [steps[a] for a in axes]
    ints = known_dims(dims)
    if ints is None or items_of(base) is None:
        return lay_out(it, view(it, base, out, None), laid)
    plain = strides(ints)
    positions = [sum(i * plain[a] for i, a in zip(where, axes, strict=True))
                 for where in itertools.product(*[range(ints[a]) for a in axes])]  # fmt: skip
    return lay_out(it, view(it, base, out, positions), laid)


def _over_one(dim: V) -> bool:
    d = dim.d
    return d > 1 if type(d) is int else type(d) is Unknown and (d.lo or 0) > 1


def swap(it: Any, base: V, first: V, second: V) -> V:
    """``transpose(a, b)``."""
    dims = dims_of(base)
    a, b = axis_of(it, dims, first), axis_of(it, dims, second)
    if dims is None or a is None or b is None:
        return permute(it, base, None)
    axes = list(range(len(dims)))
    if axes:
        axes[a], axes[b] = axes[b], axes[a]
    return permute(it, base, axes)


def identity_positions(base: V) -> Positions | None:
    """Every element once, in order."""
    ints = known_dims(dims_of(base))
    return None if ints is None else range(math.prod(ints))


def unsqueeze(it: Any, base: V, dim: V) -> V:
    """A dimension of 1 more."""
    dims = dims_of(base)
    axis = axis_of(it, dims, dim, 1)
    if dims is None or axis is None:
        return view(it, base, None, None)
    out = [*dims[:axis], V(1), *dims[axis:]]
    steps = strides_of(it, base) or ()
    step = it.binop("*", dims[axis], steps[axis]) if axis < len(dims) else V(1)
    made = view(it, base, out, identity_positions(base))
    return lay_out(it, made, [*steps[:axis], step, *steps[axis:]])


def squeeze(it: Any, base: V, dim: V | None) -> V:
    """Dimensions of 1 dropped; one that is not known leaves the rank unknown."""
    dims = dims_of(base)
    if dims is None:
        return view(it, base, None, None)
    axes = list(range(len(dims)))
    if dim is not None and dim.d is not None:
        axis = axis_of(it, dims, dim)
        axes = [] if axis is None else [axis]
    if any(type(dims[a].d) is not int and not _over_one(dims[a]) for a in axes if dims):
        return view(it, base, None, None)
    kept = [i for i, d in enumerate(dims) if i not in axes or d.d != 1]
    steps = strides_of(it, base) or ()
    made = view(it, base, [dims[i] for i in kept], identity_positions(base))
    return lay_out(it, made, [steps[i] for i in kept])


def flatten(it: Any, base: V, start: int = 0, end: int = -1) -> V:
    """Dimensions from ``start`` to ``end`` as one."""
    dims = dims_of(base)
    if dims is None:
        whole = (start, end) == (0, -1)
        return view(
            it, base, [dimension("the size of an unknown tensor")] if whole else None, None
        )
    first, last = start % max(len(dims), 1), end % max(len(dims), 1)
    joined = count(it, dims[first : last + 1])
    out = [*dims[:first], joined, *dims[last + 1 :]]
    made = view(it, base, out, identity_positions(base))
    return made if contiguous(it, base) is Truth.TRUE else lay_out(it, made, None)


def expand(it: Any, base: V, shape: Sequence[V] | None) -> V:
    """``expand``: -1 keeps a dimension."""
    dims = dims_of(base)
    if dims is None or shape is None:
        guess = shape and [d if d.d != -1 else dimension("an expanded dimension") for d in shape]
        return lay_out(it, view(it, base, guess, None), None)
    lead = len(shape) - len(dims)
    out = [dims[i - lead] if d.d == -1 and i >= lead else d for i, d in enumerate(shape)]
    steps = strides_of(it, base) or ()
    laid = [V(0)] * lead + [
        steps[i] if out[lead + i].d is d.d or out[lead + i].d == d.d else V(0) if d.d == 1
        else unknown_stride() for i, d in enumerate(dims)
    ]  # fmt: skip
    old, ints = known_dims(dims), known_dims(out)
    if old is None or ints is None:
        return lay_out(it, view(it, base, out, None), laid)
    padded = (1,) * lead + old
    if any(a not in (1, b) for a, b in zip(padded, ints, strict=True)):
        it.throw("RuntimeError", f"The expanded size of the tensor {list(ints)} must match the "
                 f"existing size {list(old)}")  # fmt: skip
    if math.prod(ints) > MAX_ITEMS:
        return lay_out(it, view(it, base, out, None), laid)
    plain = [0 if a == 1 else s for a, s in zip(padded, strides(padded), strict=True)]
    positions = [sum(i * s for i, s in zip(where, plain, strict=True))
                 for where in itertools.product(*[range(n) for n in ints])]  # fmt: skip
    return lay_out(it, view(it, base, out, positions), laid)


def concatenate(it: Any, arrays: Sequence[V], dim: V) -> V:
    """``cat``. Empty one-dimensional tensors are skipped, as torch does."""
    known = [dims_of(a) for a in arrays]
    base = arrays[0]
    if len(arrays) > 1:
        parts = [(a, k) for a, k in zip(arrays, known, strict=True)
                 if k is None or len(k) != 1 or k[0].d != 0]  # fmt: skip
        if parts:
            arrays, known = [a for a, _ in parts], [k for _, k in parts]
    name = name_of(arrays[0])
    for a in arrays[1:]:
        other = name_of(a)
        name = promote(name, other) if name is not None and other is not None else None
    axis = axis_of(it, known[0], dim)
    origin = merge(*(a.o for a in arrays))
    dtype = dtype_value(it, base, name)
    if axis is None or any(k is None or len(k) != len(known[0] or ()) for k in known):
        return like(it, base, known[0] and [dimension("a joined dimension") for _ in known[0]],
                    dtype, origin=origin)  # fmt: skip
    shapes = [list(k) for k in known if k is not None]
    total = shapes[0][axis]
    for shape in shapes[1:]:
        total = it.binop("+", total, shape[axis])
    out = [_agreed(it, [s[i] for s in shapes]) if i != axis else total
           for i in range(len(shapes[0]))]  # fmt: skip
    joined = _joined(arrays, shapes, axis)
    if joined is not None and name is not None:
        joined = fit_all(joined, name)
    return like(it, base, out, dtype, joined, origin)


def _agreed(it: Any, column: Sequence[V]) -> V:
    fixed = [d for d in column if type(d.d) is int]
    if fixed and any(d.d != fixed[0].d for d in fixed):
        it.throw("RuntimeError", "Sizes of tensors must match except in the joined dimension")
    return fixed[0] if fixed else column[0]


def _joined(arrays: Sequence[V], shapes: Sequence[Sequence[V]], axis: int) -> list[V] | None:
    contents = [items_of(a) for a in arrays]
    sizes = [known_dims(s) for s in shapes]
    if any(c is None for c in contents) or any(s is None for s in sizes):
        return None
    known = [s for s in sizes if s is not None]
    out: list[V] = []
    for row in range(math.prod(known[0][:axis])):
        for items, size in zip(contents, known, strict=True):
            width = math.prod(size[axis:])
            out.extend((items or [])[row * width : (row + 1) * width])
    return out


def stack(it: Any, arrays: Sequence[V], dim: V) -> V:
    """``stack``: a new dimension, joined along."""
    return concatenate(it, [unsqueeze(it, a, dim) for a in arrays], dim)
