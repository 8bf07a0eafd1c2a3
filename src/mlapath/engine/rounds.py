"""Rounds of a loop that do alike are evaluated as one: the cost follows what differs.

By induction over the rounds: what the last round that was run by itself wrote tells how the state
moves from round to round (a counter grows by a step, a dict gains a key of the round's own, a
list an item, a cache stays as it is). The rounds that are left are then evaluated once, with the
loop's item, and each counter, as the family of its values in them. At the end, what that
evaluation wrote must be what the next round was assumed to start from; else, or where the rounds
go different ways, it is undone, and the next round is run by itself.

Nothing is read that differs from round to round in another way: such cells are watched. What the
rounds made is then copied for each of them, so that no family is left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mlapath.engine.control import Frame, PyRaise
from mlapath.engine.expand import Expander
from mlapath.engine.snapshot import Snapshot
from mlapath.values.family import Family, NotUniform, family_of
from mlapath.values.heap import Delta, Heap, Ident, Mark, Saved
from mlapath.values.join import merge_current
from mlapath.values.objects import Cell, Instance, ListObj
from mlapath.values.origin import Origin
from mlapath.values.union import covers
from mlapath.values.value import ABSENT, Unknown, V
from mlapath.values.watched import Watch, hide, is_hidden

MIN_ROUNDS = 4
"""Fewer rounds are not worth it."""
MIN_STEPS = 400
"""Nor are rounds of fewer steps."""
MAX_ATTEMPTS = 4

One = Callable[[V], V]


class Moves(NamedTuple):
    """What a round wrote to cells that are older than it.

    steps: counters with their growth. fixed: what ended as it began, or within what it was
    known to be then. wide: numbers that are not known, whatever their bounds. others: all else.
    new: ids of the cells to which keys were added.
    """

    steps: dict[Ident, tuple[Cell, Any, int]]
    fixed: dict[Ident, tuple[Cell, Any]]
    wide: dict[Ident, tuple[Cell, Any]]
    others: dict[Ident, tuple[Cell, Any]]
    new: set[int]

    def alike(self, other: Moves) -> bool:
        """Whether two rounds moved the state in the same way."""
        mine = {ident: step for ident, (_, _, step) in self.steps.items()}
        return mine == {ident: step for ident, (_, _, step) in other.steps.items()} and (
            self.new == other.new
        )


class Rounds:
    """The rounds that are being evaluated as one."""

    def __init__(self, heap: Heap, mark: Mark) -> None:
        self._heap = heap
        self._mark = mark
        self._older = {id(saved) for saved in heap.saved}
        self.watch = Watch()
        self.merged: list[tuple[Saved, Delta]] = []
        self.appended: list[tuple[ListObj, V]] = []
        self.lists: set[int] = set()

    def merge(self, saved: Saved) -> bool:
        """Note that each round's state here joins an alternative that is older than they are."""
        if id(saved) not in self._older:
            return False
        self.merged.append((saved, self._heap.writes(self._mark)))
        return True

    def grows(self, cell: Cell) -> None:
        """Each round adds a key of its own to a cell."""
        self.watch.growing.add(id(cell))
        self.watch.add(cell)

    def append(self, target: ListObj, value: V) -> bool:
        """Note an append to a list to which each round appends; False: it is another list."""
        if id(target.cell) not in self.lists:
            return False
        self.appended.append((target, value))
        return True


def run_rounds(it: Any, fr: Frame, items: list[V], one: One, emit: Callable[[V], None]) -> None:
    """``emit(one(item))`` for each item, several rounds at once where they do alike."""
    last: Moves | None = None
    attempts = MAX_ATTEMPTS if it.rounds is None else 0
    at = 0
    while at < len(items):
        steps = it.budget.steps
        mark = it.heap.fork() if attempts else None
        result = one(items[at])
        if mark is not None:
            moves = _moves(it, mark)
            it.heap.close(mark)
        emit(result)
        at += 1
        if mark is None:
            continue
        if it.budget.steps - steps < MIN_STEPS or len(items) - at < MIN_ROUNDS:
            attempts = 0
            continue
        if last is not None and last.alike(moves):
            made = _attempt(it, fr, items[at:], one, moves)
            attempts -= 1
            for value in made:
                emit(value)
            at += len(made)
        last = moves


def _moves(it: Any, mark: Mark) -> Moves:
    """How the state moved since a mark."""
    moves = Moves({}, {}, {}, {}, set())
    for ident, (cell, key, old) in it.heap.olds(mark).items():
        new = dict.get(cell, key, ABSENT)
        step = _step(old, new)
        if step == 0:
            moves.fixed[ident] = (cell, key)
        elif step is not None:
            moves.steps[ident] = (cell, key, step)
        elif _unbounded(old) is not None and _unbounded(new) is not None:
            moves.wide[ident] = (cell, key)
        else:
            moves.others[ident] = (cell, key)
            if old is ABSENT:
                moves.new.add(id(cell))
    return moves


def _step(old: Any, new: Any) -> int | None:
    """By how much a counter grew, 0 where nothing but provenance changed; None: otherwise."""
    if old is new or isinstance(old, Origin) or isinstance(new, Origin):
        return 0
    if type(old) is tuple and type(new) is tuple:  # a dict's (key, value)
        old, new = old[1], new[1]
    if isinstance(old, V) and isinstance(new, V):
        if type(old.d) is int and type(new.d) is int:
            return new.d - old.d
        return 0 if covers(old, new) else None
    return None


def _unbounded(content: Any) -> Any:
    """A content that is a number that is not known, without its bounds; None: it is no such."""
    value = content[1] if type(content) is tuple else content
    if not isinstance(value, V) or type(value.d) is not Unknown or value.d.hint != "int":
        return None
    made = V(Unknown(value.d.why, "int"), value.o)
    return (content[0], made) if type(content) is tuple else made


def _attempt(it: Any, fr: Frame, items: list[V], one: One, moves: Moves) -> list[V]:
    """The results of the rounds that do alike, from the first on; none where that fails."""
    while len(items) >= MIN_ROUNDS:
        mark = it.heap.fork()
        snapshot = Snapshot(it)
        rounds = it.rounds = Rounds(it.heap, mark)
        agree = 0
        try:
            return _as_one(it, items, one, moves, mark, snapshot)
        except NotUniform as reason:
            agree = reason.agree
        except PyRaise:  # the first of the rounds raises: it is run by itself
            pass
        finally:
            rounds.watch.end()
            it.rounds = None
        snapshot.restore()
        it.heap.take(mark)
        it.heap.close(mark)
        items = items[:agree]
    return []


def _as_one(
    it: Any, items: list[V], one: One, moves: Moves, mark: Mark, snapshot: Snapshot
) -> list[V]:
    heap = it.heap
    count = len(items)
    rounds: Rounds = it.rounds
    watch = rounds.watch
    for cell, key, step in moves.steps.values():
        heap.write(cell, key, _stepped(cell[key], step, count))
        watch.add(cell)
    for cell, key in moves.wide.values():
        heap.write(cell, key, _unbounded(cell[key]))
    for cell, key in moves.others.values():
        heap.write(cell, key, hide(cell.get(key)))
        if id(cell) in moves.new:
            watch.growing.add(id(cell))
        if key == "items":
            rounds.lists.add(id(cell))
        watch.add(cell)
    before = list(heap.saved)
    result = one(V(family_of([item.d for item in items]), items[0].o))
    watch.end()
    it.rounds = None
    if before != heap.saved:
        raise NotUniform("an alternative is left behind")
    writes = heap.writes(mark)
    clock = mark[1]
    _check(moves, writes, heap.olds(mark), count, clock)
    copiers = [Expander(heap, clock, index) for index in range(count)]
    results = [copier.value(result) for copier in copiers]
    changes = [_changes(copier, writes) for copier in copiers]
    merges = [[(saved, _changes(copier, delta)) for saved, delta in rounds.merged]
              for copier in copiers]  # fmt: skip
    appended = [[(target, copier.value(value)) for target, value in rounds.appended]
                for copier in copiers]  # fmt: skip
    snapshot.restore_saved()
    heap.take(mark)
    for own, appends, joins in zip(changes, appended, merges, strict=True):
        for saved, state in joins:
            inner = heap.fork()
            _apply(it, state, [])
            merge_current(heap, saved)
            heap.take(inner)
            heap.close(inner)
        _apply(it, own, appends)
    heap.close(mark)
    return results


Changes = list[tuple[Cell, Any, Any]]


def _changes(copier: Expander, writes: Delta) -> Changes:
    """What one of the rounds wrote."""
    return [
        (cell, copier.key(key), copier.content(content))
        for cell, key, content in writes.values() if not is_hidden(content)
    ]  # fmt: skip


def _stepped(start: Any, step: int, count: int) -> Any:
    value = start[1] if type(start) is tuple else start
    made = V(Family(tuple(value.d + step * i for i in range(count))), value.o)
    return (start[0], made) if type(start) is tuple else made


def _check(moves: Moves, writes: Delta, olds: Delta, count: int, clock: int) -> None:
    """Whether each round leaves the state as the next one was assumed to find it."""
    for ident, (cell, key, step) in moves.steps.items():
        content = dict.get(cell, key)
        value = content[1] if type(content) is tuple else content
        old = olds[ident][2]
        first = (old[1] if type(old) is tuple else old).d
        wanted = tuple(first + step * (i + 1) for i in range(count))
        if not isinstance(value, V) or type(value.d) is not Family or value.d.members != wanted:
            raise NotUniform(f"a counter {key!r} does not grow by {step}")
    for ident, (_, key, value) in writes.items():
        if ident in moves.steps or ident in moves.others:
            continue
        if ident in moves.wide and _unbounded(value) is not None:
            continue
        old = olds[ident][2]
        own = type(key) is Family or type(key) is Instance and key.attrs.born > clock
        if old is ABSENT and own:
            continue
        if old is not value and _step(old, value) != 0:
            raise NotUniform(f"writes {key!r}, which the round before did not change")


def _apply(it: Any, changes: Changes, appends: list[tuple[ListObj, V]]) -> None:
    """Do what a round wrote to cells that are older than it."""
    for cell, key, content in changes:
        if content is ABSENT:
            it.heap.erase(cell, key)
        elif dict.get(cell, key, ABSENT) is not content:
            it.heap.write(cell, key, content)
    for target, value in appends:
        it.call(it.getattr(V(target), "append"), [value], {})


__all__ = ["Rounds", "run_rounds"]
