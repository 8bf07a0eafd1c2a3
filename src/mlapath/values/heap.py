"""The heap: cells whose writes are logged while a fork is open.

So alternatives can be run one after the other over one heap, and joined.

A *mark* is a position in the log, with the clock of that moment.  ``take(mark)`` undoes every
write since the mark and returns them as a *delta*; ``apply`` redoes a delta.  Cells born after
the mark are left alone: nothing older can refer to them once the older cells are restored.

An alternative that is put aside for longer (``Saved``) is a delta relative to a position of the
log.  When a ``take`` cuts the log below that position, the delta is first re-expressed relative
to the cut.  Its clock stays: cells older than it are shared with the alternative that goes on.
"""

from __future__ import annotations

from typing import Any

from mlapath.values.identity import several
from mlapath.values.objects import OPEN, Cell, DictObj, ListObj, MayHold
from mlapath.values.union import may_be_absent, union
from mlapath.values.value import ABSENT, V

Ident = tuple[int, Any]
"""(id of cell, key)."""

Delta = dict[Ident, tuple[Cell, Any, Any]]
"""Ident -> (cell, key, value or ABSENT)."""

Mark = tuple[int, int]
"""(position in the log, clock)."""

Items = list[V]
Log = list[tuple[Cell, Any, Any]]
Marks = list[int]
"""Named here, as the class has a method ``list``."""

NOTHING = V(ABSENT)
UNBOUND: frozenset[Any] = frozenset()
RETIRED = 1 << 62
"""The birth of cells that are read no more: later than every mark, so that none keeps them."""


class Dropped:
    """In the log: the value of a key that was deleted, and the keys that came after it."""

    __slots__ = ("after", "value")

    def __init__(self, value: Any, after: tuple[Any, ...]) -> None:
        self.value = value
        self.after = after


class Saved:
    """An alternative put aside.

    delta: the writes that set it apart from the state at ``position`` of the log. alive: until
    it is released. seen: up to where later states were merged into it. base: entries as they are
    at ``position``, that were needed for that. stale: entries whose present values may not have
    been merged although the log does not tell of them after ``seen``: those of the alternative
    itself, and what was taken back, or cut from the log, since. met: what was merged last of each
    entry of ``delta``; merging it again would change nothing.
    """

    __slots__ = ("alive", "base", "clock", "delta", "met", "position", "seen", "stale")

    def __init__(self, mark: Mark, delta: Delta) -> None:
        self.position, self.clock = mark
        self.delta = delta
        self.seen = self.position
        self.base: Delta = {}
        self.stale: Delta = dict(delta)
        self.met: dict[Ident, Any] = {}
        self.alive = True

    @property
    def mark(self) -> Mark:
        """Where it branched off."""
        return self.position, self.clock


class Heap:
    """Allocates cells and logs writes to them."""

    def __init__(self) -> None:
        self.clock = 0
        self.newest = -1  # cells born later than this are younger than every open mark
        self.marks: Marks = []  # the clocks of the open marks, in order
        self.log: Log = []
        self.saved: list[Saved] = []

    # -- allocation ------------------------------------------------------------------------

    def cell(self, *args: Any) -> Cell:
        """A new cell, filled like a dict."""
        cell = Cell(*args)
        cell.born = cell.fresh = self.clock = self.clock + 1
        cell.bound = cell.dropped = UNBOUND
        cell.weak = cell.mixed = False
        return cell

    def list(self, items: Items) -> ListObj:
        """A new list."""
        return ListObj(self.cell({"items": items}))

    def retire(self, cell: Cell) -> None:
        """Nothing will read the cell again, in any alternative."""
        cell.born = RETIRED

    def dict(self, pairs: dict[Any, tuple[V, V]] | None = None, kind: str = "dict") -> DictObj:
        """A new dict or set."""
        return DictObj(self.cell(pairs or {}), kind)

    # -- writes ----------------------------------------------------------------------------

    def put(self, cell: Cell, key: Any, value: Any) -> None:
        """``cell[key] = value`` in the program: of several objects, one is written."""
        if type(value) is tuple:
            _note_order(cell, key)
        self.write(cell, key, weaker(cell, key, value) if cell.weak else value)

    def write(self, cell: Cell, key: Any, value: Any) -> None:
        """Write ``cell[key]``."""
        if cell.born <= self.newest:
            self.log.append((cell, key, dict.get(cell, key, ABSENT)))
        cell[key] = value

    def drop(self, cell: Cell, key: Any) -> None:
        """Delete ``cell[key]`` if it is there."""
        if cell.weak:
            self.write(cell, key, weaker(cell, key, NOTHING))
        else:
            self.erase(cell, key)

    def erase(self, cell: Cell, key: Any) -> None:
        """Delete ``cell[key]`` if it is there."""
        if key in cell:
            if cell.born <= self.newest:
                keys = list(cell)
                after = tuple(keys[keys.index(key) + 1 :])
                self.log.append((cell, key, Dropped(cell[key], after) if after else cell[key]))
                if type(cell[key]) is tuple:
                    cell.dropped = cell.dropped | {key}
            del cell[key]

    def items_for_write(self, lst: ListObj) -> Items:
        """The list's items, to be changed in place by the caller at once."""
        cell = lst.cell
        items: Items = cell["items"]
        if cell.fresh <= self.newest:  # an open mark may need the items as they are
            items = list(items)
            self.put(cell, "items", items)
            cell.fresh = self.clock = self.clock + 1
        return items

    def open_list(self, lst: ListObj, why: str, rest: V | None = None) -> None:
        """From now on the list may hold other items too, and lack some of its own.

        rest: what else may be in it; None: anything; ``NOTHING``: nothing else.
        """
        cell = lst.cell
        old = cell.get("open", "")
        if rest is None:
            if type(old) is MayHold or not old:
                self.put(cell, "open", str(why))
        elif type(old) is MayHold or not old:
            extra = () if rest is NOTHING else (rest,)
            known = old.extra if type(old) is MayHold else ()
            self.put(cell, "open", MayHold.of(why, (*known, *extra), certain=False))

    def open_dict(self, dct: DictObj, why: str) -> None:
        """From now on the dict may hold other keys too."""
        if OPEN not in dct.data:
            self.put(dct.data, OPEN, why)

    # -- forks -----------------------------------------------------------------------------

    def fork(self) -> Mark:
        """Open a mark. Close it with ``close``, or keep it as the mark of a ``Saved``."""
        self.newest = self.clock = self.clock + 1
        self.marks.append(self.clock)
        return len(self.log), self.clock

    def renew(self, saved: Saved) -> None:
        """From now on the cells that there are now are shared with the alternative."""
        self.marks.remove(saved.clock)
        self.newest = self.clock = saved.clock = self.clock + 1
        self.marks.append(self.clock)

    def restate(self, saved: Saved) -> None:
        """From now on the alternative stands for the current state."""
        self.renew(saved)
        self.saved.remove(saved)
        saved.position = saved.seen = len(self.log)
        saved.delta, saved.base, saved.stale, saved.met = {}, {}, {}, {}
        self.saved.append(saved)

    def close(self, mark: Mark) -> None:
        """Close a mark; the log is dropped with the last one."""
        self.marks.remove(mark[1])
        if self.marks:
            self.newest = self.marks[-1]
        else:
            self.newest = -1
            self.log.clear()

    @property
    def forks(self) -> int:
        """How many marks are open."""
        return len(self.marks)

    def save(self, saved: Saved) -> None:
        """Keep an alternative whose mark is open."""
        index = len(self.saved)
        while index and self.saved[index - 1].position > saved.position:
            index -= 1
        self.saved.insert(index, saved)

    def release(self, saved: Saved) -> None:
        """The alternative is about to be joined; its mark stays open until ``close``."""
        self.saved.remove(saved)
        saved.alive = False

    def discard(self, saved: Saved) -> None:
        """The alternative is of no account."""
        self.release(saved)
        self.close(saved.mark)

    def writes(self, mark: Mark) -> Delta:
        """What was written since the mark to cells older than it: the current values."""
        position, clock = mark
        delta: Delta = {}
        for cell, key, _ in self.log[position:]:
            if cell.born <= clock:
                delta[(id(cell), key)] = (cell, key, dict.get(cell, key, ABSENT))
        return delta

    def olds(self, mark: Mark) -> Delta:
        """What was written since the mark to cells older than it: the values at the mark."""
        position, clock = mark
        delta: Delta = {}
        for cell, key, old in reversed(self.log[position:]):
            if cell.born <= clock:
                delta[(id(cell), key)] = (cell, key, plain(old))
        return delta

    def take(self, mark: Mark) -> Delta:
        """Undo every write since the mark; returns them."""
        position, clock = mark
        if self.saved:
            self._rebase(mark)
        delta = self.writes(mark)
        for cell, key, old in reversed(self.log[position:]):
            if cell.born <= clock:
                if old is ABSENT:
                    cell.pop(key, None)
                elif type(old) is Dropped:
                    cell[key] = old.value
                    for later in old.after:
                        if later in cell:
                            cell[later] = cell.pop(later)
                else:
                    cell[key] = old
                cell.fresh = 0
        del self.log[position:]
        return delta

    def apply(self, delta: Delta) -> None:
        """Redo a delta over the current state."""
        for cell, key, value in delta.values():
            if cell.born == RETIRED:
                continue
            if value is ABSENT:
                self.erase(cell, key)
            else:
                self.write(cell, key, value)
                cell.fresh = 0

    def _rebase(self, mark: Mark) -> None:
        """Keep what the saved alternatives need of the log after a mark: it ends there now.

        Those saved after the mark are expressed relative to it. Cells younger than the mark are
        not undone; what they hold in an alternative is kept with it.
        """
        position, clock = mark
        later: Delta = {}  # values at the position of the alternative at hand
        end = len(self.log)
        for saved in reversed(self.saved):
            if saved.position <= position:
                self._forget_since(saved, mark)
                continue
            for cell, key, old in reversed(self.log[saved.position : end]):
                if cell.born != RETIRED:
                    later[(id(cell), key)] = (cell, key, plain(old))
            end = saved.position
            delta: Delta = {}
            for cell, key, _ in self.log[position:end]:
                ident = (id(cell), key)
                if ident not in delta and cell.born != RETIRED:
                    delta[ident] = later.get(ident) or (cell, key, dict.get(cell, key, ABSENT))
            for ident, entry in later.items():
                if clock < entry[0].born <= saved.clock:
                    delta.setdefault(ident, entry)
            delta.update(saved.delta)
            saved.delta = delta
            saved.position = saved.seen = position
            saved.base = {}
            saved.stale = dict(delta)

    def _forget_since(self, saved: Saved, mark: Mark) -> None:
        """The log after a mark is about to be dropped; the alternative branched off before."""
        position, clock = mark
        young: Delta = {}
        for cell, key, old in reversed(self.log[max(position, saved.seen) :]):
            if clock < cell.born <= saved.clock:
                young[(id(cell), key)] = (cell, key, plain(old))
        for ident, entry in young.items():
            saved.delta.setdefault(ident, entry)
        saved.stale.update(young)
        for cell, key, old in self.log[position : saved.seen]:  # merged, but taken back now
            if cell.born != RETIRED:
                saved.stale[(id(cell), key)] = (cell, key, old)
        saved.seen = min(saved.seen, position)


def weaker(cell: Cell, key: Any, value: Any) -> Any:
    """What ``cell[key]`` is where the object stands for several ones, and one is written."""
    old = cell.get(key, ABSENT)
    if isinstance(value, list):
        return [*old, *value] if isinstance(old, list) else value
    if isinstance(old, tuple) or isinstance(value, tuple):
        pair = old if isinstance(old, tuple) else value
        values = [x[1] if isinstance(x, tuple) else NOTHING for x in (old, value)]
        return (pair[0], several(union(values)))
    if isinstance(value, V) and (isinstance(old, V) or old is ABSENT):
        return several(union([old if isinstance(old, V) else NOTHING, value]))
    return old if isinstance(old, str) and old else value


def _note_order(cell: Cell, key: Any) -> None:
    """Note that a dict's key which is set may come last, or stay where it was."""
    old = cell.get(key)
    again = key in cell.dropped if old is None else type(old) is tuple and may_be_absent(old[1])
    if again and any(other != key for other in cell):
        cell.mixed = cell.mixed or old is None or next(reversed(cell)) != key


def plain(old: Any) -> Any:
    """The value in an entry of the log."""
    return old.value if type(old) is Dropped else old
