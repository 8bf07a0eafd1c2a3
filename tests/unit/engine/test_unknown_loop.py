"""Loops of unknown length come to an end."""

import pytest

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
