"""Origins that sit beside values: of a list's content."""

from __future__ import annotations

from typing import Any

from mlapath.values.objects import ListObj
from mlapath.values.origin import Origin, merge
from mlapath.values.value import V


def content_origin(value: V) -> Origin | None:
    """The origin of a value's truth: that of a list's content, too."""
    if type(value.d) is ListObj:
        return merge(value.o, value.d.cell.get("o"))
    return value.o


def resting_on(it: Any, found: V, *asked: Origin | None) -> V:
    """Something that was found: it rests on what was asked for it, too."""
    known = [o for o in asked if o is not None and o is not found.o]
    if not known:
        return found
    other = merge(*known)
    if found.o is None:
        return V(found.d, other)
    fr = it.frame
    return V(found.d, Origin("which", fr.path, fr.pos, (found.o, other), fr.control))  # type: ignore[arg-type]


def note_content(it: Any, target: ListObj, value: V) -> None:
    """A list is changed: note what its content rests on.

    The value, the guard that led here, and the guards that were decided before (they kept other
    items out).
    """
    fr = it.frame
    if fr.control is not None or value.o is not None or fr.passed:
        origin = merge(target.cell.get("o"), fr.control, value.o, *fr.passed)
        if origin is not target.cell.get("o"):
            it.heap.put(target.cell, "o", origin)


def item_origin(it: Any, value: V) -> V:
    """An item without an origin of its own rests on the guards that led to its being added."""
    fr = it.frame
    if value.o is not None or fr.control is None and not fr.passed and type(value.d) is not str:
        return value
    return V(value.d, Origin("expr", fr.path, fr.pos, tuple(fr.passed), fr.control, value=value.d))
