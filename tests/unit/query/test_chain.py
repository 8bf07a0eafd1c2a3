"""Which of the facts behind a value its chain begins at."""

import pytest

from mlapath.query.chain import chain
from support.differential import FakeFacts, evaluate

BEFORE = """import os
class Box:
    pass
box = Box()
"""


def root(program, **given):
    run = evaluate(BEFORE + program, FakeFacts(env=given))
    return chain(run.value("found").o)[0].label


@pytest.mark.parametrize(
    "program",
    [
        # what was asked of a fact, before where that was done
        "if os.environ.get('A') is None:\n    found = os.environ.get('B') is None\n",
        # the guard that a value stands under, before one that would have raised
        (
            "def f():\n    if os.environ.get('A'):\n        raise ValueError\n"
            "    if os.environ.get('B') is None:\n        return 1\n    return 2\nfound = f()\n"
        ),
        # what an object holds, before which object it is
        (
            "box.part = Box() if os.environ.get('A') is None else None\n"
            "box.part.size = os.environ.get('B') is None\nfound = box.part.size\n"
        ),
        # what a function makes of its argument, before which function it is
        (
            "box.f = (lambda x: x is None) if os.environ.get('A') is None else None\n"
            "found = box.f(os.environ.get('B'))\n"
        ),
    ],
)
def test_a_chain_begins_at_what_explains_most(program):
    assert root(program) == "env:B"


@pytest.mark.parametrize(("given", "first"), [({"B": "x"}, "env:B"), ({"A": "x"}, "env:A")])
def test_what_was_given_explains_more_than_what_was_not(given, first):
    program = "found = (os.environ.get('A') or '') + (os.environ.get('B') or '')\n"
    assert root(program, **given) == first
