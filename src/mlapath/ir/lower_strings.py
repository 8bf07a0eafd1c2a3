"""String literals: implicit concatenation and f-strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.lower_context import Context
from mlapath.ir.lower_literals import string_value, text_value
from mlapath.ir.lower_positions import ABSENT, fragment_positions
from mlapath.ir.nodes import Pos

Lower: TypeAlias = Callable[[Any, Any, Context], ir.Expr]
Parts: TypeAlias = list["str | ir.FormattedValue"]


def string(node: cst.BaseString, ref: Any, ctx: Context, lower: Lower) -> ir.Expr:
    """One ``Const`` for plain strings, one ``JoinedStr`` if any piece is an f-string."""
    pos = ctx.pos(node, ref)
    pieces = _pieces(node)
    kinds = {type(piece) for piece in pieces}
    if kinds == {cst.SimpleString}:
        values = [string_value(piece.value, pos[0]) for piece in pieces]
        empty = values[0][:0]
        return ir.Const(pos, empty.join(values))  # type: ignore[arg-type]
    if not kinds <= {cst.SimpleString, cst.FormattedString}:
        return ir.Opaque(pos, "template string")
    parts: Parts = []
    inside = ctx.within(fragment_positions(node, pos, ctx.indent))
    for piece in pieces:
        if isinstance(piece, cst.FormattedString):
            parts += _parts(piece.parts, piece.start, inside, lower)
        else:
            parts.append(str(string_value(piece.value, pos[0])))
    return ir.JoinedStr(pos, _merged(parts))


def _pieces(node: cst.BaseExpression) -> list[Any]:
    pieces: list[Any] = []
    while isinstance(node, cst.ConcatenatedString):
        pieces.append(node.left)
        node = node.right
    pieces.append(node)
    return pieces


def _parts(
    contents: Sequence[cst.BaseFormattedStringContent], opener: str, ctx: Context, lower: Lower
) -> Parts:
    return [
        _value(content, opener, ctx, lower)
        if isinstance(content, cst.FormattedStringExpression)
        else text_value(
            cst.ensure_type(content, cst.FormattedStringText).value,
            opener,
            ctx.pos(content, ABSENT)[0],
        )
        for content in contents
    ]


def _value(
    node: cst.FormattedStringExpression, opener: str, ctx: Context, lower: Lower
) -> ir.FormattedValue:
    pos = ctx.pos(node, ABSENT)
    spec = None
    if node.format_spec is not None:
        parts = _merged(_parts(node.format_spec, opener, ctx, lower))
        spec = ir.JoinedStr(_spec_pos(node.format_spec, pos, ctx), parts)
    conversion = node.conversion or ""
    debug = ""
    if node.equal is not None:
        debug = _debug_text(node, node.equal)
        if not conversion and spec is None:
            conversion = "r"
    return ir.FormattedValue(pos, lower(node.expression, ABSENT, ctx), conversion, spec, debug)


def _spec_pos(contents: Sequence[cst.CSTNode], outer: Pos, ctx: Context) -> Pos:
    """From the first to the last part of a format spec; before the ``}`` if it is empty."""
    end_line, end_col = outer[2], outer[3] - 1
    if not contents:
        return end_line, end_col, end_line, end_col
    return (*ctx.pos(contents[0], ABSENT)[:2], end_line, end_col)


def _debug_text(node: cst.FormattedStringExpression, equal: cst.AssignEqual) -> str:
    code = cst.Module([]).code_for_node
    before, after = node.whitespace_before_expression, node.whitespace_after_expression
    return code(before) + code(node.expression) + code(equal) + code(after)


def _merged(parts: Parts) -> tuple[str | ir.FormattedValue, ...]:
    """Neighbouring texts joined and empty ones dropped, as ``ast`` has them."""
    merged: Parts = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, str) and isinstance(last, str):
            merged[-1] = last + part
        elif part:
            merged.append(part)
    return tuple(merged)
