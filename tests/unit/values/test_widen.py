"""Loops of unknown length: the widened state covers the states after any number of rounds."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings

from mlapath.values.heap import Heap
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.union import covers
from mlapath.values.value import Unknown, V
from mlapath.values.widen import Widening
from support.heap_programs import Ops, programs, watched
from support.heap_runs import checked

NESTED_MAKERS = (
    ("loop", (("new", "o", 0),
              ("fork", (), (("new", "o", 0), ("loop", (("attr", "o", "a", 1),))), ""))),
)  # fmt: skip


@settings(max_examples=200)
@given(programs(loops=True, few=True))
@example(watched(NESTED_MAKERS))
def test_every_number_of_rounds_is_covered_and_the_rounds_end(ops: Ops) -> None:
    assert checked(ops) == []


@settings(max_examples=100)
@given(programs(loops=True))
def test_with_lists_dicts_and_links_between_objects(ops: Ops) -> None:
    assert checked(ops) == []


def widened(heap: Heap, cell: object, body: object, rounds: int = 16) -> int:
    """Run ``body`` until its state is covered; in how many rounds."""
    widening = Widening(heap)
    for round_ in range(rounds):
        mark = heap.fork()
        body()  # type: ignore[operator]
        wider = widening.widen(mark, hard=round_ >= 3)
        heap.take(mark)
        heap.close(mark)
        if wider is None:
            return round_ + 1
        heap.apply(wider)
    pytest.fail("the rounds do not end")


def test_a_counter_keeps_the_bound_on_the_side_that_it_leaves() -> None:
    heap = Heap()
    cell = heap.cell({"n": V(0), "m": V(5)})

    def step(key: str, by: int) -> None:
        d = cell[key].d
        lo, hi = (d, d) if type(d) is int else (d.lo, d.hi)
        moved = V(Unknown("moved", "int", lo=None if lo is None else lo + by,
                          hi=None if hi is None else hi + by))  # fmt: skip
        heap.put(cell, key, V(d + by) if type(d) is int else moved)

    def body() -> None:
        step("n", 1)
        step("m", -2)

    assert widened(heap, cell, body) <= 3
    assert (cell["n"].d.lo, cell["n"].d.hi) == (0, None)
    assert (cell["m"].d.lo, cell["m"].d.hi) == (None, 5)


def test_what_goes_on_changing_is_given_up() -> None:
    heap = Heap()
    cell = heap.cell({"s": V("")})

    def body() -> None:
        d = cell["s"].d
        heap.put(cell, "s", V(f"{d}x" if type(d) is str else Unknown("longer")))

    widened(heap, cell, body)
    assert covers(cell["s"], V("x" * 99))


def test_keys_that_go_on_coming_leave_the_dict_open() -> None:
    heap = Heap()
    table = heap.dict()
    count = [0]

    def body() -> None:
        count[0] += 1
        heap.put(table.data, f"k{count[0]}", (V(f"k{count[0]}"), V(1)))

    for _ in range(3):
        widened(heap, table.data, body)
        if any(type(key) is not str for key in table.data):
            break
    assert any(type(key) is not str for key in table.data)


def test_one_object_stands_for_those_of_all_rounds() -> None:
    heap = Heap()
    cls = ClassObj("Node", "Node", "subject", (), heap.cell(), path="subject.py")
    cell = heap.cell({"head": V(None)})
    born: list[Instance] = []

    def body() -> None:
        made = Instance(cls, heap.cell({"next": cell["head"], "n": V(len(born))}))
        born.append(made)
        heap.put(cell, "head", V(made))

    assert widened(heap, cell, body) < 8
    known = [option.d for option in cell["head"].d.options if option.d is not None]
    assert len(known) == 1
    assert known[0].attrs.weak
    assert covers(known[0].attrs["n"], V(77))
    assert covers(known[0].attrs["next"], V(None))
    assert covers(known[0].attrs["next"], V(known[0]))
