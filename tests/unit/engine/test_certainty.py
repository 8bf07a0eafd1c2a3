"""Which calls are made on every way through the program."""

import textwrap

import pytest

from support.unknowns import with_unknown

FUNCTIONS = """
class Lost(Exception):
    pass
def f(*args, **kwargs): return 1
def g(*args, **kwargs): return 2
def both():
    if u.a: f()
    else: f()
"""


def certain(body: str) -> set[str]:
    """Which of ``f``, ``g`` and ``both`` are called for certain."""
    run = with_unknown(FUNCTIONS + textwrap.dedent(body))
    return {
        edge.callee.rpartition(".")[2]
        for edge in run.engine.trace.calls.values()
        if edge.covered
    } & {"f", "g", "both"}  # fmt: skip


@pytest.mark.parametrize(
    "body",
    [
        "f()",
        "if u.a: f()\nelse: f()",
        "if u.a: f(); g()\nelse: f()",
        "x = f() if u.a else f(1)",
        "if u.a:\n  if u.b: f()\n  else: f()\nelif u.c: f()\nelse: f()",
        "if u.a: raise Lost\nelse: f()",
        "if u.a: f()\nelse:\n  raise Lost",
        "(f if u.a else f)()",
        "try:\n  some_lib.work()\n  if u.a: f()\n  else: f()\nfinally:\n  some_lib.end()",
        "def h():\n  if u.a: return f()\n  return 3 if u.b else 4\nif u.c: f()\nelse: h(); f()",
        "def h():\n  if u.a:\n    f()\n    if u.b: return\n  else: f()\nh()",
        "for i in range(2):\n  if u.a: f()\n  else: f()",
    ],
)
def test_what_is_called_in_each_alternative_is_called_for_certain(body):
    assert "f" in certain(body)


@pytest.mark.parametrize(
    "body",
    [
        "if u.a: f()",
        "def h():\n  if u.a:\n    if u.b: return\n    raise Lost\n  else: f()\nh()",
        """
try:
  if u.a:
    if u.b: raise KeyError
    raise Lost
  else: f()
except KeyError: pass
""",
        "if u.a: f()\nelse: g()",
        "if u.a: f()\nelif u.b: g()\nelse: f()",
        "u.a and f()",
        "for x in u:\n  if u.a: f()\n  else: f()",
        "while u.more():\n  if u.a: f()\n  else: f()",
        "y = [f() if u.a else f(1) for x in u]",
        "def h():\n  if u.b: return\n  if u.a: f()\n  else: f()\ntry: h()\nfinally: g()",
        "try:\n  some_lib.work()\n  try: both()\n  finally: g()\nexcept Exception: pass",
        "min(u, key=f)",
        "def h():\n  if u.a:\n    if u.b: return\n    f()\n  else: f()\nh()",
        "try:\n  if u.a: raise Lost\n  else: f()\nexcept Lost: pass",
        "try:\n  some_lib.work()\n  if u.a: f()\n  else: f()\nexcept Exception: pass",
        "try:\n  if u.a:\n    some_lib.work()\n    f()\n  else: f()\nexcept Exception: pass",
        "try:\n  if u.a: f()\n  else: some_lib.work(); f()\nexcept Exception: pass",
        "try:\n  if u.a: raise Lost\nexcept Lost:\n  if u.b: f()\n  else: f()",
        "if u.a:\n  if u.b: f()\n  else: f()",
        "def h():\n  yield 1\n  both()\n  yield 2\nfor x in h():\n  if u.a: break",
    ],
)
def test_what_some_way_avoids_is_not(body):
    assert "f" not in certain(body)


def test_an_alternative_of_the_alternatives_may_hold_the_call():
    assert certain("if u.a: both()\nelse: f()") == {"f"}
    assert certain("if u.a: both()\nelse: both()") == {"f", "both"}


def test_a_call_in_one_alternative_is_not_itself_certain():
    run = with_unknown(FUNCTIONS + "if u.a: f()\nelse: f()\nfor i in (1, 2): g()")
    edges = run.engine.trace.calls.values()
    assert [(e.callee, e.certain, e.covered) for e in edges] == [
        ("subject.f", False, True), ("subject.f", False, True), ("subject.g", True, True)
    ]  # fmt: skip


def sure_lines(body: str) -> set[str]:
    """The texts of the lines that run for certain."""
    run = with_unknown(FUNCTIONS + textwrap.dedent(body))
    lines = run.engine.program.lines("subject.py")
    parts = run.engine.trace.parts
    return {
        lines[number - 1].strip()
        for (_, path), seen in parts.items() if path == "subject.py"
        for number, line in seen.items() if line.covered
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "sure"),
    [
        ("y = 1", True),
        ("if u.a:\n  y = 1", False),
        ("if u.a:\n  f()\ny = 1", True),
        ("def h():\n  if u.a: return 1\n  y = 1\nh()", False),
        ("def h():\n  if u.a: raise Lost\n  y = 1\nh()", True),
        ("def h():\n  y = 1\nif u.a: h()\nelse: h()", True),
        ("for i in u:\n  y = 1", False),
        ("for i in (1, 2):\n  y = 1", True),
        ("try:\n  some_lib.work()\n  y = 1\nexcept ValueError:\n  pass", False),
        ("with u:\n  y = 1", True),
    ],
)
def test_lines_that_run_for_certain(body, sure):
    assert ("y = 1" in sure_lines(body)) is sure


def test_a_line_knows_the_guards_of_its_function():
    run = with_unknown("if u.a:\n    if u.b:\n        y = 1\n")
    lines = run.engine.program.lines("subject.py")
    (seen,) = [
        line for part in run.engine.trace.parts.values()
        for number, line in part.items() if lines[number - 1].strip() == "y = 1"
    ]  # fmt: skip
    assert seen.guards is not None
    assert (seen.guards[-1].text, seen.guards[-1].side) == ("some_lib.anything().b", True)
