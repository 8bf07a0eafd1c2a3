"""The undo log: marks, taking back, redoing; weak objects; lists that are written in place."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mlapath.values.heap import NOTHING, Heap, Saved, plain, weaker
from mlapath.values.objects import OPEN, Cell, MayHold
from mlapath.values.union import covers, may_be_absent
from mlapath.values.value import ABSENT, V

NAMES = ("a", "b", "c")
WRITE = st.tuples(st.just("write"), st.integers(0, 1), st.sampled_from(NAMES), st.integers(0, 5))
ERASE = st.tuples(st.just("erase"), st.integers(0, 1), st.sampled_from(NAMES), st.just(0))
APPEND = st.tuples(st.just("append"), st.just(0), st.just(""), st.integers(0, 5))
WRITES = st.lists(st.one_of(WRITE, WRITE, ERASE, APPEND), max_size=8)


class Store:
    """Two cells and a list over one heap."""

    def __init__(self) -> None:
        self.heap = Heap()
        self.cells = [self.heap.cell({"a": 0, "b": 1}), self.heap.cell({"c": 2})]
        self.list = self.heap.list([V(1)])

    def run(self, writes: list[Any]) -> None:
        for kind, at, name, value in writes:
            if kind == "write":
                self.heap.write(self.cells[at], name, value)
            elif kind == "erase":
                self.heap.erase(self.cells[at], name)
            else:
                self.heap.items_for_write(self.list).append(V(value))

    def state(self) -> Any:
        """The content, with the order of the keys."""
        cells = [list(cell.items()) for cell in self.cells]
        return copy.deepcopy(cells), [item.d for item in self.list.items]


@given(WRITES, WRITES)
def test_what_is_taken_back_is_as_before_and_can_be_redone(first: Any, second: Any) -> None:
    store = Store()
    store.run(first)
    before = store.state()
    mark = store.heap.fork()
    store.run(second)
    after = store.state()
    delta = store.heap.take(mark)
    assert store.state() == before
    store.heap.apply(delta)
    assert [dict(cell) for cell in store.state()[0]] == [dict(cell) for cell in after[0]]
    assert store.state()[1] == after[1]
    store.heap.take(mark)
    assert store.state() == before
    store.heap.close(mark)
    assert not store.heap.log


@given(st.lists(WRITES, min_size=1, max_size=5))
def test_marks_nest(parts: list[Any]) -> None:
    store = Store()
    states, marks = [], []
    for writes in parts:
        states.append(store.state())
        marks.append(store.heap.fork())
        store.run(writes)
    assert store.heap.forks == len(parts)
    while marks:
        mark = marks.pop()
        store.heap.take(mark)
        store.heap.close(mark)
        assert store.state() == states.pop()
        assert store.heap.forks == len(marks)
    assert not store.heap.log


@given(WRITES, WRITES)
def test_the_values_at_a_mark_and_now(first: Any, second: Any) -> None:
    store = Store()
    store.run(first)
    before = [dict(cell) for cell in store.cells]
    mark = store.heap.fork()
    store.run(second)
    for cell, key, value in store.heap.olds(mark).values():
        if cell in store.cells:
            assert value == before[_index(store, cell)].get(key, ABSENT)
    for cell, key, value in store.heap.writes(mark).values():
        assert value == cell.get(key, ABSENT)
    changed = {(i, key) for i, cell in enumerate(store.cells) for key in {*cell, *before[i]}
               if cell.get(key, ABSENT) != before[i].get(key, ABSENT)}  # fmt: skip
    logged = {(_index(store, cell), key) for cell, key, _ in store.heap.writes(mark).values()
              if cell is not store.list.cell}  # fmt: skip
    assert changed <= logged


def _index(store: Store, cell: Cell) -> int:
    return next((i for i, other in enumerate(store.cells) if other is cell), -1)


@given(WRITES, WRITES, WRITES, WRITES)
def test_an_alternative_that_is_put_aside_survives_cuts_of_the_log(
    first: Any, aside: Any, second: Any, third: Any
) -> None:
    store = Store()
    heap = store.heap
    outer = heap.fork()
    store.run(first)
    mark = heap.fork()
    store.run(aside)
    expected = store.state()
    saved = Saved(mark, heap.take(mark))
    heap.save(saved)
    store.run(second)
    heap.take(outer)  # the log is cut below the place where the alternative branched off
    assert saved.position == outer[0]
    store.run(third)
    heap.release(saved)
    assert not saved.alive
    current = store.state()
    delta = heap.take(saved.mark)
    heap.apply(saved.delta)
    assert [dict(cell) for cell in store.state()[0]] == [dict(cell) for cell in expected[0]]
    assert store.state()[1] == expected[1]
    heap.take(saved.mark)
    heap.apply(delta)
    assert [dict(cell) for cell in store.state()[0]] == [dict(cell) for cell in current[0]]
    heap.close(saved.mark)
    heap.close(outer)
    assert not heap.log
    assert not heap.saved


def test_saved_alternatives_stand_in_the_order_of_their_positions() -> None:
    heap = Heap()
    cell = heap.cell({"a": 0})
    kept = []
    for value in (1, 2, 3):
        kept.append(Saved(heap.fork(), {}))
        heap.write(cell, "a", value)
    for saved in (kept[1], kept[2], kept[0]):
        heap.save(saved)
    assert heap.saved == kept
    heap.discard(kept[1])
    assert heap.saved == [kept[0], kept[2]]
    assert heap.forks == 2


def test_a_restated_alternative_is_the_present_state() -> None:
    heap = Heap()
    cell = heap.cell({"a": 0})
    saved = Saved(heap.fork(), {(id(cell), "a"): (cell, "a", 5)})
    heap.save(saved)
    heap.write(cell, "a", 1)
    heap.restate(saved)
    assert (saved.delta, saved.position) == ({}, len(heap.log))
    heap.write(cell, "a", 2)
    heap.take(saved.mark)
    heap.apply(saved.delta)
    assert cell["a"] == 1


def test_cells_that_are_younger_than_every_mark_are_not_logged() -> None:
    heap = Heap()
    mark = heap.fork()
    young = heap.cell({"a": 0})
    heap.write(young, "a", 1)
    assert not heap.log
    heap.fork()
    heap.write(young, "a", 2)
    assert len(heap.log) == 1
    assert (id(young), "a") not in heap.writes(mark)


def test_a_list_is_copied_once_a_mark_may_need_it() -> None:
    heap = Heap()
    items = heap.list([V(1)])
    assert heap.items_for_write(items) is items.items
    heap.fork()
    held = items.items
    written = heap.items_for_write(items)
    assert written is not held
    assert heap.items_for_write(items) is written


def test_an_object_that_stands_for_several_only_gains() -> None:
    heap = Heap()
    cell = heap.cell({"a": V(1)})
    cell.weak = True
    heap.put(cell, "a", V(2))
    heap.put(cell, "b", V(3))
    assert covers(cell["a"], V(1))
    assert covers(cell["a"], V(2))
    assert may_be_absent(cell["b"])
    heap.drop(cell, "a")
    assert covers(cell["a"], V(1))
    assert may_be_absent(cell["a"])


@given(st.integers(0, 3), st.integers(0, 3))
def test_what_a_weak_write_leaves_covers_old_and_new(old: int, new: int) -> None:
    cell = Heap().cell({"v": V(old), "p": (V("p"), V(old)), "l": [V(old)]})
    value, pair, items = (
        weaker(cell, "v", V(new)), weaker(cell, "p", (V("p"), V(new))), weaker(cell, "l", [V(new)])
    )  # fmt: skip
    for wanted in (old, new):
        assert covers(value, V(wanted))
        assert covers(pair[1], V(wanted))
        assert any(covers(item, V(wanted)) for item in items)
    assert may_be_absent(weaker(cell, "p", NOTHING)[1])


def test_why_a_list_is_open_only_grows() -> None:
    heap = Heap()
    items = heap.list([V(1)])
    heap.open_list(items, "one more", V(2))
    assert items.extra is None
    assert items.cell["open"].extra[0].d == 2
    heap.open_list(items, "none other", NOTHING)
    assert len(items.cell["open"].extra) == 1
    heap.open_list(items, "anything")
    assert type(items.cell["open"]) is str
    heap.open_list(items, "one more", V(3))
    assert type(items.cell["open"]) is str
    assert items.open == "anything"


def test_a_dict_keeps_its_first_reason() -> None:
    heap = Heap()
    table = heap.dict()
    heap.open_dict(table, "first")
    heap.open_dict(table, "second")
    assert table.data[OPEN] == "first"


def test_what_may_be_held_is_text_with_content() -> None:
    why = MayHold.of("longer", (V(1),))
    assert why == "longer"
    assert (why.certain, why.extra[0].d) == (True, 1)
    assert plain(why) is why
