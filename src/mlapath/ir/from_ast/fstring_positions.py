"""Right positions inside f-strings, which ``ast`` lacks before Python 3.12.

Before 3.12 a field's expression is parsed apart from its string, and where it stands is
guessed: expressions with the same text can get the same position.  Here every field is found
in the string's text, its expression is parsed anew from there, and takes the old one's place.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

from mlapath.ir.from_ast.fstring_fields import Field, fields_of


class MisplacedError(Exception):
    """The fields found in the text are not those that ``ast`` has."""


def place(node: ast.JoinedStr, lines: Sequence[str]) -> None:
    """Set the positions of all that stands in ``node``, as Python 3.12 has them.

    F-strings within its expressions get their own position only; what is in them is left for
    another call.

    Args:
        node: an f-string, at the right position itself.
        lines: of the file.

    Raises:
        MisplacedError: the fields cannot be told.
    """
    text = _Text(node, lines)
    try:
        _place(node.values, fields_of(text.latin), text)
    except (ValueError, SyntaxError) as error:
        raise MisplacedError(str(error)) from error


class _Text:
    """The bytes of an f-string, one character each, and where they stand in the file."""

    def __init__(self, node: Any, lines: Sequence[str]) -> None:
        self.line: int = node.lineno
        self.col: int = node.col_offset
        encoded = "\n".join(lines[node.lineno - 1 : node.end_lineno]).encode()
        cut = len(lines[node.end_lineno - 1].encode()) - node.end_col_offset
        self.latin = encoded[self.col : len(encoded) - cut].decode("latin-1")

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column, in bytes, of an offset."""
        newlines = self.latin.count("\n", 0, offset)
        if not newlines:
            return self.line, self.col + offset
        return self.line + newlines, offset - self.latin.rfind("\n", 0, offset) - 1

    def set(self, node: Any, start: int, end: int) -> None:
        """Let ``node`` stand at an interval of offsets."""
        node.lineno, node.col_offset = self.at(start)
        node.end_lineno, node.end_col_offset = self.at(end)


def _place(values: Iterable[ast.expr], fields: Iterable[Field], text: _Text) -> None:
    nodes = [value for value in values if isinstance(value, ast.FormattedValue)]
    for node, field in zip(nodes, fields, strict=True):
        text.set(node, field.start, field.end)
        expression = _expression(field, text)
        if type(expression) is not type(node.value):
            raise MisplacedError("another expression stands there")
        node.value = expression
        spec = node.format_spec
        if (spec is None) is not (field.colon < 0):
            raise MisplacedError("another format spec stands there")
        if isinstance(spec, ast.JoinedStr):
            text.set(spec, field.colon, field.end - 1)
            _place(spec.values, field.inner, text)


def _expression(field: Field, text: _Text) -> ast.expr:
    source = text.latin[field.first : field.last]
    # Parentheses, as CPython reads it: there may be newlines, or a tuple without any.
    body = ast.parse(f"({source.encode('latin-1').decode()})", mode="eval").body
    bare = (body.lineno, body.col_offset) == (1, 0)
    line, col = text.at(field.first)
    for node in ast.walk(body):
        if isinstance(node, (ast.expr, ast.arg, ast.keyword)):
            _shift(node, line - 1, col - 1)
    if bare:  # the parentheses are not in the text
        start = field.first + len(source) - len(source.lstrip())
        text.set(body, start, field.first + len(source.rstrip()))
    return body


def _shift(node: Any, down: int, right: int) -> None:
    if node.lineno == 1:
        node.col_offset += right
    if node.end_lineno == 1:
        node.end_col_offset += right
    node.lineno += down
    node.end_lineno += down
