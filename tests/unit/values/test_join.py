"""Alternatives over one heap: what is joined covers each of them, wherever the log is cut."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings

from mlapath.values import join
from mlapath.values.heap import Heap, Saved
from mlapath.values.value import V
from support.heap_programs import Ops, programs, watched
from support.heap_runs import checked

CUT_BEFORE_MERGE = (
    ("fork", (("set", "x", 1), ("raise",)), (("raise",),), ""),
)  # fmt: skip
MERGED_INSIDE = (
    ("raise",), ("set", "x", 1), ("fork", (("set", "x", 2), ("raise",)), (("raise",),), ""),
)  # fmt: skip
YOUNG_OBJECT = (
    ("raise",), ("fork", (("new", "o", 0), ("raise",), ("attr", "o", "a", 1)), (), ""),
)  # fmt: skip
OBJECT_OF_ONE_SIDE = (
    ("fork", (("new", "o", 0), ("fork", (), (("raise",), ("attr", "o", "a", 1)), "")), (), ""),
    ("raise",),
)  # fmt: skip
MERGED_BEFORE_LEAVING = (
    ("fork", (), (("raise",), ("new", "o", 0)), "first leaves"),
    ("fork", (("fork", (), (("attr", "o", "a", 1), ("raise",)), ""),), (("raise",),), ""),
)  # fmt: skip
RAISED_BY_OTHERS_TOO = (
    ("fork", (("set", "x", 1),), (), "first raises"), ("fork", (), (), "second raises"),
)  # fmt: skip


@settings(max_examples=300)
@given(programs(few=True))
@example(watched(CUT_BEFORE_MERGE))
@example(watched(MERGED_INSIDE))
@example(watched(YOUNG_OBJECT))
@example(watched(OBJECT_OF_ONE_SIDE))
@example(watched(MERGED_BEFORE_LEAVING))
@example(watched(RAISED_BY_OTHERS_TOO))
def test_each_state_of_each_alternative_is_covered(ops: Ops) -> None:
    assert checked(ops) == []


@settings(max_examples=200)
@given(programs())
def test_with_lists_dicts_and_links_between_objects(ops: Ops) -> None:
    assert checked(ops) == []


def test_merging_again_looks_only_at_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    real = join._join_entry

    def counted(*args: Any) -> None:
        nonlocal looked
        looked += 1
        real(*args)

    monkeypatch.setattr(join, "_join_entry", counted)
    heap = Heap()
    cell = heap.cell({key: V(0) for key in range(1000)})
    saved = Saved(heap.fork(), {})
    heap.save(saved)
    for key in range(1000):
        heap.write(cell, key, V(1))
    join.merge_current(heap, saved)
    assert looked == 1000
    for key in range(10):
        mark = heap.fork()
        heap.write(cell, key, V(2))
        join.merge_current(heap, saved)
        heap.take(mark)
        heap.close(mark)
    assert looked <= 1000 + 2 * 10
    assert {option.d for option in saved.delta[id(cell), 3][2].d.options} == {0, 1, 2}
