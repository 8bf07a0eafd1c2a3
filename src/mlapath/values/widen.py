"""Widening: a loop's state before a round, made to cover the state after it."""

from __future__ import annotations

from typing import Any, TypeAlias

from mlapath.values.heap import NOTHING, Delta, Heap, Mark
from mlapath.values.identity import is_several, replace, several, unknowns
from mlapath.values.join import distinct, uncovered
from mlapath.values.objects import OPEN, Cell, MayHold
from mlapath.values.summary import Summaries, is_sequence
from mlapath.values.truth import Truth
from mlapath.values.union import covers, library_of, may_be_absent, union
from mlapath.values.value import ABSENT, Unknown, V

Content: TypeAlias = tuple[list[V], Any]
"""Items, and why there may be others or fewer of them."""

WHY = "changed in a loop of unknown length"


class Widening:
    """One loop's widening, over its rounds."""

    def __init__(self, heap: Heap) -> None:
        self.heap = heap
        self.start = heap.clock
        self.made: dict[int, Unknown] = {}  # unknowns that stand for values of several rounds
        self.wider: Delta = {}
        self.olds: Delta = {}
        self.hard = False
        self.summaries: Summaries

    def widen(self, mark: Mark, *, hard: bool) -> Delta | None:
        """The entries that the state at ``mark`` must have to cover the current state, too.

        None where it does cover it.

        hard: give up on what still changes, so that the rounds come to an end.
        """
        self.olds = self.heap.olds(mark)
        self.wider = {}
        self.hard = hard
        self.summaries = Summaries(self.start, mark[1], self.before)
        changes = [(cell, key, old, cell.get(key, ABSENT)) for cell, key, old in
                   self.olds.values()]  # fmt: skip
        for _, _, old, new in changes:
            self.summaries.match(old, new)
        for cell, key, old, new in changes:
            if new is not old:
                self._entry(cell, key, old, new)
        for cell, key, old, new in self.summaries.merged():
            if key == "items" and is_sequence(cell):
                why = self.before(cell, "open")
                self._sequence(cell, (old, why), new)
            else:
                self._entry(cell, key, old, new)
        return self.wider if self.wider or self.summaries.weakened else None

    def before(self, cell: Cell, key: Any) -> Any:
        """The content of a cell at the mark."""
        found = self.olds.get((id(cell), key))
        return found[2] if found is not None else cell.get(key, ABSENT)

    def _want(self, cell: Cell, key: Any, value: Any) -> None:
        """The state at the mark must hold this."""
        ident = (id(cell), key)
        found = self.wider.get(ident)
        if found is not None:
            value = self._both(found[2], value)
        if cell.weak and isinstance(value, V):
            value = several(value)
        elif cell.weak and isinstance(value, tuple):
            value = (value[0], several(value[1]))
        self.wider[ident] = (cell, key, value)

    def _both(self, one: Any, other: Any) -> Any:
        """What two objects of a round want of the object that stands for both."""
        if isinstance(one, V) and isinstance(other, V):
            return self._note(union([one, other]))
        if isinstance(one, tuple) and isinstance(other, tuple):
            return (other[0], self._both(one[1], other[1]))
        if isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return distinct([*one, *other])
            found = {(id(a), id(b)): (a, b) for a, b in zip(one, other, strict=True)}
            both = {ids: self._both(a, b) for ids, (a, b) in found.items()}
            return [both[id(a), id(b)] for a, b in zip(one, other, strict=True)]
        if type(one) is MayHold and type(other) is MayHold:
            extra = tuple(distinct([*one.extra, *other.extra]))
            return MayHold.of(one, extra, certain=one.certain and other.certain)
        return other if type(one) is MayHold else one

    def _entry(self, cell: Cell, key: Any, old: Any, new: Any) -> None:
        if is_sequence(cell):
            if key in {"items", "open"}:
                now = (cell["items"], cell.get("open", ""))
                before = self.before(cell, "items")
                known = before if isinstance(before, list) else []
                self._sequence(cell, (known, self.before(cell, "open")), now)
            elif key == "next":
                self._want(cell, "open", MayHold.of(WHY, (V(Unknown(WHY)),), certain=False))
        elif isinstance(old, tuple) or isinstance(new, tuple):
            self._pair(cell, key, old, new)
        elif key is OPEN and old is ABSENT:
            self._want(cell, key, new)
        elif isinstance(old, Truth):  # what a guard said of an unknown
            self._want(cell, key, ABSENT)
        elif isinstance(old, V) or isinstance(new, V) and old is ABSENT:
            value = self.value(old, new, weak=cell.weak)
            if value is not None:
                self._want(cell, key, value)

    def value(self, old: Any, new: Any, *, weak: bool = False) -> V | None:
        """What covers both, or None where the old value does.

        weak: the old value is held by an object that stands for several.
        """
        a = old if isinstance(old, V) else NOTHING
        b = self.summaries.replaced(new) if isinstance(new, V) else NOTHING
        if covers(a, b):
            apart = is_several(a) if weak else self._apart(a, b)
            return None if apart else self._note(union([a, b]))
        counted = _count(a, b)
        if counted is not None:
            return self._note(counted)
        joined = union([a, b])
        if self.hard:
            anything = V(Unknown(WHY, lib=library_of(joined)), joined.o)
            joined = union([NOTHING, anything]) if may_be_absent(joined) else anything
        return self._note(joined)

    def _each(self, old: list[V], new: list[V]) -> list[V | None]:
        """``value`` of each item; contents of tensors have one value at many places."""
        found: dict[tuple[int, int], V | None] = {}
        for a, b in zip(old, new, strict=True):
            if (id(a), id(b)) not in found:
                found[id(a), id(b)] = self.value(a, b)
        return [found[id(a), id(b)] for a, b in zip(old, new, strict=True)]

    def _apart(self, a: V, b: V) -> bool:
        """Whether nothing that was learnt of the old value could be taken for true of the new."""
        old = unknowns(a)
        if all(id(d) in self.made or d.several for d in old):
            return True
        return [d.root for d in old] == [d.root for d in unknowns(b)]

    def _note(self, value: V) -> V:
        def copy(d: Unknown) -> Unknown:
            made = Unknown(d.why, d.hint, d.lib, d.lo, d.hi)
            self.made[id(made)] = made
            return made

        return replace(value, copy)

    def _pair(self, cell: Cell, key: Any, old: Any, new: Any) -> None:
        if old is ABSENT and self.before(cell, OPEN) is not ABSENT:
            return
        pair = old if isinstance(old, tuple) else new
        before = old[1] if isinstance(old, tuple) else NOTHING
        after = new[1] if isinstance(new, tuple) else NOTHING
        if after is NOTHING and OPEN in cell:
            after = union([NOTHING, V(Unknown(WHY))])
        value = self.value(before, after, weak=cell.weak)
        if value is not None:
            self._want(cell, key, (pair[0], value))
            if self.hard and old is ABSENT:
                self._want(cell, OPEN, WHY)

    def _sequence(self, cell: Cell, old: Content, new: Content) -> None:
        """The content of a list, or of an iterator: items, and why there may be others."""
        old = (old[0], "" if old[1] is ABSENT else old[1])
        if old[1] and type(old[1]) is not MayHold:
            return  # it may hold anything
        items = [self.summaries.replaced(x) for x in new[0]] if self.summaries.found else new[0]
        if not old[1] and not new[1] and len(old[0]) == len(items) and not self.hard:
            values = self._each(old[0], items)
            if any(value is not None for value in values):
                made = [a if b is None else b for a, b in zip(old[0], values, strict=True)]
                self._want(cell, "items", made)
            return
        if new[1] not in ("", ABSENT) and type(new[1]) is not MayHold:
            self._want(cell, "open", WHY)
            return
        known, extra = [*old[0], *_extra(old[1])], list(_extra(old[1]))
        missing = uncovered(known, [*items, *map(self.summaries.replaced, _extra(new[1]))])
        if not missing and type(old[1]) is MayHold and not old[1].certain:
            return
        alike = old[1] is new[1] or not old[1] and not new[1]
        if alike and not missing and len(old[0]) == len(items) and all(
            covers(a, b) for a, b in zip(old[0], items, strict=True)
        ):  # fmt: skip
            return
        if missing and self.hard:
            extra.append(self._note(V(Unknown(WHY))))
            missing = []
        self._want(cell, "items", distinct([*old[0], *missing]))
        self._want(cell, "open", MayHold.of(WHY, tuple(extra), certain=False))


def _extra(why: Any) -> tuple[V, ...]:
    return why.extra if type(why) is MayHold else ()


def _count(a: V, b: V) -> V | None:
    """Numbers that go one way stay bounded on the other."""
    low, high = _range(a.d)
    new_low, new_high = _range(b.d)
    hints = {_hint(a.d), _hint(b.d)}
    if len(hints) > 1 or hints & {""}:
        return None
    lo = low if low is not None and new_low is not None and new_low >= low else None
    hi = high if high is not None and new_high is not None and new_high <= high else None
    return V(Unknown(WHY, hints.pop(), lo=lo, hi=hi), b.o)


def _hint(d: Any) -> str:
    if type(d) in (int, float):
        return type(d).__name__
    return d.hint if type(d) is Unknown and d.hint in ("int", "float") and not d.lib else ""


def _range(d: Any) -> tuple[float | None, float | None]:
    if type(d) is Unknown:
        return d.lo, d.hi
    return (d, d) if type(d) in (int, float) else (None, None)
