"""Evidence shows the source as written, on one line."""

from __future__ import annotations

import pytest

from mlapath.ir import nodes
from mlapath.ir.lower import lower_module
from mlapath.ir.source_text import segment, split_lines
from support.ir_snippets import SNIPPETS


def whole(text: str) -> str:
    lines = split_lines(text)
    return segment(lines, (1, 0, len(lines), len(lines[-1])))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a + b", "a + b"),
        ("a  +\tb", "a + b"),
        ("f(\n    a,\n    b,\n)", "f(a, b,)"),
        ("f( a )", "f( a )"),
        ("(a and  # why\n b)", "(a and b)"),
        ("(a\n # one\n # two\n or b)", "(a or b)"),
        ("a \\\n    + b", "a + b"),
        ("'a  #b' + \"c  'd\"  # e", "'a  #b' + \"c  'd\""),
        ("'''a\n   b'''", "'''a b'''"),
        ('"""a"\n#b"""  #c', '"""a" #b"""'),
        (r"'\'  #' + '\\'  # x", r"'\'  #' + '\\'"),
        ("'unclosed  # x", "'unclosed"),
        ("", ""),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert whole(text) == shown


def test_columns_are_characters() -> None:
    assert segment(["é = 日本 + x"], (1, 4, 1, 6)) == "日本"


def test_lines_are_those_that_positions_count() -> None:
    text = "\ufeffx = 1\r\n\x0cy = 'a\u2028b'\rz = w\n"
    lines = split_lines(text)
    shown = [segment(lines, statement.pos) for statement in lower_module(text, "p.py").body]
    assert shown == ["x = 1", "y = 'a\u2028b'", "z = w"]


def test_a_shown_expression_means_the_same() -> None:
    for name in ("calls", "displays", "comprehensions", "booleans", "strings"):
        lines = split_lines(SNIPPETS[name])
        for statement in lower_module(SNIPPETS[name], "p.py").body:
            if isinstance(statement, nodes.ExprStmt) and "'''" not in "".join(lines):
                (again,) = lower_module(segment(lines, statement.pos), "p.py").body
                assert unplaced(again) == unplaced(statement)


def unplaced(node: object) -> object:
    if not isinstance(node, tuple):
        return node
    if hasattr(node, "pos"):
        node = node._replace(pos=None)
    return type(node).__name__, [unplaced(part) for part in node]
