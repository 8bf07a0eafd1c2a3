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
    """``pos`` gives a node's position; ``scope`` collects the names of the open function."""

    pos: PositionOf
    scope: ScopeBuilder

    def nested(self) -> Context:
        """The same positions with a new, empty scope (a function, lambda or class body)."""
        return Context(self.pos, ScopeBuilder())

    def within(self, pos: PositionOf) -> Context:
        """The same scope with positions from elsewhere."""
        return Context(pos, self.scope)


class LoweringError(Exception):
    """Syntax without IR, or a literal without value; ``lower_module`` adds the file."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        super().__init__(message)
