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

Bounds = tuple[float | None, float | None]
Told = tuple[Unknown, Bounds]
"""A number, and the bounds that it is found to have."""

MAX_TOLD = 32
"""So many steps from number to number are made at most."""


def made_of(op: str, left: V, right: V, result: Unknown) -> None:
    """Remember that ``result`` is ``left op right``, for whole numbers."""
    if op not in ("+", "-") or result.hint != "int":
        return
    if all(
        d.hint == "int" and not d.several if type(d) is Unknown else type(d) in (int, bool)
        for d in (left.d, right.d)
    ):
        result.made = (op, left.d, right.d)


def learn(it: Any, fr: Frame, d: Unknown, lo: float | None, hi: float | None) -> None:
    """``d`` turned out to be within bounds: pass on what follows for itself and its relations."""
    if d.several or d.hint not in ("int", "float"):
        return
    places = [(cell, key, v) for cell, key, v in _places(fr) if type(v.d) is Unknown]
    found = {id(v.d.root): v.d for _, _, v in places}
    told: dict[int, Bounds] = {}
    queue: list[Told] = [(d, (lo, hi))]
    for _ in range(MAX_TOLD):
        if not queue:
            break
        number, bounds = queue.pop(0)
        told[id(number.root)] = _both(told.get(id(number.root), bounds), bounds)
        queue += _parts(number, told)
        queue += _results(found, told)
    for cell, key, value in places:
        if id(value.d.root) in told:
            bounds = _known(value.d, told)
            if bounds != (value.d.lo, value.d.hi):
                it.heap.put(cell, key, V(value.d.bounded(*bounds), value.o))


def _parts(d: Unknown, told: dict[int, Bounds]) -> Iterator[Told]:
    """The operands of a number, as far as they are bounded by what is told of it."""
    if d.root.made is None:
        return
    op, left, right = d.root.made
    (lo, hi), (a, b), (c, e) = (_known(x, told) for x in (d, left, right))
    if op == "+":
        wanted = ((left, _less(lo, e), _less(hi, c)), (right, _less(lo, b), _less(hi, a)))
    else:
        wanted = ((left, _plus(lo, c), _plus(hi, e)), (right, _less(a, hi), _less(b, lo)))
    for part, low, high in wanted:
        if type(part) is Unknown:
            yield from _tighter(part, (low, high), told)


def _results(found: dict[int, Unknown], told: dict[int, Bounds]) -> Iterator[Told]:
    """The numbers that were made of those of which something is told."""
    for d in found.values():
        if d.root.made is None:
            continue
        op, left, right = d.root.made
        if any(type(x) is Unknown and id(x.root) in told for x in (left, right)):
            (a, b), (c, e) = _known(left, told), _known(right, told)
            plus = op == "+"
            yield from _tighter(d, (_plus(a, c) if plus else _less(a, e),
                                    _plus(b, e) if plus else _less(b, c)), told)  # fmt: skip


def _tighter(d: Unknown, bounds: Bounds, told: dict[int, Bounds]) -> Iterator[Told]:
    """``d`` with the bounds, if they say more of it; nothing where it cannot be."""
    before = _known(d, told)
    lo, hi = _both(before, bounds)
    if (lo, hi) != before and (lo is None or hi is None or lo <= hi):
        yield d, (lo, hi)


def _both(one: Bounds, other: Bounds) -> Bounds:
    (a, b), (c, d) = one, other
    return (
        c if a is None else a if c is None else max(a, c),
        d if b is None else b if d is None else min(b, d),
    )


def _known(d: Any, told: dict[int, Bounds]) -> Bounds:
    """The bounds that a number has by itself and by what is told of it."""
    if type(d) is not Unknown:
        return d, d
    return _both((d.lo, d.hi), told.get(id(d.root), (None, None)))


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


__all__ = ["learn", "made_of"]
