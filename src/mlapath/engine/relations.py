"""Sums and differences of unknown numbers: what is learnt of one bears on the others.

``rest = total - part`` keeps how it was made. Where a guard bounds ``rest``, ``part`` and
``total`` are bounded, too, and the other way round: wherever the names of the frame at hand, or
the attributes of their objects, hold them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlapath.engine.control import Frame
from mlapath.values.objects import Cell, Instance
from mlapath.values.value import Union, Unknown, V

Narrowed = dict[int, tuple[Unknown, "Unknown | int"]]
"""id -> an unknown, and what it turned out to be."""

MAX_NARROWED = 16


def made_of(op: str, left: V, right: V, result: Unknown) -> None:
    """Remember that ``result`` is ``left op right``, for whole numbers."""
    if op not in ("+", "-") or result.hint != "int":
        return
    parts = [d for d in (left.d, right.d) if type(d) is Unknown]
    if all(d.hint == "int" and not d.several for d in parts):
        result.made = (op, left.d, right.d)


def bounded(d: Unknown, lo: float | None, hi: float | None) -> Unknown:
    """The same number within bounds."""
    made = Unknown(d.why, d.hint, d.lib, lo, hi, d.text, d.same)
    made.several = d.several
    made.made = d.made
    return made


def learn(it: Any, fr: Frame, old: Unknown, new: Unknown | int) -> None:
    """``old`` turned out to be ``new``: pass on what follows for the numbers it is related to."""
    if old.several:
        return
    places = list(_places(fr))
    found = {id(v.d): v.d for _, _, v in places if type(v.d) is Unknown}
    narrowed: Narrowed = {}
    queue: list[tuple[Unknown, Unknown | int]] = [(old, new)]
    while queue and len(narrowed) < MAX_NARROWED:
        before, after = queue.pop(0)
        narrowed[id(before)] = (before, after)
        queue += _parts(before, after, narrowed)
        queue += _results(found, narrowed)
    for cell, key, value in places:
        if id(value.d) in narrowed:
            it.heap.put(cell, key, V(narrowed[id(value.d)][1], value.o))


def _parts(before: Unknown, after: Unknown | int, narrowed: Narrowed) -> Iterator[Any]:
    """The operands of a number that was narrowed, as far as they are bounded by that."""
    if before.made is None:
        return
    op, left, right = before.made
    lo, hi = _range(after)
    a, b, c, d = (*_range(_now(left, narrowed)), *_range(_now(right, narrowed)))
    if op == "+":
        wanted = ((left, _less(lo, d), _less(hi, c)), (right, _less(lo, b), _less(hi, a)))
    else:
        wanted = ((left, _plus(lo, c), _plus(hi, d)), (right, _less(a, hi), _less(b, lo)))
    for part, low, high in wanted:
        if type(part) is Unknown and id(part) not in narrowed:
            yield from _tighter(part, low, high)


def _results(found: dict[int, Unknown], narrowed: Narrowed) -> Iterator[Any]:
    """The numbers that were made of those that were narrowed."""
    for result in found.values():
        if result.made is None or id(result) in narrowed:
            continue
        op, left, right = result.made
        if id(left) in narrowed or id(right) in narrowed:
            a, b, c, d = (*_range(_now(left, narrowed)), *_range(_now(right, narrowed)))
            low, high = (_plus(a, c), _plus(b, d)) if op == "+" else (_less(a, d), _less(b, c))
            yield from _tighter(result, low, high)


def _tighter(
    d: Unknown, lo: float | None, hi: float | None
) -> Iterator[tuple[Unknown, Unknown | int]]:
    """``d`` within these bounds, too, if that says more; nothing where it cannot be."""
    lo = d.lo if lo is None else lo if d.lo is None else max(lo, d.lo)
    hi = d.hi if hi is None else hi if d.hi is None else min(hi, d.hi)
    if (lo, hi) == (d.lo, d.hi) or lo is not None and hi is not None and lo > hi:
        return
    yield d, int(lo) if lo is not None and lo == hi else bounded(d, lo, hi)


def _now(d: Any, narrowed: Narrowed) -> Any:
    return narrowed[id(d)][1] if id(d) in narrowed else d


def _range(d: Any) -> tuple[float | None, float | None]:
    return (d.lo, d.hi) if type(d) is Unknown else (d, d)


def _plus(x: float | None, y: float | None) -> float | None:
    return None if x is None or y is None else x + y


def _less(x: float | None, y: float | None) -> float | None:
    return None if x is None or y is None else x - y


def _places(fr: Frame) -> Iterator[tuple[Cell, Any, V]]:
    """Where names of the frame, and attributes of the objects they name, hold values."""
    seen: set[int] = set()
    for name, value in list(fr.locals.items()):
        if not isinstance(value, V):
            continue
        yield fr.locals, name, value
        d = value.d
        if type(d) is Instance and not d.attrs.weak and id(d) not in seen:
            seen.add(id(d))
            for attr, held in list(d.attrs.items()):
                if isinstance(held, V) and type(held.d) is not Union:
                    yield d.attrs, attr, held


__all__ = ["bounded", "learn", "made_of"]
