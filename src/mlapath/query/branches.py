"""The part of a call graph that leads to some functions, and the guards before its calls."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import networkx as nx

from mlapath.query.lines import Needed, guards_before
from mlapath.query.sites import function_at

if TYPE_CHECKING:
    from mlapath.graph.build import CallGraph
    from mlapath.ir.nodes import FunctionDef


def leading_to(graph: CallGraph, functions: Iterable[str]) -> set[str]:
    """The functions themselves, as far as they are in the graph, and all that leads to them."""
    found: set[str] = set()
    for function in functions:
        if function in graph and function not in found:
            found |= nx.ancestors(graph, function) | {function}
    return found


class Before:
    """The guards before places of a program; the function around each is looked up once."""

    def __init__(self, program: Any) -> None:
        self._program = program
        self._function = lru_cache(maxsize=None)(self._find)

    def guards(self, path: str, function_line: int, line: int) -> tuple[Needed, ...]:
        """The guards that the way through a function to a line passes, outermost first."""
        node = self._function(path, function_line)
        return () if node is None else tuple(guards_before(node.body, line))

    def _find(self, path: str, line: int) -> FunctionDef | None:
        return function_at(self._program.load(path).body, line)


__all__ = ["Before", "leading_to"]
