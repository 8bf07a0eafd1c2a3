"""The join of two alternatives' values, and of whole heap deltas."""

from __future__ import annotations

import math
from typing import Any

from mlapath.values.heap import Delta, Heap
from mlapath.values.objects import OPEN, Instance, MayHold
from mlapath.values.origin import merge
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, External, Union, Unknown, V, is_scalar

MAX_UNION = 8


def same(a: Any, b: Any) -> bool:
    """Whether two contents are certainly the same value."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if type(a) is tuple:
        return len(a) == len(b) and all(same(x.d, y.d) for x, y in zip(a, b, strict=True))
    if type(a) is float and math.isnan(a):
        return math.isnan(b)
    if is_scalar(a) or type(a) is External:
        return bool(a == b)
    if type(a) is Union:
        return len(a.options) == len(b.options) and all(
            any(same(x.d, y.d) for y in b.options) for x in a.options
        )
    return False


def options(value: V) -> tuple[V, ...]:
    """The alternatives of a value."""
    return value.d.options if type(value.d) is Union else (value,)


def union(values: list[V]) -> V:
    """One of ``values``: deduplicated; an Unknown among them, or more than MAX_UNION, widens.

    ABSENT among them stays: then the result is ABSENT or what the others widen to.
    """
    kept: list[V] = []
    for value in values:
        for option in options(value):
            if not any(same(option.d, other.d) for other in kept):
                kept.append(option)
    if len(kept) == 1:
        return kept[0]
    if any(option.d is ABSENT for option in kept):
        bound = union([option for option in kept if option.d is not ABSENT])
        if type(bound.d) is Unknown:
            return V(Union((V(ABSENT), bound)), bound.o)
        kept = [V(ABSENT), *options(bound)]
    origin = merge(*(option.o for option in kept))
    unknown = [option.d for option in kept if type(option.d) is Unknown]
    if unknown:
        hints = {d.hint if type(d) is Unknown else type(d).__name__ for d in
                 (option.d for option in kept)}  # fmt: skip
        return V(
            Unknown(
                unknown[0].why,
                hint=unknown[0].hint if len(hints) == 1 else "",
                lib=_library(unknown) if all(_outside(option.d) for option in kept) else "",
                lo=_bound(kept, "lo"),
                hi=_bound(kept, "hi"),
            ),
            origin,
        )
    if len(kept) > MAX_UNION + (kept[0].d is ABSENT):
        return V(Unknown(f"more than {MAX_UNION} alternatives"), origin)
    return V(Union(tuple(kept)), origin)


def _library(unknown: list[Unknown]) -> str:
    return next((d.lib for d in unknown if d.lib), "")


def library_of(value: V) -> str:
    """The library whose values all alternatives of ``value`` are (or plain); "" where not."""
    found = [option.d for option in options(value) if option.d is not ABSENT]
    if not all(_outside(d) for d in found):
        return ""
    objects = [d.cls.full for d in found if type(d) is Instance]
    return _library([d for d in found if type(d) is Unknown]) or (objects or [""])[0]


def _outside(d: Any) -> bool:
    """Whether a value is certainly of code outside the tree, or plain."""
    if type(d) is Unknown:
        return bool(d.lib) or d.hint in ("int", "float", "bool", "str")
    if type(d) is Instance:
        return not any(c.path for c in d.cls.mro)
    if type(d) is tuple:
        return all(_outside(x.d) for x in d)
    return is_scalar(d) or type(d) is External


def _bound(values: list[V], side: str) -> float | None:
    bounds: list[float] = []
    for value in values:
        d = value.d
        known = d if type(d) in (int, float) else None
        bound = getattr(d, side) if type(d) is Unknown else known
        if bound is None:
            return None
        bounds.append(bound)
    return min(bounds) if side == "lo" else max(bounds)


def _alike(a: Unknown, b: Unknown) -> bool:
    """Whether ``a`` covers everything that ``b`` may be."""
    return a.hint in ("", b.hint) and a.lib in ("", b.lib) and a.lo is None and a.hi is None


def join(a: Any, b: Any) -> Any:
    """The join of two cell contents (``V``, ABSENT, or the bookkeeping of lists and dicts)."""
    if a is b:
        return a
    if isinstance(a, V) and isinstance(b, V):
        if a.d is b.d:
            return a
        if type(a.d) is Unknown and type(b.d) is Unknown and _alike(a.d, b.d):
            return a
        return union([a, b])
    if isinstance(a, Truth) or isinstance(b, Truth):  # an assumption of one side only
        return ABSENT
    if a is ABSENT and isinstance(b, V):
        return union([V(ABSENT), b])
    if b is ABSENT and isinstance(a, V):
        return union([V(ABSENT), a])
    if isinstance(a, str) or isinstance(b, str):  # the reason why a container is open
        return _why_open(a, b)
    if isinstance(a, tuple) or isinstance(b, tuple):  # a dict's (key, value)
        pair = a if isinstance(a, tuple) else b
        left = a[1] if isinstance(a, tuple) else ABSENT
        right = b[1] if isinstance(b, tuple) else ABSENT
        return (pair[0], join(left, right))
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [join(x, y) for x, y in zip(a, b, strict=True)]
    return b if a is ABSENT else a  # bookkeeping such as a generator's position


def join_delta(heap: Heap, base: tuple[int, int], other: Delta) -> None:
    """Join the current state (since ``base``) with the state that ``other`` describes.

    ``other`` was taken at ``base``: where it has no entry, its value is the one at ``base``.
    """
    position, clock = base
    original: dict[tuple[int, Any], Any] = {}
    for cell, key, old in heap.log[position:]:
        if cell.born <= clock:
            original.setdefault((id(cell), key), (cell, key, old))
    keys = list(original)
    keys.extend(key for key in other if key not in original)
    for ident in keys:
        cell, key = (original.get(ident) or other[ident])[:2]
        current = cell.get(key, ABSENT)
        alternative = other[ident][2] if ident in other else original[ident][2]
        if current is alternative:
            continue
        if isinstance(current, list) and isinstance(alternative, list):
            _join_lists(heap, cell, current, alternative)
            continue
        joined = join(current, alternative)
        if joined is ABSENT:
            heap.drop(cell, key)
        elif joined is not current:
            heap.put(cell, key, joined)


def _join_lists(heap: Heap, cell: Any, a: list[V], b: list[V]) -> None:
    shared = min(len(a), len(b))
    heap.put(cell, "items", [join(x, y) for x, y in zip(a[:shared], b[:shared], strict=True)])
    if len(a) != len(b):
        longer = a if len(a) > len(b) else b
        known = MayHold.of(
            "its length depends on a guard that is not known", tuple(longer[shared:])
        )
        heap.put(cell, "open", _why_open(known, cell.get("open", "")))


def _why_open(a: Any, b: Any) -> Any:
    """Why a list or dict is open: for reason ``a`` on one side, for ``b`` on the other."""
    reasons = [x for x in (a, b) if isinstance(x, str) and x]
    if len(reasons) == 2 and all(type(x) is MayHold for x in reasons):
        new = tuple(x for x in b.extra if not any(x.d is y.d for y in a.extra))
        return MayHold.of(a, a.extra + new)
    plain = [x for x in reasons if type(x) is not MayHold]
    return (plain or reasons or [""])[0]


__all__ = ["MAX_UNION", "OPEN", "join", "join_delta", "options", "same", "union"]
