import pytest

from mlapath.query.lines import blocking, guards_before
from mlapath.query.sites import function_at
from support.differential import evaluate

SOURCE = """
def f(a, b):
    if a:
        early = 1
        return
    with open(b) as c:
        if not b:
            inner = 1
        else:
            other = 1
    while a:
        looped = 1
    last = 1
f(False, True)
"""
LINES = SOURCE.splitlines()


def line_of(text):
    return next(i for i, line in enumerate(LINES, 1) if text in line)


@pytest.mark.parametrize(
    ("text", "needed"),
    [
        ("early", [(3, True)]),
        ("inner", [(3, False), (7, True)]),
        ("other", [(3, False), (7, False)]),
        ("looped", [(3, False), (11, True)]),
        ("last", [(3, False)]),
    ],
)
def test_the_guards_before_a_line(text, needed):
    from mlapath.ir.lower import lower_module

    node = function_at(lower_module(SOURCE, "a.py").body, 2)
    assert [(t.pos[0], t.needed) for t in guards_before(node.body, line_of(text))] == needed


def test_the_first_guard_that_was_decided_against_a_line():
    run = evaluate(SOURCE.replace("with open(b) as c", "if b"))
    node = function_at(run.engine.program.load("subject.py").body, 2)
    found = blocking(run.engine.trace, "subject.f", "subject.py", node, line_of("inner"))
    assert found is not None
    assert (found[0].pos[0], found[1]) == (7, True)
    assert blocking(run.engine.trace, "subject.f", "subject.py", node, line_of("last")) is None
