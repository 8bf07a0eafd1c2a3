"""What every lowering function is handed besides the node: positions and the open scope."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import libcst as cst

from mlapath.ir.lower_scope import ScopeBuilder
from mlapath.ir.nodes import Pos

# The second argument is the ``ast`` node of the same text (see lower_positions).
PositionOf: TypeAlias = Callable[[cst.CSTNode, Any], Pos]


@dataclass(frozen=True)
class Context:
    """Handed down the walk.

    Attributes:
        pos: gives a node's position.
        scope: collects the names of the open function.
        indent: the indentation of the open block, as text.
        default_indent: what a block without an indentation of its own adds.
    """

    pos: PositionOf
    scope: ScopeBuilder
    indent: str
    default_indent: str

    def nested(self) -> Context:
        """With a new, empty scope (a function, lambda or class body)."""
        return Context(self.pos, ScopeBuilder(), self.indent, self.default_indent)

    def within(self, pos: PositionOf) -> Context:
        """With positions from elsewhere."""
        return Context(pos, self.scope, self.indent, self.default_indent)

    def indented(self, by: str | None) -> Context:
        """Inside a block that libcst says is indented ``by`` (None: by the default)."""
        indent = self.indent + (self.default_indent if by is None else by)
        return Context(self.pos, self.scope, indent, self.default_indent)


class LoweringError(Exception):
    """Syntax without IR, or a literal without value; ``lower_module`` adds the file."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        super().__init__(message)
