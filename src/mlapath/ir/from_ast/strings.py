"""F-strings."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from mlapath.ir import nodes as ir
from mlapath.ir.from_ast.context import Context
from mlapath.ir.from_ast.fstring_positions import place
from mlapath.ir.normal_form import Parts, merged

Lower: TypeAlias = Callable[[Any, Context], ir.Expr]

MISPLACED: Final = sys.version_info < (3, 12)
"""Whether ``ast`` has wrong positions inside f-strings."""


def joined_string(node: ast.JoinedStr, ctx: Context, lower: Lower) -> ir.JoinedStr:
    """An f-string with what it is concatenated with."""
    if MISPLACED:
        place(node, ctx.lines)
    return _joined(node, ctx, lower)


def _joined(node: ast.JoinedStr, ctx: Context, lower: Lower) -> ir.JoinedStr:
    parts: Parts = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            parts.append(_value(part, ctx, lower))
        else:
            assert isinstance(part, ast.Constant)
            parts.append(str(part.value))
    return ir.JoinedStr(ctx.pos(node), merged(parts))


def _value(node: ast.FormattedValue, ctx: Context, lower: Lower) -> ir.FormattedValue:
    spec = node.format_spec
    return ir.FormattedValue(
        ctx.pos(node),
        lower(node.value, ctx),
        "" if node.conversion == -1 else chr(node.conversion),
        _joined(spec, ctx, lower) if isinstance(spec, ast.JoinedStr) else None,
    )
