"""The join of two alternatives' values, and of whole heap deltas."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from mlapath.values.heap import NOTHING, RETIRED, Delta, Heap, Ident, Mark, Saved, plain
from mlapath.values.objects import OPEN, Cell, MayHold
from mlapath.values.truth import Truth
from mlapath.values.union import (
    MAX_UNION,
    covers,
    from_both,
    library_of,
    may_be_absent,
    options,
    same,
    union,
)
from mlapath.values.value import ABSENT, Unknown, V, is_scalar

View: TypeAlias = Callable[[Cell, Any], Any]
"""(cell, key) -> its value in the other alternative, or ABSENT."""

ADVANCED = "advanced under a guard that is not known"
LENGTH = "its length depends on a guard that is not known"


def join(a: Any, b: Any) -> Any:
    """The join of two cell contents that are not lists.

    Each is a ``V``, ABSENT, a dict's ``(key, value)``, or bookkeeping.
    """
    if a is b:
        return a
    if isinstance(a, V) and isinstance(b, V):
        if a.d is b.d:
            return from_both(a, b) if is_scalar(a.d) else a
        return union([a, b])
    if isinstance(a, V) or isinstance(b, V):
        return union([x if isinstance(x, V) else NOTHING for x in (a, b)])
    if isinstance(a, Truth) or isinstance(b, Truth):  # what a guard said of an unknown
        return ABSENT
    if isinstance(a, tuple) or isinstance(b, tuple):
        left, right = (x[1] if isinstance(x, tuple) else NOTHING for x in (a, b))
        return (_key(a, b), join(left, right))
    if isinstance(a, int) and isinstance(b, int):  # the position of an iterator
        return min(a, b)
    return b if a is ABSENT or a == "" else a


def _join_entry(into: Delta, cell: Cell, key: Any, current: Any, view: View) -> None:
    """Add to ``into`` the join of ``cell[key]``, now ``current``, with another alternative.

    view: that alternative's value of a key of the cell.
    """
    other = view(cell, key)
    if current is other:
        return
    ident = (id(cell), key)
    listed = isinstance(cell.get("items"), list)
    if isinstance(current, list) and isinstance(other, list):
        items, why = _join_lists(current, other, cell.get("open", ""), view(cell, "open"))
        into[ident] = (cell, key, items)
        into[(id(cell), "open")] = (cell, "open", why)
    elif key == "open" and listed:
        into.setdefault(ident, (cell, key, _why_open(current, other)))
    elif isinstance(current, tuple) or isinstance(other, tuple):
        into[ident] = (cell, key, _join_pairs(cell, current, other, view))
    else:
        into[ident] = (cell, key, join(current, other))
        if key == "next" and isinstance(current, int) and isinstance(other, int):
            into[(id(cell), "open")] = (cell, "open", ADVANCED)


def _join_pairs(cell: Cell, current: Any, other: Any, view: View) -> Any:
    """The join of two entries of a dict; an absent one may be anything where its side is open."""
    key = _key(current, other)
    sides = [(current, cell.get(OPEN, ABSENT)), (other, view(cell, OPEN))]
    values = [
        side[1] if isinstance(side, tuple)
        else NOTHING if why is ABSENT else union([NOTHING, V(Unknown(why))])
        for side, why in sides
    ]  # fmt: skip
    return (key, join(values[0], values[1]))


def _key(a: Any, b: Any) -> V:
    """The key of two entries, one of them perhaps absent; keys that are equal may be two."""
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        key: V = (a if isinstance(a, tuple) else b)[0]
        return key
    return a[0] if type(a[0].d) is type(b[0].d) else union([a[0], b[0]])


def _join_lists(a: list[V], b: list[V], why_a: Any, why_b: Any) -> tuple[list[V], Any]:
    """The items of both, and why there may be others."""
    why = _why_open(why_a, why_b)
    if why and not (type(why) is MayHold and why.certain):
        return bag([*a, *b]), why
    shared = min(len(a), len(b))
    items = _join_each(a[:shared], b[:shared])
    if len(a) == len(b):
        return items, why
    extra = (*a[shared:], *b[shared:])
    return items, MayHold.of(LENGTH, (*extra, *why.extra) if why else extra)


def _join_each(a: list[V], b: list[V]) -> list[V]:
    """The join item by item; contents of tensors have one value at many places."""
    found: dict[tuple[int, int], V] = {}
    items: list[V] = []
    for x, y in zip(a, b, strict=True):
        pair = (id(x), id(y))
        joined = found.get(pair)
        if joined is None:
            joined = found[pair] = join(x, y)
        items.append(joined)
    return items


def _why_open(a: Any, b: Any) -> Any:
    """Why a list is open: for reason ``a`` on one side, for ``b`` on the other."""
    reasons = [x for x in (a, b) if isinstance(x, str) and x]
    known = [x for x in reasons if type(x) is MayHold]
    if len(known) < len(reasons):
        return next(x for x in reasons if type(x) is not MayHold)
    if not known:
        return ""
    most = max(known, key=lambda why: len(why.extra))
    others = [x for why in known if why is not most for x in why.extra
              if not any(same(x.d, y.d) for y in most.extra)]  # fmt: skip
    certain = all(why.certain for why in known)
    return MayHold.of(known[0], (*most.extra, *others), certain=certain)


def distinct(values: list[V]) -> list[V]:
    """The values, each once."""
    kept: list[V] = []
    scalars: set[Any] = set()
    for value in values:
        d = value.d
        if type(d) in (int, str):
            if (type(d), d) not in scalars:
                scalars.add((type(d), d))
                kept.append(value)
        elif not any(same(d, other.d) for other in kept):
            kept.append(value)
    return kept


def bag(values: list[V]) -> list[V]:
    """What may be in a list any number of times: each once, and one unknown for those alike.

    Which unknown it is does not matter: an item of such a list is another one at each reading.
    """
    kept: list[V] = []
    seen: set[Any] = set()
    for value in distinct(values):
        d = value.d
        if type(d) is Unknown:
            key = (d.hint, d.lib, d.lo, d.hi, d.text)
            if key in seen:
                continue
            seen.add(key)
        kept.append(value)
    return kept


def uncovered(known: list[V], values: list[V]) -> list[V]:
    """Those of ``values`` that none of ``known`` covers."""
    plain_ones = {(type(v.d), v.d) for v in known if type(v.d) in (int, str)}
    return [
        x for x in values
        if not (type(x.d) in (int, str) and (type(x.d), x.d) in plain_ones)
        and not any(covers(y, x) for y in known)
    ]  # fmt: skip


def join_delta(heap: Heap, base: Mark, other: Delta) -> None:
    """Join the current state (since ``base``) with the state that ``other`` describes.

    ``other`` was taken at ``base``: where it has no entry, its value is the one at ``base``.
    """
    join_deltas(heap, base, [other])


def join_deltas(heap: Heap, base: Mark, others: Iterable[Delta]) -> None:
    """``join_delta`` for each of ``others``."""
    original = heap.olds(base)
    at_base: set[Ident] = set()  # their current values cover those at the base
    for other in others:
        idents = [i for i in original if i in other or i not in at_base]
        idents.extend(
            i for i, entry in other.items() if i not in original and entry[0].born != RETIRED
        )
        at_base.update(i for i in idents if i not in other or i not in original)
        _join_one(heap, original, other, idents)


def _join_one(heap: Heap, original: Delta, other: Delta, idents: list[Ident]) -> None:
    def view(cell: Cell, key: Any) -> Any:
        found = other.get((id(cell), key)) or original.get((id(cell), key))
        return found[2] if found is not None else cell.get(key, ABSENT)

    _note_orders(other, original.get)
    joined: Delta = {}
    for ident in idents:
        cell, key = (original.get(ident) or other[ident])[:2]
        _join_entry(joined, cell, key, cell.get(key, ABSENT), view)
    for ident, (cell, key, value) in joined.items():
        current = cell.get(key, ABSENT)
        if value is not current:
            entry = original.setdefault(ident, (cell, key, current))
            if current is ABSENT and type(entry[2]) is tuple and cell:
                cell.mixed = True  # it comes last now, but stood elsewhere
            _write(heap, cell, key, value)


def _note_orders(other: Delta, original: Callable[[Ident], Any]) -> None:
    """Note dicts to which the present state and another one added keys in different orders.

    original: the entry of what was written since both were one; None where that is as it was.
    """
    added: dict[int, tuple[Cell, list[Any]]] = {}
    for ident, (cell, key, value) in other.items():
        if isinstance(value, tuple) and not cell.mixed:
            entry = original(ident)
            if (cell.get(key, ABSENT) if entry is None else entry[2]) is ABSENT:
                added.setdefault(id(cell), (cell, []))[1].append(key)
    for cell, there in added.values():
        here = [k for k in cell if (entry := original((id(cell), k))) and entry[2] is ABSENT]
        common = [key for key in here if key in there]
        if common and there[: len(common)] != common:
            cell.mixed = True


def _write(heap: Heap, cell: Cell, key: Any, value: Any) -> None:
    if value is ABSENT:
        heap.erase(cell, key)
    else:
        heap.write(cell, key, value)
        cell.fresh = 0


def merge_current(heap: Heap, saved: Saved) -> None:
    """Join the current state into a saved alternative; the heap stays as it is."""
    base = saved.base
    idents, saved.stale = saved.stale, {}
    for cell, key, old in heap.log[saved.seen :]:
        ident = (id(cell), key)
        if cell.born <= saved.clock:
            idents[ident] = base.setdefault(ident, (cell, key, plain(old)))
        elif cell.born != RETIRED:
            saved.delta[ident] = (cell, key, cell.get(key, ABSENT))
    saved.seen = len(heap.log)
    heap.renew(saved)

    def view(cell: Cell, key: Any) -> Any:
        ident = (id(cell), key)
        found = saved.delta.get(ident) or base.get(ident)
        return found[2] if found is not None else cell.get(key, ABSENT)

    fresh: list[tuple[Ident, Cell, Any, Any]] = []
    for ident, (cell, key, _) in idents.items():
        if cell.born == RETIRED:
            continue
        current = cell.get(key, ABSENT)
        if saved.met.get(ident) is current and ident in saved.delta and _is_fixed(current):
            continue
        saved.met[ident] = current
        fresh.append((ident, cell, key, current))
    if any(isinstance(x, tuple) or x is ABSENT for _, _, _, x in fresh):  # an entry of a dict
        _note_orders(saved.delta, base.get)
    joined: Delta = {}
    for _, cell, key, current in fresh:
        _join_entry(joined, cell, key, current, view)
    saved.delta.update(joined)


def _is_fixed(content: Any) -> bool:
    """Whether the content of a cell never changes: not a list's items."""
    return isinstance(content, V | tuple) or content is ABSENT


__all__ = ["MAX_UNION", "OPEN", "Truth", "bag", "covers", "distinct", "join", "join_delta",
           "join_deltas",
           "library_of", "may_be_absent", "merge_current", "options", "same", "uncovered",
           "union"]  # fmt: skip
