"""The heap: cells whose writes are logged while a fork is open.

So alternatives can be run one after the other over one heap, and joined.

A *mark* is a position in the log.  ``take(mark)`` undoes every write since the mark and
returns them as a *delta*; ``apply`` redoes a delta.  Cells born after the mark are left alone:
nothing older can refer to them once the older cells are restored.
"""

from __future__ import annotations

from typing import Any

from mlapath.values.objects import OPEN, Cell, DictObj, ListObj
from mlapath.values.value import ABSENT, V

Delta = dict[tuple[int, Any], tuple[Cell, Any, Any]]
"""(id of cell, key) -> (cell, key, value or ABSENT)."""

Items = list[V]
Log = list[tuple[Cell, Any, Any]]
"""Named here, as the class has a method ``list``."""


class Heap:
    """Allocates cells and logs writes to them."""

    def __init__(self) -> None:
        self.clock = 0
        self.forks = 0
        self.log: Log = []

    # -- allocation ------------------------------------------------------------------------

    def cell(self, *args: Any) -> Cell:
        """A new cell, filled like a dict."""
        cell = Cell(*args)
        cell.born = self.clock = self.clock + 1
        return cell

    def list(self, items: Items) -> ListObj:
        """A new list."""
        return ListObj(self.cell({"items": items}))

    def dict(self, pairs: dict[Any, tuple[V, V]] | None = None, kind: str = "dict") -> DictObj:
        """A new dict or set."""
        return DictObj(self.cell(pairs or {}), kind)

    # -- writes ----------------------------------------------------------------------------

    def put(self, cell: Cell, key: Any, value: Any) -> None:
        """Write ``cell[key]``."""
        if self.forks:
            self.log.append((cell, key, cell.get(key, ABSENT)))
        cell[key] = value

    def drop(self, cell: Cell, key: Any) -> None:
        """Delete ``cell[key]`` if it is there."""
        if key in cell:
            if self.forks:
                self.log.append((cell, key, cell[key]))
            del cell[key]

    # -- lists: mutation copies while a fork is open ---------------------------------------

    def items_for_write(self, lst: ListObj) -> Items:
        """The list's items, to be changed in place by the caller."""
        if self.forks:
            copied = list(lst.cell["items"])
            self.put(lst.cell, "items", copied)
            return copied
        items: Items = lst.cell["items"]
        return items

    def open_list(self, lst: ListObj, why: str) -> None:
        """From now on the list may hold other items too."""
        if lst.extra is not None:
            self.put(lst.cell, "open", str(why))

    def open_dict(self, dct: DictObj, why: str) -> None:
        """From now on the dict may hold other keys too."""
        if OPEN not in dct.data:
            self.put(dct.data, OPEN, why)

    # -- forks -----------------------------------------------------------------------------

    def fork(self) -> tuple[int, int]:
        """Open a fork; returns its mark. Close it with ``close``."""
        self.forks += 1
        self.clock += 1
        return len(self.log), self.clock

    def close(self) -> None:
        """Close the innermost fork; the log is dropped with the last one."""
        self.forks -= 1
        if not self.forks:
            self.log.clear()

    def writes(self, mark: tuple[int, int]) -> Delta:
        """What was written since the mark to cells older than it: the current values."""
        position, clock = mark
        delta: Delta = {}
        for cell, key, _ in self.log[position:]:
            if cell.born <= clock:
                delta[(id(cell), key)] = (cell, key, cell.get(key, ABSENT))
        return delta

    def take(self, mark: tuple[int, int]) -> Delta:
        """Undo every write since the mark; returns them."""
        delta = self.writes(mark)
        position, clock = mark
        for cell, key, old in reversed(self.log[position:]):
            if cell.born <= clock:
                if old is ABSENT:
                    cell.pop(key, None)
                else:
                    cell[key] = old
        del self.log[position:]
        return delta

    def apply(self, delta: Delta) -> None:
        """Redo a delta over the current state."""
        for cell, key, value in delta.values():
            if value is ABSENT:
                self.drop(cell, key)
            else:
                self.put(cell, key, value)

    def suspend(self) -> tuple[int, Log]:
        """Stop logging while a module runs: its effects hold on every alternative."""
        state = (self.forks, self.log)
        self.forks, self.log = 0, []
        return state

    def resume(self, state: tuple[int, Log]) -> None:
        """Log again."""
        self.forks, self.log = state
