"""Gathering and scattering: index_select, nonzero, repeat_interleave, unique, searchsorted."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Any

from mlapath.models import array_index
from mlapath.models import array_shape as shapes
from mlapath.models.api import Fn, argument
from mlapath.models.array_math import dtype_value
from mlapath.models.array_reduce import PLAIN, nonzero_rows
from mlapath.models.array_value import (
    count,
    dimension,
    dims_of,
    element,
    is_array,
    items_of,
    known_dims,
    like,
)
from mlapath.models.tensor_arguments import finish, method, tensor, truth
from mlapath.values.objects import SliceObj
from mlapath.values.value import Unknown, V

NONE = V(None)


def index_select(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    dims = dims_of(base)
    axis = shapes.axis_of(it, dims, argument(args, kwargs, 0, "dim") or NONE)
    index = tensor(it, argument(args, kwargs, 1, "index") or NONE)
    if dims is None or axis is None:
        return like(it, base, None)
    whole = V(SliceObj(NONE, NONE, NONE))
    return array_index.get(it, base, V(tuple([whole] * axis + [index])))


def gather(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return like(it, base, dims_of(tensor(it, argument(args, kwargs, 1, "index") or NONE)))


def nonzero(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """Coordinates of the true elements: one tensor, or one for each dimension."""
    dims = dims_of(base)
    rows, total = nonzero_rows(it, base)
    integers = dtype_value(it, base, "int64")
    if truth(it, kwargs.get("as_tuple")):
        if dims is None:
            return V(Unknown("nonzero() of an unknown tensor", "", "torch.nonzero()"))
        columns = [None if rows is None else [V(row[i]) for row in rows] for i in range(len(dims))]
        return V(tuple(like(it, base, [total], integers, column) for column in columns))
    items = None if rows is None else [V(i) for row in rows for i in row]
    width = V(len(dims)) if dims is not None else dimension("the rank of an unknown tensor")
    return like(it, base, [total, width], integers, items)


def masked_select(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return array_index.get(it, base, tensor(it, argument(args, kwargs, 0, "mask") or NONE))


def repeat_interleave(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """Each element, or each slice along ``dim``, repeated."""
    given = argument(args, kwargs, 0, "repeats")
    dim = argument(args, kwargs, 1, "dim") or kwargs.get("axis")
    if given is None:  # the one-argument form: the places, each as often as its count
        given, base = base, _places(it, base)
    times = tensor(it, given)
    counts, items, dims = items_of(times), items_of(base), dims_of(base)
    if dims is None:
        return like(it, base, None)
    axis = 0 if dim is None or dim.d is None else shapes.axis_of(it, dims, dim)
    if dim is None or dim.d is None:
        base = shapes.reshape(it, base, [V(-1)])
        dims = dims_of(base) or ()
    if axis is None:
        return like(it, base, None)
    output = kwargs.get("output_size")
    length = output if output is not None and output.d is not None else \
        _repeated(it, dims[axis], counts)  # fmt: skip
    out = [length if i == axis else d for i, d in enumerate(dims)]
    known = counts is not None and all(type(c.d) is int for c in counts)
    size = dims[axis].d
    if items is None or not known or counts is None or type(size) is not int:
        return like(it, base, out)
    each = counts if len(counts) == size else counts * size
    places = V(it.heap.list([V(i) for i, c in enumerate(each) for _ in range(c.d)]))
    whole = V(SliceObj(NONE, NONE, NONE))
    return array_index.get(it, base, V((*[whole] * axis, places)))


def _places(it: Any, base: V) -> V:
    ints = known_dims(dims_of(base))
    items = None if ints is None else [V(i) for i in range(ints[0])]
    return like(it, base, dims_of(base), items=items)


def _repeated(it: Any, dim: V, counts: Sequence[V] | None) -> V:
    if counts is None:
        return dimension("a repeated dimension")
    if len(counts) == 1:
        result: V = it.binop("*", dim, counts[0])
        d = result.d
        if type(d) is int or type(d) is Unknown and (d.lo or 0) >= 0 and d.hint == "int":
            return result
        return dimension("a repeated dimension")
    total = V(0)
    for c in counts:
        total = it.binop("+", total, c)
    return total if type(total.d) is int else dimension("a repeated dimension")


def unique(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``unique``: sorted values; with counts or places, a tuple."""
    base = tensor(it, args[0])
    items = items_of(base)
    extras = [n for n in ("return_inverse", "return_counts") if truth(it, kwargs.get(n))]
    integers = dtype_value(it, base, "int64")
    total: V
    values: list[V] | None
    if items is not None and all(type(x.d) in PLAIN for x in items) and "dim" not in kwargs:
        plain = sorted({x.d for x in items})
        values, total = [V(x) for x in plain], V(len(plain))
    else:
        high = count(it, dims_of(base)).d
        values, total = None, dimension("the number of different elements",
                                        hi=high if type(high) is int else None)  # fmt: skip
    made = like(it, base, [total], items=values)
    if not extras:
        return made
    parts = [made]
    if "return_inverse" in extras:
        parts.append(like(it, base, dims_of(base), integers))
    if "return_counts" in extras:
        counts = None
        if values is not None and items is not None:
            plain = [x.d for x in items]
            counts = [V(plain.count(v.d)) for v in values]
        parts.append(like(it, base, [total], integers, counts))
    return V(tuple(parts))


def searchsorted(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``searchsorted(boundaries, values)``."""
    return _search(it, args[0], args[1], kwargs)


def bucketize(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``bucketize(values, boundaries)``."""
    return _search(it, args[1], args[0], kwargs)


def _search(it: Any, boundaries: V, values: V, kwargs: dict[str, V]) -> V:
    edges, wanted = tensor(it, boundaries), tensor(it, values)
    side = kwargs.get("side")
    right = truth(it, kwargs.get("right")) or side is not None and side.d == "right"
    a, b = items_of(edges), items_of(wanted)
    name = "int32" if truth(it, kwargs.get("out_int32")) else "int64"
    items: list[V] | None = None
    if a is not None and b is not None and len(dims_of(edges) or ()) == 1 and all(
        type(x.d) in PLAIN for x in [*a, *b]
    ):  # fmt: skip
        find = bisect.bisect_right if right else bisect.bisect_left
        items = [V(find([x.d for x in a], y.d)) for y in b]
    base = wanted if is_array(values) else edges
    made = like(it, base, dims_of(wanted), dtype_value(it, base, name), items)
    return finish(it, made, kwargs)


def isin(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    base = tensor(it, args[0])
    return like(it, base, dims_of(base), dtype_value(it, base, "bool"))


def bincount(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    least = argument(args, kwargs, 1, "minlength", V(0)) or V(0)
    items = items_of(base)
    if items is not None and all(type(x.d) is int for x in items) and type(least.d) is int:
        plain = [x.d for x in items]
        size = max([least.d, *(x + 1 for x in plain)])
        return like(it, base, [V(size)], dtype_value(it, base, "int64"),
                    [V(plain.count(i)) for i in range(size)])  # fmt: skip
    low = least.d if type(least.d) is int else 0
    return like(it, base, [dimension("the number of bins", lo=low)],
                dtype_value(it, base, "int64"))  # fmt: skip


def item_at(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    """``take`` with one index, and the like."""
    items = items_of(base)
    i = args[0].d if args else None
    if items is not None and type(i) is int and -len(items) <= i < len(items):
        return element(items[i])
    return like(it, base, None)


def scatter(it: Any, base: V, args: list[V], kwargs: dict[str, V]) -> V:
    return like(it, base, dims_of(base))


FUNCTIONS: dict[str, Fn] = {
    **{name: method(fn) for name, fn in (
        ("index_select", index_select), ("gather", gather), ("take_along_dim", gather),
        ("nonzero", nonzero), ("masked_select", masked_select), ("take", item_at),
        ("repeat_interleave", repeat_interleave), ("bincount", bincount), ("scatter", scatter),
        ("scatter_add", scatter), ("scatter_reduce", scatter), ("index_add", scatter),
        ("index_copy", scatter), ("index_fill", scatter), ("index_put", scatter))},
    "unique": unique, "searchsorted": searchsorted, "bucketize": bucketize, "isin": isin,
    "argwhere": method(nonzero),
}  # fmt: skip
METHODS: dict[str, Fn] = {k: v for k, v in FUNCTIONS.items()
                          if k not in ("searchsorted", "bucketize", "isin")}  # fmt: skip
