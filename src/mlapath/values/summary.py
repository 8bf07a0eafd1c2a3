"""Objects made in the rounds of a loop: one stands for those of all rounds.

An object that a round made takes the place of one that an earlier round made where both are
held by the same name, key or list and are of the same class. The older one stands for both
from then on: writes to it add to what it holds (its cell is *weak*).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mlapath.values.objects import BoundMethod, Cell, DictObj, Instance, ListObj, MayHold
from mlapath.values.union import options, union
from mlapath.values.value import ABSENT, V

Change = tuple[Cell, Any, Any, Any]
"""cell, key, content before the round, content to be covered."""


def cell_of(d: Any) -> Cell | None:
    """The cell of a heap object that may stand for several."""
    if type(d) is Instance:
        return d.attrs if d.payload is None or cell_of(d.payload) is not None else None
    if type(d) is ListObj:
        return d.cell
    return d.data if type(d) is DictObj else None


def is_sequence(cell: Cell) -> bool:
    """Whether a cell is that of a list or an iterator."""
    return isinstance(cell.get("items"), list)


def _kind(d: Any) -> Any:
    if type(d) is Instance:
        return d.cls
    return (type(d), d.kind) if type(d) is DictObj else type(d)


class Summaries:
    """Finds the older object for each object that the round made.

    start: the clock when the loop began. mark: when the round began. before: content of a cell
    at that time.
    """

    def __init__(self, start: int, mark: int, before: Callable[[Cell, Any], Any]) -> None:
        self.start = start
        self.mark = mark
        self.before = before
        self.found: dict[int, tuple[Any, Any]] = {}  # id of the new one -> (new, old)
        self.weakened = False  # an object began to stand for several in this round
        self.kept: set[int] = set()  # objects of the round that stay, looked into already

    def match(self, old: Any, new: Any) -> None:
        """Pair the objects in ``new`` that the round made with older ones in ``old``."""
        if isinstance(new, tuple) and isinstance(old, tuple):
            self.match(old[1], new[1])
        elif isinstance(new, list) and isinstance(old, list):
            made = [item for item in new if self._has_objects(item)]
            held = [item for item in old if self._has_objects(item)] if made else []
            for item in made:
                for candidate in held:
                    self.match(candidate, item)
        elif isinstance(new, V) and isinstance(old, V):
            for option in options(new):
                for candidate in options(old):
                    self._pair(candidate.d, option.d)

    def _has_objects(self, value: V) -> bool:
        """Whether a value may be, or hold, an object that this loop made."""
        for option in options(value):
            d = option.d
            cell = cell_of(d)
            if cell is not None and cell.born > self.start or type(d) in (tuple, BoundMethod):
                return True
        return False

    def _pair(self, old: Any, new: Any) -> None:
        if type(new) is tuple and type(old) is tuple and len(new) == len(old):
            for a, b in zip(old, new, strict=True):
                self.match(a, b)
            return
        if type(new) is BoundMethod and type(old) is BoundMethod:
            self.match(old.self_, new.self_)
            return
        young, elder = cell_of(new), cell_of(old)
        if young is None or elder is None or id(new) in self.found:
            return
        if young.born <= self.mark or not self.start < elder.born <= self.mark:
            return
        if _kind(old) is not _kind(new) and _kind(old) != _kind(new):
            return
        self.found[id(new)] = (new, old)
        if not elder.weak:
            elder.weak = self.weakened = True
        for key in young:
            self.match(self.before(elder, key), young[key])
        if type(new) is Instance and new.payload is not None:
            self._pair(old.payload, new.payload)

    def replaced(self, value: V) -> V:
        """The value with older objects in the place of those that the round made."""
        if not self.found:
            return value
        parts = [V(self._content(option.d), option.o) for option in options(value)]
        if all(a.d is b.d for a, b in zip(parts, options(value), strict=True)):
            return value
        return V(union(parts).d, value.o)

    def _content(self, d: Any) -> Any:
        pair = self.found.get(id(d))
        if pair is not None:
            return pair[1]
        if type(d) is tuple:
            parts = tuple(self.replaced(x) for x in d)
            return d if all(a is b for a, b in zip(parts, d, strict=True)) else parts
        if type(d) is BoundMethod:
            inner = self.replaced(d.self_)
            return d if inner is d.self_ else BoundMethod(d.func, inner)
        young = cell_of(d)
        if young is not None and young.born > self.mark and id(d) not in self.kept:
            self.kept.add(id(d))
            self._inside(young)
        return d

    def _inside(self, young: Cell) -> None:
        """Replace objects inside one that stays; nothing older has it yet."""
        for key, held in list(young.items()):
            if isinstance(held, V):
                young[key] = self.replaced(held)
            elif isinstance(held, tuple):
                young[key] = (held[0], self.replaced(held[1]))
            elif isinstance(held, list):
                young[key] = [self.replaced(x) for x in held]

    def merged(self) -> Iterator[Change]:
        """What the older objects must hold to stand for the new ones, too."""
        for new, old in self.found.values():
            yield from self._contents(cell_of(old), cell_of(new))
            if type(new) is Instance and new.payload is not None:
                yield from self._contents(cell_of(old.payload), cell_of(new.payload))

    def _contents(self, elder: Cell | None, young: Cell | None) -> Iterator[Change]:
        if elder is None or young is None:
            return
        if is_sequence(young):
            items = [*self.before(elder, "items"), *young["items"]]
            why = young.get("open") or MayHold.of("one of several lists", (), certain=False)
            yield elder, "items", self.before(elder, "items"), (items, why)
            return
        for key in dict.fromkeys([*elder, *young]):
            yield elder, key, self.before(elder, key), young.get(key, ABSENT)
