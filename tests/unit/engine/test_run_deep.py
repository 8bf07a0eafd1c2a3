"""The thread that evaluates, and the garbage collector."""

import gc
import weakref

import pytest

from mlapath.engine.interp import LEFT_BEHIND, run_deep


class Node:
    """Something that may refer to itself."""


@pytest.fixture
def _off():
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_off")
def test_what_an_earlier_task_left_is_collected_also_where_the_collector_is_off():
    def leaves() -> "weakref.ref[Node]":
        node = Node()
        node.itself = node
        kept = [[] for _ in range(LEFT_BEHIND + 1)]
        assert kept
        return weakref.ref(node)

    left = run_deep(leaves)
    assert left() is not None
    many = [[] for _ in range(LEFT_BEHIND + 1)]
    run_deep(lambda: None)
    assert many
    assert left() is None
    assert not gc.isenabled()


def test_what_a_task_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        run_deep(lambda: 1 // 0)
