"""Objects that the rounds of a loop make: which older one stands for which, and where it shows."""

from __future__ import annotations

from typing import Any

import pytest

from mlapath.values.heap import Heap
from mlapath.values.objects import BoundMethod, ClassObj, Instance, Native
from mlapath.values.summary import Summaries, cell_of, is_sequence
from mlapath.values.union import options, union
from mlapath.values.value import V

HEAP = Heap()
NODE = ClassObj("Node", "Node", "subject", (), HEAP.cell(), path="subject.py")
OTHER = ClassObj("Other", "Other", "subject", (), HEAP.cell(), path="subject.py")


class Round:
    """The second round of a loop: ``made`` objects of the first and of this one."""

    def __init__(self) -> None:
        self.heap = Heap()
        self.before_loop = self.object(NODE)
        start = self.heap.clock
        self.older = self.object(NODE)
        self.elsewhere = self.object(OTHER)
        mark = self.heap.fork()
        self.newer = self.object(NODE)
        self.summaries = Summaries(start, mark[1], lambda cell, key: cell.get(key))

    def object(self, cls: ClassObj, **attrs: V) -> Instance:
        return Instance(cls, self.heap.cell(attrs))

    def stands_for_newer(self, old: Any, new: Any) -> bool:
        self.summaries.match(old, new)
        return options(self.summaries.replaced(V(self.newer)))[0].d is self.older


@pytest.fixture
def at() -> Round:
    return Round()


def test_an_older_object_of_the_class_held_by_the_same_name(at: Round) -> None:
    assert at.stands_for_newer(V(at.older), V(at.newer))
    assert at.older.attrs.weak
    assert at.summaries.weakened


@pytest.mark.parametrize("wrap", [
    lambda value: V((value,)),
    lambda value: (V("key"), value),
    lambda value: [V(0), value],
    lambda value: union([V(None), value]),
    lambda value: V(BoundMethod(Native("method", lambda it, args, kwargs: V(None)), value)),
], ids=["tuple", "dict", "list", "union", "method"])  # fmt: skip
def test_inside_what_holds_it(at: Round, wrap: Any) -> None:
    assert at.stands_for_newer(wrap(V(at.older)), wrap(V(at.newer)))


def test_neither_one_from_before_the_loop_nor_one_of_another_class(at: Round) -> None:
    assert not at.stands_for_newer(V(at.before_loop), V(at.newer))
    assert not at.stands_for_newer(V(at.elsewhere), V(at.newer))
    assert not at.summaries.weakened


def test_objects_behind_the_objects(at: Round) -> None:
    old, new = at.object(OTHER), at.object(OTHER)
    at.older.attrs["link"] = V(at.elsewhere)
    at.newer.attrs["link"] = V(new)
    assert at.stands_for_newer(V(at.older), V(at.newer))
    assert at.summaries.replaced(V(new)).d is at.elsewhere
    assert at.summaries.replaced(V(old)).d is old


def test_what_the_older_one_must_hold(at: Round) -> None:
    at.older.attrs["n"] = V(1)
    at.newer.attrs.update(n=V(2), m=V(3))
    at.summaries.match(V(at.older), V(at.newer))
    changes = {key: (before, after) for _, key, before, after in at.summaries.merged()}
    assert changes["n"] == (at.older.attrs["n"], at.newer.attrs["n"])
    assert changes["m"][1] is at.newer.attrs["m"]


def test_where_nothing_was_matched_values_stay_what_they_are(at: Round) -> None:
    value = V((V(at.newer), V(1)))
    assert at.summaries.replaced(value) is value


def test_an_object_of_the_round_that_stays_holds_the_older_one(at: Round) -> None:
    kept = at.object(OTHER, link=V(at.newer))
    at.summaries.match(V(at.older), V(at.newer))
    assert at.summaries.replaced(V(kept)).d is kept
    assert kept.attrs["link"].d is at.older


def test_cells_of_lists_dicts_and_objects() -> None:
    items, table = HEAP.list([]), HEAP.dict()
    assert cell_of(items) is items.cell
    assert cell_of(table) is table.data
    assert is_sequence(items.cell)
    assert not is_sequence(table.data)
    assert cell_of(1) is None
    assert cell_of(Instance(NODE, HEAP.cell(), "text")) is None
