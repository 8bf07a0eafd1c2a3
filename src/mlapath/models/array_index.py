"""Indexing of arrays: ``a[…]`` and ``a[…] = …`` with numbers, slices, None, masks and arrays."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mlapath.models.array_broadcast import broadcast, broadcast_items
from mlapath.models.array_layout import lay_out, strides_of, unknown_stride
from mlapath.models.array_nested import flatten, index_array
from mlapath.models.array_value import (
    MAX_ITEMS,
    Positions,
    dimension,
    dims_of,
    element,
    is_array,
    items_of,
    known_dims,
    like,
    name_of,
    store_of,
    strides,
    view,
    write,
)
from mlapath.values.objects import Instance, ListObj, SliceObj
from mlapath.values.value import Union, Unknown, V


@dataclass
class Selection:
    """What an index selects, built up from left to right.

    steps: the base's strides. dims, strides: the result's so far. picks: for each of the base's
    dimensions the positions taken (an int drops the dimension), None where they are not known.
    copies: an array or a mask is among the indices. lost: the rank of the result is not known.
    """

    steps: Sequence[V]
    dims: list[V] = field(default_factory=list)
    strides: list[V] = field(default_factory=list)
    picks: list[Any] = field(default_factory=list)
    arrays: list[tuple[int, V]] = field(default_factory=list)
    copies: bool = False
    lost: bool = False


def get(it: Any, base: V, index: V) -> V:
    """``base[index]``: a view, or a copy where an array or a mask indexes."""
    chosen = resolve(it, base, index)
    if chosen is None:
        return lay_out(it, view(it, base, None, None), None)
    dims, positions = chosen.dims, chosen.positions
    if not chosen.copies:
        return lay_out(it, view(it, base, dims, positions), chosen.strides)
    items = items_of(base)
    picked = None
    if items is not None and positions is not None:
        picked = [items[i] for i in positions]
    return like(it, base, dims, items=picked)


def set_(it: Any, base: V, index: V, value: V) -> None:
    """``base[index] = value``."""
    chosen = resolve(it, base, index)
    if chosen is None or chosen.positions is None:
        write(it, base, None)
        return
    if store_of(base) is None:  # its contents are not followed: there may be very many
        return
    ints = known_dims(chosen.dims)
    items = None if ints is None else values_for(it, value, ints)
    write(it, base, items, chosen.positions)


def values_for(it: Any, value: V, ints: Sequence[int]) -> list[V] | None:
    """The items of ``value``, broadcast to a shape; None where they are not known."""
    if is_array(value):
        own, items = known_dims(dims_of(value)), items_of(value)
        if own is None or items is None:
            return None
        while own and own[0] == 1 and len(own) > len(ints):
            own = own[1:]
        return broadcast_items(items, own, ints)
    if type(value.d) in (ListObj, tuple):
        nested = flatten(it, value)
        return None if nested is None else broadcast_items(nested[1], nested[0], ints)
    if type(value.d) in (bool, int, float) or type(value.d) is Unknown and value.d.hint:
        return [value] * math.prod(ints)
    return None


@dataclass
class Chosen:
    """What an index selects: dims of the result, positions in the base, whether it copies."""

    dims: list[V]
    positions: Positions | None
    copies: bool
    strides: list[V] | None = None


def resolve(it: Any, base: V, index: V) -> Chosen | None:
    """What an index selects; None where not even the rank of the result is known."""
    dims = dims_of(base)
    if dims is None:
        return None
    entries = list(index.d) if type(index.d) is tuple else [index]
    entries = [_array_entry(it, e) for e in entries]
    used = sum(_consumes(e) for e in entries)
    ellipses = [i for i, e in enumerate(entries) if e.d is Ellipsis]
    if used > len(dims):
        it.throw("IndexError", f"too many indices for tensor of dimension {len(dims)}")
    whole = [V(SliceObj(V(None), V(None), V(None)))] * (len(dims) - used)
    at = ellipses[0] if ellipses else len(entries)
    entries = [*entries[:at], *whole, *entries[at + 1 :]]
    selection = Selection(steps=strides_of(it, base) or ())
    axis = 0
    for entry in entries:
        axis += _take(it, selection, dims, axis, entry)
        if selection.lost:
            return None
    if selection.arrays:
        return _with_arrays(it, selection, dims)
    positions = _positions(known_dims(dims), selection.picks)
    return Chosen(selection.dims, positions, selection.copies, selection.strides)


def _array_entry(it: Any, entry: V) -> V:
    if type(entry.d) in (ListObj, range):
        return index_array(it, entry)
    return entry


def _consumes(entry: V) -> int:
    """How many dimensions of the base an index entry takes up."""
    if entry.d is None or entry.d is Ellipsis or type(entry.d) is bool:
        return 0
    if is_array(entry) and name_of(entry) == "bool":
        own = dims_of(entry)
        return 1 if own is None else len(own)
    return 1


def _take(it: Any, selection: Selection, dims: Sequence[V], axis: int, entry: V) -> int:
    """Add one entry; returns the number of dimensions of the base that it used."""
    d = entry.d
    if type(d) is Instance and type(d.payload) is int:
        d = d.payload
    if d is None:
        selection.dims.append(V(1))
        selection.strides.append(unknown_stride())
        return 0
    if type(d) is bool:
        selection.lost = True
        return 0
    if type(d) is SliceObj:
        pick, dim = slice_dim(it, dims[axis], d)
        selection.dims.append(dim)
        selection.strides.append(_stride(it, selection.steps[axis], _bound(d.step)))
        selection.picks.append(pick)
        return 1
    if type(d) is int:
        selection.picks.append(_number(it, dims[axis], d))
        return 1
    if is_array(entry):
        own = dims_of(entry)
        if own is None:
            selection.lost = True
            return 0
        if name_of(entry) == "bool":
            return _mask(it, selection, dims, axis, entry, len(own))
        if not own and type(d) is Instance:
            items = items_of(entry)
            known = items is not None and type(items[0].d) is int
            selection.picks.append(items[0].d if known and items is not None else None)
            return 1
        selection.arrays.append((len(selection.dims), entry))
        selection.picks.append(entry)
        selection.copies = True
        return 1
    if type(d) is Unknown and d.hint in ("int", "bool") or type(d) is Union and all(
        type(o.d) is int for o in d.options
    ):  # fmt: skip
        selection.picks.append(None)
        return 1
    selection.lost = True
    return 0


def _stride(it: Any, own: V, step: Any) -> V:
    if step is None or type(step) is int:
        result: V = own if step in (None, 1) else it.binop("*", own, V(step))
        return result
    return unknown_stride()


def _number(it: Any, dim: V, i: int) -> int | None:
    if type(dim.d) is not int:
        return i if i >= 0 else None
    if not -dim.d <= i < dim.d:
        it.throw("IndexError", f"index {i} is out of bounds for dimension with size {dim.d}")
    return i % dim.d


def _mask(it: Any, selection: Selection, dims: Sequence[V], axis: int, entry: V, rank: int) -> int:
    selection.copies = True
    items = items_of(entry)
    known = items is not None and all(type(x.d) is bool for x in items)
    if rank == 1 and known and items is not None:
        rows = [i for i, x in enumerate(items) if x.d]
        selection.dims.append(V(len(rows)))
        selection.picks.append(rows)
        return 1
    own = known_dims(dims_of(entry))
    if known and items is not None and own is not None:
        for column in range(rank):
            coordinate = _coordinates(own, column)
            found = [V(coordinate[i]) for i, x in enumerate(items) if x.d]
            array = index_array(it, V(it.heap.list(found)))
            selection.arrays.append((len(selection.dims), array))
            selection.picks.append(array)
        return rank
    high = math.prod(known_dims(dims[axis : axis + rank]) or (0,)) or None
    selection.dims.append(dimension("the number of elements that a mask keeps", hi=high))
    selection.picks.extend([None] * rank)
    return rank


def _coordinates(own: Sequence[int], column: int) -> list[int]:
    """The ``column``-th coordinate of every element, in C order."""
    step = strides(own)[column]
    return [i // step % own[column] for i in range(math.prod(own))]


def slice_dim(it: Any, dim: V, s: SliceObj) -> tuple[range | None, V]:
    """(positions taken, length of the result) of one sliced dimension."""
    bounds = [_bound(b) for b in (s.lower, s.upper, s.step)]
    start, stop, step = bounds
    if start is None and stop is None and step in (None, 1):
        return (range(dim.d) if type(dim.d) is int else None), dim
    if type(dim.d) is int and all(b is None or type(b) is int for b in bounds):
        taken = range(*slice(start, stop, step).indices(dim.d))
        return taken, V(len(taken), dim.o)
    return None, _sliced(it, dim, s, start, stop, step)


def _bound(value: V) -> Any:
    d = value.d
    if type(d) is Instance and type(d.payload) is int:
        return d.payload
    return int(d) if type(d) is bool else d


def _sliced(it: Any, dim: V, s: SliceObj, start: Any, stop: Any, step: Any) -> V:
    high = dim.d if type(dim.d) is int else dim.d.hi if type(dim.d) is Unknown else None
    if step not in (None, 1):
        return dimension("a slice of an unknown dimension", hi=high)
    if start in (None, 0):
        if type(stop) is int and stop < 0:
            return _at_least_zero(it.binop("+", dim, V(stop)))
        if type(stop) is int:
            return dimension("a slice of an unknown dimension", hi=stop)
        if type(stop) is Unknown and type(dim.d) is Unknown and stop.is_same(dim.d):
            return dim
        return prefix_dim(s.upper, high)
    if stop is None and type(start) is int and start >= 0:
        return _at_least_zero(it.binop("-", dim, V(start)))
    if stop is None and type(start) is int:
        return dimension("a slice of an unknown dimension", hi=-start)
    if stop is None and type(start) is Unknown:
        return _at_least_zero(it.binop("-", dim, s.lower))
    if type(start) in (int, Unknown) and type(stop) in (int, Unknown):
        length = it.binop("-", s.upper, s.lower)
        return _at_least_zero(length)
    return dimension("a slice of an unknown dimension", hi=high)


def prefix_dim(n: V, high: float | None) -> V:
    """The length of ``a[:n]``, which is n itself where n is within the array."""
    d = n.d
    if type(d) is Unknown:
        if d.lo is not None and d.lo >= 0 and (high is None or d.hi is not None and d.hi <= high):
            return n
        top = d.hi if high is None else high if d.hi is None else min(d.hi, high)
        low = max(0, d.lo or 0)
        made = Unknown(d.why, "int", lo=low if top is None else min(low, top), hi=top, text=d.text)
        return V(d.derived(("prefix", top), made), n.o)
    if type(d) is Union and all(type(o.d) is int and o.d >= 0 for o in d.options):
        return n
    return dimension("a slice of an unknown length", hi=high)


def _at_least_zero(value: V) -> V:
    d = value.d
    if type(d) is int:
        return V(max(d, 0), value.o)
    if type(d) is Unknown:
        low = 0 if d.lo is None else max(0, d.lo)
        return V(Unknown(d.why, "int", lo=low, hi=d.hi, text=d.text), value.o)
    return dimension("a slice of an unknown length")


def _positions(ints: tuple[int, ...] | None, picks: Sequence[Any]) -> Positions | None:
    """Positions of the picked elements, in C order."""
    if ints is None or any(p is None for p in picks):
        return None
    steps = strides(ints)
    inner = len(picks)
    while inner and type(picks[inner - 1]) is range and picks[inner - 1] == range(ints[inner - 1]):
        inner -= 1
    outer = picks[: max(inner - 1, 0)]
    if inner and all(type(p) is int for p in outer) and type(picks[inner - 1]) in (int, range):
        first = sum(p * s for p, s in zip(outer, steps, strict=False))
        block = math.prod(ints[inner:])
        last = picks[inner - 1]
        if type(last) is int:
            return range(first + last * block, first + (last + 1) * block)
        if last.step == 1:
            return range(first + last.start * block, first + max(last.stop, last.start) * block)
        if block == 1:
            return range(first + last.start, first + last.stop, last.step)
    if not inner:
        return range(math.prod(ints))
    lists = [[p] if type(p) is int else list(p) for p in picks]
    if math.prod(len(x) for x in lists) > MAX_ITEMS:
        return None
    return [
        sum(i * s for i, s in zip(where, steps, strict=True))
        for where in itertools.product(*lists)
    ]


def _with_arrays(it: Any, selection: Selection, dims: Sequence[V]) -> Chosen:
    """Arrays of numbers among the indices: their joint shape replaces their dimensions."""
    shapes = [dims_of(entry) or () for _, entry in selection.arrays]
    joint = broadcast(it, shapes)
    first = selection.arrays[0][0]
    axes = [i for i, p in enumerate(selection.picks) if type(p) is V]
    adjacent = axes == list(range(axes[0], axes[0] + len(axes)))
    at = first if adjacent else 0
    if joint is None:
        return Chosen([dimension("an index of unknown shape")], None, True)
    out = [*selection.dims[:at], *joint, *selection.dims[at:]]
    ints, joint_ints = known_dims(dims), known_dims(joint)
    if ints is None or joint_ints is None or not _resolvable(selection):
        return Chosen(out, None, True)
    columns = [
        broadcast_items(items_of(p) or [], known_dims(dims_of(p)) or (), joint_ints) or []
        for p in selection.picks if type(p) is V
    ]  # fmt: skip
    rows = list(zip(*[[x.d for x in column] for column in columns], strict=True))
    places = _gather(it, ints, selection.picks, rows, axes, adjacent=adjacent)
    return Chosen(out, places, True)


def _resolvable(selection: Selection) -> bool:
    for pick in selection.picks:
        if pick is None:
            return False
        if type(pick) is V:
            items = items_of(pick)
            if items is None or any(type(x.d) is not int for x in items):
                return False
    return True


def _gather(
    it: Any, ints: tuple[int, ...], picks: Sequence[Any], rows: Sequence[tuple[int, ...]],
    axes: list[int], *, adjacent: bool,
) -> Positions | None:  # fmt: skip
    for row in rows:
        for i, axis in zip(row, axes, strict=True):
            if not -ints[axis] <= i < ints[axis]:
                it.throw("IndexError", f"index {i} is out of bounds for dimension {axis} with "
                         f"size {ints[axis]}")  # fmt: skip
    split = axes[0] if adjacent else 0
    plain = [i for i in range(len(picks)) if i not in axes]
    lists = {i: [picks[i]] if type(picks[i]) is int else list(picks[i]) for i in plain}
    before = [i for i in plain if i < split]
    after = [i for i in plain if i >= split]
    if math.prod(len(x) for x in lists.values()) * len(rows) > MAX_ITEMS:
        return None
    steps = strides(ints)
    positions: list[int] = []
    for first in itertools.product(*[lists[i] for i in before]):
        for row in rows:
            for last in itertools.product(*[lists[i] for i in after]):
                where = {**dict(zip(before, first, strict=True)),
                         **dict(zip(after, last, strict=True)),
                         **{a: i % ints[a] for a, i in zip(axes, row, strict=True)}}  # fmt: skip
                positions.append(sum(where[i] * steps[i] for i in range(len(ints))))
    return positions


def scalar_item(it: Any, value: V) -> V | None:
    """The element of an array of one element, where it is known."""
    items = items_of(value)
    return element(items[0]) if items is not None and len(items) == 1 else None
