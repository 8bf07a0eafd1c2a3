"""What importing a module wrote to objects that were there before."""

from __future__ import annotations

from typing import Any

from mlapath.values.heap import Heap, Mark
from mlapath.values.join import distinct, join
from mlapath.values.objects import Cell
from mlapath.values.union import options, union
from mlapath.values.value import ABSENT, V

WHY = "changed by an import under a guard that is not known"


class Effects:
    """The writes since a mark, to be repeated where the module is imported again."""

    def __init__(self, heap: Heap, mark: Mark) -> None:
        self.writes: list[tuple[Cell, Any, Any, Any]] = [
            (cell, key, old, cell.get(key, ABSENT)) for cell, key, old in heap.olds(mark).values()
        ]

    def repeat(self, heap: Heap, *, certain: bool) -> None:
        """Write them again. ``certain``: the module was not imported before, for certain."""
        for cell, key, old, new in self.writes:
            now = cell.get(key, ABSENT)
            if now is new:
                continue
            if isinstance(now, list) and isinstance(new, list):
                _lists(heap, cell, old, new, now, certain=certain)
                continue
            value = new if certain else _perhaps(old, new, now)
            if value is ABSENT:
                heap.drop(cell, key)
            else:
                heap.put(cell, key, value)


def _perhaps(old: Any, new: Any, now: Any) -> Any:
    """The value where the module may have been imported before, and changed since."""
    value = join(now, new)
    return _bound(value) if old is ABSENT else value


def _bound(value: Any) -> Any:
    if isinstance(value, tuple):
        return (value[0], _bound(value[1]))
    if isinstance(value, V):
        found = [o for o in options(value) if o.d is not ABSENT]
        return union(found) if found else value
    return value


def _lists(heap: Heap, cell: Cell, old: Any, new: list[V], now: list[V], *, certain: bool) -> None:
    before = old if isinstance(old, list) else []
    appended = new[len(before) :] if new[: len(before)] == before else None
    if certain and appended is not None and not cell.get("open"):
        heap.put(cell, "items", [*now, *appended])
    else:
        heap.put(cell, "items", distinct([*now, *new]))
        heap.put(cell, "open", cell.get("open") or WHY)
    cell.fresh = 0
