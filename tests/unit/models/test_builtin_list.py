"""``list``: what its methods make of iterables that change it."""

from __future__ import annotations

from soundness.check import check

GROWS = """\
log = []
def note(item):
    log.append(item)
    return -item
log.extend(map(note, [1, 2]))
first, second = log[0], log[1]
if second == -1:
    log.clear()
"""


def test_a_list_that_its_own_source_extends_is_in_no_known_order() -> None:
    assert check(GROWS) == []
