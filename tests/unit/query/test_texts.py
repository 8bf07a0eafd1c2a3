import pytest

from mlapath.query.texts import was_read, was_run
from support.differential import evaluate

SOURCE = """
def choose(a, b):
    if b:
        return "p.skipped"
    one = "p.taken" if a else "p.other"
    two = (
        "p.kept",
        one or "p.late",
    )
    return f"{one}.made", two
choose(True, False)
def never():
    return "p.unrun"
"""


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("p.skipped", False), ("p.kept", True), ("p.late", True), ("made", True),
        ("p.unrun", False),
        ("p.taken", True),  # one of the two on its line
    ],
)  # fmt: skip
def test_texts_that_evaluated_code_read(text, read):
    run = evaluate(SOURCE)
    line = next(i for i, s in enumerate(SOURCE.splitlines(), 1) if text in s)
    body = run.engine.program.load("subject.py").body
    assert was_read([run.engine.trace], body, "subject.py", line) is read


@pytest.mark.parametrize(("a", "read"), [("True", True), ("False", False), ("u", True)])
def test_the_side_of_a_condition_that_was_not_taken(a, read):
    text = (
        "import os\ndef f(a):\n    return 'p.x' if a else None\n"
        f"u = len(os.getcwd()) > 9\nf({a})\n"
    )
    run = evaluate(text)
    body = run.engine.program.load("subject.py").body
    assert was_read([run.engine.trace], body, "subject.py", 3) is read


def test_a_name_beside_a_text_that_was_not_read():
    run = evaluate("def f(a, g):\n    return g if a else 'p.x'\nf(True, 1)\n")
    body = run.engine.program.load("subject.py").body
    assert not was_read([run.engine.trace], body, "subject.py", 2)
    assert was_run([run.engine.trace], body, "subject.py", 2)
