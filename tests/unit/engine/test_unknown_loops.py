"""Loops of unknown length come to an end: their state covers one more round."""

import pytest

from mlapath.values.value import Union
from support.differential import Run
from support.unknowns import with_unknown


def limits(run: Run) -> list[str]:
    return [limit.why for limit in run.engine.trace.limits.values()]


@pytest.mark.parametrize(
    "held",
    [
        "{}",
        "[{}]",
        "[1, {}]",
        "{{'n': {}}}",
        "({}, 1)",
        "Chunk({})",
        "[x for x in u if {}]",
    ],
)
def test_one_object_stands_for_several_of_a_round(held):
    made = "\n    ".join(
        f"if u.{name}: found.append(Chunk({held.format(f'some_lib.{name}()')}))"
        for name in ("a", "b", "c")
    )
    run = with_unknown(
        f"""
class Chunk:
    def __init__(self, held):
        self.held = held
found = []
for x in u:
    {made}
"""
    )
    assert limits(run) == []


def test_what_several_objects_of_a_round_hold_is_kept():
    run = with_unknown(
        """
        class Chunk:
            def __init__(self, held, items):
                self.held = held
                self.items = items
        found = []
        for x in u:
            if u.a: found.append(Chunk(1, ["a"]))
            if u.b: found.append(Chunk("two", ["b"]))
            if u.c: found.append(Chunk(3.0, ["c", "d"]))
        first = [chunk.items[0] for chunk in found if chunk.items]
        one = first[0] if first else None
        """
    )
    assert limits(run) == []
    assert type(run.value("one").d) is Union
    assert {option.d for option in run.value("one").d.options} >= {"a", "b", "c", None}
