"""Loops of unknown length come to an end."""

import pytest

from mlapath.values.value import Union
from support.unknowns import with_unknown

CHUNK = """
class Chunk:
    def __init__(self, total, skip):
        self.total = total
        self.skip = skip
chunks = []
"""


@pytest.mark.parametrize(
    "body",
    [
        """
    n = int(x.total())
    if x.first:
        chunks.append(Chunk(n, n > 2))
    else:
        chunks.append(Chunk(n + 1, n > 3))
        """,
        """
    chunks.append(Chunk(int(x.total()), x.a > 1))
    chunks.append(Chunk(int(x.total()), x.a > 2))
        """,
    ],
)
def test_one_object_stands_for_two_that_each_round_makes(body):
    run = with_unknown(f"{CHUNK}\nfor x in u:\n{body}")
    assert not run.engine.trace.limits


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
    assert not run.engine.trace.limits


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
    assert not run.engine.trace.limits
    assert type(run.value("one").d) is Union
    assert {option.d for option in run.value("one").d.options} >= {"a", "b", "c", None}
