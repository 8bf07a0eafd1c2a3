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


def note_content(it: Any, target: ListObj, value: V) -> None:
    """A list is changed: its content rests on the value and on the guard that led here."""
    control = it.frame.control
    if control is not None or value.o is not None:
        origin = merge(target.cell.get("o"), control, value.o)
        if origin is not target.cell.get("o"):
            it.heap.put(target.cell, "o", origin)
