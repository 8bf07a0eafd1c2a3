"""Positions inside f-strings, where ``ast`` has them right and where they come from the text."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlapath.ir import nodes
from mlapath.ir.from_ast import strings
from mlapath.ir.from_ast.fstring_fields import fields_of
from mlapath.ir.from_ast.fstring_positions import MisplacedError, place
from mlapath.ir.source_text import split_lines
from mlapath.ir.walk import walk
from support.ir_trees import comparable, module_by

# All of it is read alike by the grammar before Python 3.12 and since.
F_STRINGS = [
    "f'{a}{a}{a}'",
    "f'{a.b(c)[d]:>{w}.{p}}' f'{a.b(c)[d]!r:>{w}}'",
    "f'{{{a}}}' '{a}' rf'{{}}{a}'",
    "f'{a=}{ a = }{a=!s}{a=:5}{a!r:}'",
    "f'{a!=b}{a==b}{a<=b}{a>=b}{a<b}{a>b}'",
    "f'{a, b}{a,}{ *a, b }{(a, b)}{ (a) , b}{(a), (b)}'",
    "f'{(lambda x: x)}{ {1: 2}[1] }{ {a} }{a[1:2]}{[x for x in y]}'",
    "f'{(x for x in y)}{f(x for x in y)}{(yield)}'",
    "f'\\N{BULLET}{a}\\n{a}\\\\{a}' f'\\x41{a}'",
    "rf'\\{a}\\N{a}' Rf'\\n{a}' fR'{a}'",
    "f'''{\na\n}{\n  a +\n b}\n{a}'''",
    "f'''é{a}日\n日{'é'}{a:{'日'}{w}}''' 'é' f'{a}'",
    "f'{a:{b}}{a:x{b}{b}y}{a:{b!r}}'",
    "f'{f\"{a}{a}\"}{a}' f\"{f'{a}' + f'{a}'}\"",
    "f'''{f\"{a:{f'{a}'}}\"}'''",
    'f\'{"}"}{"{"}{a["}:!"]}{"""\'"""}\'',
    "(f'{a}'  # {not} f'{this}'\n  'x' \\\n  f'{a}')",
    "F'{a}' u'{a}' fr'{a}'",
    "f''",
    "f'}}{{' f'{a}'",
]
WRAPPED = [f"é = {text}, {text}\n" for text in F_STRINGS]


def reads(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize("text", [text for text in WRAPPED if reads(text)])
def test_the_text_and_the_parser_say_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strings, "MISPLACED", True)
    placed = comparable(module_by("ast", text))
    assert placed == comparable(module_by("libcst", text))
    if not _misplaced():
        monkeypatch.setattr(strings, "MISPLACED", False)
        assert placed == comparable(module_by("ast", text))


def _misplaced() -> bool:
    value: Any = ast.parse("f'{a}{a}'", mode="eval").body
    return value.values[0].col_offset == 0


def test_most_of_the_texts_can_be_read() -> None:
    assert len([text for text in WRAPPED if reads(text)]) >= 17


@given(st.lists(st.sampled_from(WRAPPED), min_size=1, max_size=3), st.booleans())
def test_no_two_expressions_share_a_position(texts: list[str], nested: bool) -> None:
    text = "".join(text for text in texts if reads(text))
    if nested:
        text = "if a:\n" + "".join(f"  {line}" for line in text.splitlines(True))
    if not reads(text):  # more indentation inside of triple quotes is still one statement
        return
    seen: dict[Any, Any] = {}
    lines = split_lines(text)
    for node in walk(module_by("ast", text)):
        if isinstance(node, nodes.Name):
            line, col, end_line, end_col = node.pos
            assert line == end_line
            assert lines[line - 1][col:end_col] == node.id
            assert seen.setdefault(node.pos, node) is node


def test_a_part_of_an_expression_is_found_where_it_stands() -> None:
    (statement,) = module_by("ast", "f'''\n{a}{b +\n  a}'''\n").body
    assert isinstance(statement, nodes.ExprStmt)
    names = [(n.id, n.pos) for n in walk(statement) if isinstance(n, nodes.Name)]
    assert names == [("a", (2, 1, 2, 2)), ("b", (2, 4, 2, 5)), ("a", (3, 2, 3, 3))]


@pytest.mark.parametrize(
    "text",
    ["f'{a", "f'{a'", "f'}'", "f'{a!r'", "f'{a:{b}'", "f'{\"a}'", "f'{(a}'", "x", "'a", "f'{a!'"],
)
def test_broken_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="without|not a string"):
        fields_of(text)


def test_another_expression_in_its_place_is_refused() -> None:
    node: Any = ast.parse("f'{a}'", mode="eval").body
    with pytest.raises(MisplacedError):
        place(node, ["f'1+' "])
    with pytest.raises(MisplacedError):
        place(node, ["f'{1}'"])
    with pytest.raises(MisplacedError):
        place(node, ["f'{ }'"])
