"""String literals: implicit concatenation and f-strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.from_cst.context import Context
from mlapath.ir.from_cst.literals import string_value, text_value
from mlapath.ir.nodes import Pos
from mlapath.ir.normal_form import Parts, merged

Lower: TypeAlias = Callable[[Any, Context], ir.Expr]


def string(node: cst.BaseString, ctx: Context, lower: Lower) -> ir.Expr:
    """One ``Const`` for plain strings, one ``JoinedStr`` if any piece is an f-string."""
    pos = ctx.pos(node)
    pieces = _pieces(node)
    kinds = {type(piece) for piece in pieces}
    if kinds == {cst.SimpleString}:
        values = [string_value(piece.value, pos[0]) for piece in pieces]
        empty = values[0][:0]
        return ir.Const(pos, empty.join(values))  # type: ignore[arg-type]
    if not kinds <= {cst.SimpleString, cst.FormattedString}:
        return ir.Opaque(pos, "template string")
    parts: Parts = []
    for piece in pieces:
        if isinstance(piece, cst.FormattedString):
            parts += _parts(piece.parts, piece.start, ctx, lower)
        else:
            parts.append(str(string_value(piece.value, pos[0])))
    return ir.JoinedStr(pos, merged(parts))


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
    parts: Parts = []
    for content in contents:
        if isinstance(content, cst.FormattedStringExpression):
            parts += _value(content, opener, ctx, lower)
        else:
            text = cst.ensure_type(content, cst.FormattedStringText).value
            parts.append(text_value(text, opener, ctx.pos(content)[0]))
    return parts


def _value(node: cst.FormattedStringExpression, opener: str, ctx: Context, lower: Lower) -> Parts:
    """The formatted value, after its own text if it is a ``{x=}``."""
    pos = ctx.pos(node)
    spec = None
    if node.format_spec is not None:
        parts = merged(_parts(node.format_spec, opener, ctx, lower))
        spec = ir.JoinedStr(_spec_pos(node.format_spec, pos, ctx), parts)
    conversion = node.conversion or ""
    debug = ""
    if node.equal is not None:
        debug = _debug_text(node, node.equal)
        if not conversion and spec is None:
            conversion = "r"
    return [debug, ir.FormattedValue(pos, lower(node.expression, ctx), conversion, spec)]


def _spec_pos(contents: Sequence[cst.CSTNode], outer: Pos, ctx: Context) -> Pos:
    """From the colon, which stands right before the first part, up to the ``}``."""
    end_line, end_col = outer[2], outer[3] - 1
    line, col = ctx.pos(contents[0])[:2] if contents else (end_line, end_col)
    return line, col - 1, end_line, end_col


def _debug_text(node: cst.FormattedStringExpression, equal: cst.AssignEqual) -> str:
    code = cst.Module([]).code_for_node
    before, after = node.whitespace_before_expression, node.whitespace_after_expression
    return code(before) + code(node.expression) + code(equal) + code(after)
