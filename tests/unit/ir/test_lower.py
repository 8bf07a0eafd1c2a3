"""Two lowerings by way of two parsers, held against each other and CPython's symbol tables."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
import sysconfig
import tokenize
import unicodedata
import warnings
from pathlib import Path
from typing import Any

import pytest

from mlapath.ir import lower, nodes
from mlapath.ir.errors import ParseError
from mlapath.ir.from_ast import fstring_positions, strings
from mlapath.ir.from_ast.fstring_fields import Field
from mlapath.ir.from_ast.module import UnreadableError, body_from_ast
from mlapath.ir.from_cst.module import UnparsedError, body_from_cst
from mlapath.ir.lower import lower_module
from mlapath.ir.source_text import segment, split_lines
from support.ir_snippets import NEWER, SNIPPETS
from support.ir_trees import comparable, module_by
from support.scopes import symbol_scopes


def parses(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except SyntaxError:
            return False
    return True


def walk(node: Any) -> Any:
    if isinstance(node, tuple):
        yield node
        for part in node:
            yield from walk(part)


def assert_same(text: str) -> None:
    lowered = module_by("ast", text)
    assert comparable(lowered) == comparable(module_by("libcst", text))
    lines = split_lines(text)
    scopes = {
        (line, len(lines[line - 1][:col].encode())): node.scope
        for node in walk(lowered)
        if isinstance(node, nodes.FunctionDef)
        for line, col in [node.pos[:2]]
    }
    assert scopes == symbol_scopes(text)


@pytest.mark.parametrize("name", [*SNIPPETS, *NEWER])
def test_both_lowerings_are_the_same(name: str) -> None:
    text = {**SNIPPETS, **NEWER}[name]
    if name in NEWER and not parses(text):
        pytest.skip("newer syntax than this Python's")
    assert_same(text)


@pytest.mark.parametrize("name", [*SNIPPETS, *NEWER])
def test_names_stand_where_their_position_says(name: str) -> None:
    text = {**SNIPPETS, **NEWER}[name]
    lines = split_lines(text)
    lowered = lower_module(text, "p.py")
    for node in walk(lowered):
        if isinstance(node, nodes.Name):
            assert unicodedata.normalize("NFKC", segment(lines, node.pos)) == node.id


def test_every_kind_of_node_is_in_the_snippets() -> None:
    seen = {
        type(node)
        for text in [*SNIPPETS.values(), *NEWER.values()]
        for node in walk(lower_module(text, "p.py"))
    }
    kinds = {kind for kind in vars(nodes).values() if hasattr(kind, "_fields")}
    assert kinds - seen == {nodes.Opaque}


def stdlib_sample(count: int) -> list[Path]:
    root = Path(sysconfig.get_path("stdlib"))
    files = sorted(root.glob("*.py")) + sorted(root.glob("[a-z]*/*.py"))
    files = [f for f in files if f.stat().st_size < 60_000 and "site-packages" not in f.parts]
    return random.Random(20240229).sample([f for f in files if "test" not in str(f)], count)


@pytest.mark.parametrize("path", stdlib_sample(30), ids=lambda path: path.stem)
def test_both_lowerings_are_the_same_on_the_standard_library(path: Path) -> None:
    with tokenize.open(path) as file:
        assert_same(file.read())


# -- which parser ---------------------------------------------------------------------------


def modules_after(text: str) -> str:
    program = (
        "import sys\n"
        "from mlapath.ir.lower import lower_module\n"
        f"lower_module({text!r}, 'p.py')\n"
        "print('libcst' in sys.modules)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


def test_libcst_is_not_imported_for_what_this_python_parses() -> None:
    assert modules_after("".join(SNIPPETS.values())) == "False"


def test_libcst_reads_what_this_python_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(text: str) -> None:
        raise UnreadableError(1, "too new")

    text = SNIPPETS["f-strings"] + SNIPPETS["calls"]
    expected = lower_module(text, "p.py")
    monkeypatch.setattr(lower, "body_from_ast", never)
    assert comparable(lower_module(text, "p.py")) == comparable(expected)


@pytest.mark.parametrize(
    "fields", [[], [Field(3, 4, 5, -1, 6, ())], [Field(3, 4, 5, 5, 6, ())] * 3]
)
def test_libcst_reads_f_strings_whose_fields_cannot_be_told(
    monkeypatch: pytest.MonkeyPatch, fields: list[Field]
) -> None:
    text = "x = f'{a}{b.c}'\n"
    expected = lower_module(text, "p.py")
    monkeypatch.setattr(strings, "MISPLACED", True)
    monkeypatch.setattr(fstring_positions, "fields_of", lambda text: fields)
    with pytest.raises(UnreadableError):
        body_from_ast(text)
    assert lower_module(text, "p.py") == expected


# -- newer syntax ---------------------------------------------------------------------------


def test_type_alias_and_type_parameters() -> None:
    text = "type X[T] = list[T]\ndef f[T: int](a: T) -> T:\n    return a\n"
    alias, function = lower_module(text, "p.py").body
    assert alias == nodes.TypeAliasStmt(
        (1, 0, 1, 19),
        "X",
        nodes.Subscript(
            (1, 12, 1, 19), nodes.Name((1, 12, 1, 16), "list"), nodes.Name((1, 17, 1, 18), "T")
        ),
    )
    assert isinstance(function, nodes.FunctionDef)
    assert function.pos == (2, 0, 3, 12)
    assert function.scope.bound == ("a",)
    assert function.params.args[0].annotation == nodes.Name((2, 17, 2, 18), "T")


def test_same_quotes_inside_an_f_string() -> None:
    (statement,) = lower_module("f'{a['b']!r:>{w}}'\n", "p.py").body
    width = nodes.FormattedValue((1, 13, 1, 16), nodes.Name((1, 14, 1, 15), "w"), "", None)
    index = nodes.Subscript(
        (1, 3, 1, 9), nodes.Name((1, 3, 1, 4), "a"), nodes.Const((1, 5, 1, 8), "b")
    )
    spec = nodes.JoinedStr((1, 11, 1, 16), (">", width))
    value = nodes.FormattedValue((1, 2, 1, 17), index, "r", spec)
    assert statement == nodes.ExprStmt((1, 0, 1, 18), nodes.JoinedStr((1, 0, 1, 18), (value,)))


def test_except_star() -> None:
    (statement,) = lower_module(NEWER["except star"], "p.py").body
    assert isinstance(statement, nodes.Try)
    assert statement.is_star
    assert [handler.name for handler in statement.handlers] == ["e", None]
    assert [handler.pos for handler in statement.handlers] == [(2, 0, 2, 17), (3, 0, 3, 17)]


def test_template_strings_are_opaque() -> None:
    (statement,) = lower_module("x = t'{a}'\n", "p.py").body
    assert isinstance(statement, nodes.Assign)
    assert statement.value == nodes.Opaque((1, 4, 1, 10), "template string")


# -- text as files have it -----------------------------------------------------------------


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_newlines_do_not_matter(newline: str) -> None:
    text = "x = '''a\nb'''\nif x:\n    y = (1,\n  z)\n"
    expected = lower_module(text, "p.py")
    assert lower_module(text.replace("\n", newline), "p.py") == expected


def test_byte_order_mark_does_not_count() -> None:
    assert lower_module("\ufeffx = 1\n", "p.py") == lower_module("x = 1\n", "p.py")


def test_form_feed_counts_as_a_character() -> None:
    module = lower_module("x = 1\n\x0cy = 2\n", "p.py")
    assert [node.pos for node in module.body] == [(1, 0, 1, 5), (2, 1, 2, 6)]


def test_invalid_escapes_warn_nobody() -> None:
    lowered = lower_module("x = '\\d' f'\\d{y}'\n", "p.py")  # warnings are errors in tests
    (statement,) = lowered.body
    assert isinstance(statement, nodes.Assign)
    assert isinstance(statement.value, nodes.JoinedStr)
    assert statement.value.parts[0] == "\\d\\d"


def test_docstring_leaves_the_body() -> None:
    text = "'''m'''\nclass C:\n    'c'\n    def f(self):\n        'f' 'f'\n        return 1\n"
    module = lower_module(text, "a/p.py")
    (klass,) = module.body
    assert isinstance(klass, nodes.ClassDef)
    (function,) = klass.body
    assert isinstance(function, nodes.FunctionDef)
    assert (module.path, module.doc, klass.doc, function.doc) == ("a/p.py", "m", "c", "ff")
    assert [type(node) for node in function.body] == [nodes.Return]


# -- errors --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1\nx = = 2\n", 2),
        ("x = (\n", 1),
        ("if x:\npass\n", 2),
        ("x = 1\ny = '''abc\n", 2),
        ("x\n  y\n", 2),
        ("y\nx = '\\xZ'\n", 2),
        ("y\nx = b'é'\n", 2),
        ("y\nx = f'\\xZ{y}'\n", 2),
    ],
)
def test_names_the_line_of_a_fault(text: str, line: int) -> None:
    with pytest.raises(ParseError) as caught:
        lower_module(text, "a/b.py")
    assert (caught.value.path, caught.value.line) == ("a/b.py", line)
    assert caught.value.message
    assert f"a/b.py:{line}: " in str(caught.value)
    assert "\n" not in str(caught.value)


def test_null_byte_is_a_parse_error() -> None:
    with pytest.raises(ParseError):
        lower_module("x = 1\n\0", "p.py")


def test_mixed_bytes_and_text_are_a_parse_error() -> None:
    with pytest.raises(ParseError, match=r"p\.py:2: "):
        lower_module("y\nx = 'a' b'b'\n", "p.py")


def test_too_many_digits_is_a_parse_error() -> None:
    with pytest.raises(ParseError, match=r"p\.py:2: "):
        lower_module("y\nx = " + "9" * 9999 + "\n", "p.py")


def test_deep_nesting_is_a_parse_error() -> None:
    with pytest.raises(ParseError, match="nested too deeply"):
        lower_module("x = " + " + ".join("a" * 2000) + "\n", "p.py")


def test_what_libcst_cannot_parse_says_so() -> None:
    with pytest.raises(UnparsedError, match="libcst cannot parse this") as caught:
        body_from_cst("x = 1\n(y): int = 2\n")
    assert caught.value.line == 2


def test_what_only_libcst_cannot_parse_is_lowered() -> None:
    _, statement = lower_module("x = 1\n(y): int = 2\n", "p.py").body
    assert isinstance(statement, nodes.AnnAssign)


def test_a_fault_in_newer_syntax_is_told_by_libcst(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(text: str) -> None:
        raise UnreadableError(1, "too new")

    monkeypatch.setattr(lower, "body_from_ast", never)
    with pytest.raises(ParseError, match=r"p\.py:2: bytes can only contain"):
        lower_module("y\nx = b'é'\n", "p.py")
    with pytest.raises(ParseError, match=r"p\.py:1: too new"):
        lower_module("y\nx = = 1\n", "p.py")
