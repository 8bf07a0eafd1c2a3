"""Where a libcst node stands in the file: libcst's own answer, with ``ast``'s rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import libcst as cst
from libcst.metadata import CodeRange, PositionProvider

from mlapath.ir.from_cst.context import PositionOf
from mlapath.ir.nodes import Pos


def provider_positions(module: cst.Module) -> PositionOf:
    """Positions from libcst's provider, with ``ast``'s rules for parentheses."""
    return _from_ranges(_Provider().ranges(module))


class _Provider(PositionProvider):
    """The provider without ``MetadataWrapper``, which visits the whole tree for nothing."""

    def ranges(self, module: cst.Module) -> Mapping[cst.CSTNode, Any]:
        self._gen_impl(module)
        return self._computed


def first_to_last(nodes: Sequence[cst.SubscriptElement], pos: PositionOf) -> Pos:
    """The position of an index tuple, which has no libcst node of its own."""
    start = pos(nodes[0])[:2]
    comma = nodes[-1].comma
    if isinstance(comma, cst.Comma):
        return *start, *pos(comma.whitespace_after)[:2]
    return *start, *pos(nodes[-1])[2:]


def _from_ranges(ranges: Mapping[cst.CSTNode, CodeRange]) -> PositionOf:
    def position(node: cst.CSTNode) -> Pos:
        if isinstance(node, (cst.MatchValue, cst.MatchSingleton)):
            node = node.value
        own = ranges[node]
        start, end = own.start, own.end
        if isinstance(node, (cst.Tuple, cst.GeneratorExp, cst.MatchTuple)) and node.lpar:
            start, end = ranges[node.lpar[-1]].start, ranges[node.rpar[0]].end
        elif isinstance(node, cst.Tuple):
            comma = node.elements[-1].comma
            if isinstance(comma, cst.Comma):
                end = ranges[comma.whitespace_after].start
        elif isinstance(node, cst.MatchStar) and isinstance(node.comma, cst.Comma):
            end = ranges[node.comma].start
        elif isinstance(node, cst.Slice):
            colon = _last_colon(node)
            if colon is not None:
                end = ranges[colon.whitespace_after].start
        return start.line, start.column, end.line, end.column

    return position


def _last_colon(node: cst.Slice) -> cst.Colon | None:
    """The colon a slice ends with, if it does."""
    if node.step is not None:
        return None
    if isinstance(node.second_colon, cst.Colon):
        return node.second_colon
    return node.first_colon if node.upper is None else None
