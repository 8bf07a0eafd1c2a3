"""String literals: implicit concatenation and f-strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.lower_context import Context
from mlapath.ir.lower_literals import string_value, text_value
from mlapath.ir.lower_positions import ABSENT, fragment_positions

Lower: TypeAlias = Callable[[Any, Any, Context], ir.Expr]


def string(node: cst.BaseString, ref: Any, ctx: Context, lower: Lower) -> ir.Expr:
    """One ``Const`` for plain strings, one ``JoinedStr`` if any piece is an f-string."""
    pos = ctx.pos(node, ref)
    pieces = list(_pieces(node))
    if all(isinstance(piece, cst.SimpleString) for piece in pieces):
        values: list[Any] = [string_value(piece.value) for piece in pieces]
        return ir.Const(pos, type(values[0])().join(values))
    if not all(isinstance(piece, (cst.SimpleString, cst.FormattedString)) for piece in pieces):
        return ir.Opaque(pos, "template string")
    inside = ctx.within(fragment_positions(node, pos))
    parts: list[str | ir.FormattedValue] = []
    for piece in pieces:
        if isinstance(piece, cst.FormattedString):
            parts.extend(_parts(piece.parts, piece.start, inside, lower))
        else:
            parts.append(str(string_value(piece.value)))
    return ir.JoinedStr(pos, _merged(parts))


def _pieces(node: cst.BaseExpression) -> Iterator[Any]:
    while isinstance(node, cst.ConcatenatedString):
        yield node.left
        node = node.right
    yield node


def _parts(
    contents: Any, opener: str, ctx: Context, lower: Lower
) -> Iterator[str | ir.FormattedValue]:
    for content in contents:
        if isinstance(content, cst.FormattedStringText):
            yield text_value(content.value, opener)
        else:
            yield _value(content, opener, ctx, lower)


def _value(
    node: cst.FormattedStringExpression, opener: str, ctx: Context, lower: Lower
) -> ir.FormattedValue:
    spec = None
    if node.format_spec is not None:
        spec = _spec(node, opener, ctx, lower)
    conversion = node.conversion or ""
    debug = ""
    if node.equal is not None:
        debug = _debug_text(node)
        if not conversion and spec is None:
            conversion = "r"
    value = lower(node.expression, ABSENT, ctx)
    return ir.FormattedValue(ctx.pos(node, ABSENT), value, conversion, spec, debug)


def _spec(
    node: cst.FormattedStringExpression, opener: str, ctx: Context, lower: Lower
) -> ir.JoinedStr:
    contents = node.format_spec or ()
    parts = _merged(_parts(contents, opener, ctx, lower))
    if not contents:
        line, col = ctx.pos(node, ABSENT)[2:]
        return ir.JoinedStr((line, col - 1, line, col - 1), parts)
    first, last = ctx.pos(contents[0], ABSENT), ctx.pos(contents[-1], ABSENT)
    return ir.JoinedStr(first[:2] + last[2:], parts)


def _debug_text(node: cst.FormattedStringExpression) -> str:
    code = cst.Module([]).code_for_node
    equal = node.equal
    assert equal is not None
    return "".join(
        code(part) for part in (node.whitespace_before_expression, node.expression, equal)
    ) + code(node.whitespace_after_expression)


def _merged(
    parts: Iterator[str | ir.FormattedValue] | list[str | ir.FormattedValue],
) -> tuple[str | ir.FormattedValue, ...]:
    """Neighbouring texts joined and empty ones dropped, as ``ast`` has them."""
    merged: list[str | ir.FormattedValue] = []
    for part in parts:
        if isinstance(part, ir.FormattedValue):
            merged.append(part)
        elif merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part:
            merged.append(part)
    return tuple(merged)
