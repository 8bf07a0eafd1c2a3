"""What every lowering function is handed besides the node: positions and the open scope."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from mlapath.ir.nodes import Pos
from mlapath.ir.scope import ScopeBuilder

PositionOf: TypeAlias = Callable[[Any], Pos]
"""The position of an ``ast`` node that has one."""


@dataclass(frozen=True)
class Context:
    """Handed down the walk.

    Attributes:
        pos: gives a node's position.
        scope: collects the names of the open function.
        lines: the file's lines.
    """

    pos: PositionOf
    scope: ScopeBuilder
    lines: Sequence[str]

    def nested(self) -> Context:
        """With a new, empty scope (a function, lambda or class body)."""
        return Context(self.pos, ScopeBuilder(), self.lines)


def positions(lines: Sequence[str]) -> PositionOf:
    """Positions as ``ast`` has them, with UTF-8 byte columns made characters."""
    wide = {number: line.encode() for number, line in enumerate(lines, 1) if not line.isascii()}
    if not wide:
        return _ascii_position

    def position(node: Any) -> Pos:
        line, col = node.lineno, node.col_offset
        end_line, end_col = node.end_lineno, node.end_col_offset
        if line in wide:
            col = len(wide[line][:col].decode())
        if end_line in wide:
            end_col = len(wide[end_line][:end_col].decode())
        return line, col, end_line, end_col

    return position


def _ascii_position(node: Any) -> Pos:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Not: "not",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Invert: "~",
    ast.And: "and",
    ast.Or: "or",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
}
"""The token of each operator."""
