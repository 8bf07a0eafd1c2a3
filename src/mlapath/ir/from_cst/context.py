"""What every lowering function is handed besides the node: positions and the open scope."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import libcst as cst

from mlapath.ir.nodes import Pos
from mlapath.ir.scope import ScopeBuilder

PositionOf: TypeAlias = Callable[[cst.CSTNode], Pos]


@dataclass(frozen=True)
class Context:
    """Handed down the walk.

    Attributes:
        pos: gives a node's position.
        scope: collects the names of the open function.
    """

    pos: PositionOf
    scope: ScopeBuilder

    def nested(self) -> Context:
        """With a new, empty scope (a function, lambda or class body)."""
        return Context(self.pos, ScopeBuilder())
