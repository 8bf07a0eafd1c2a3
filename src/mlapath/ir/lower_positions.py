"""Where a libcst node stands in the file, from whichever source is at hand.

The lowering walks the libcst tree and CPython's ``ast`` of the same text in lockstep and
takes each position from the latter: libcst's own ``PositionProvider`` renders the whole
module again, which costs more than parsing it.  Where there is no ``ast`` (the running
Python cannot parse the text), every ``ast`` node is ``ABSENT`` and the provider is asked.
"""

from __future__ import annotations

import ast
import itertools
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import libcst as cst
from libcst.metadata import CodeRange, PositionProvider

from mlapath.ir.lower_context import PositionOf
from mlapath.ir.nodes import Pos

T = TypeVar("T")


class _Absent:
    """Stands for a missing ``ast`` node: its fields are itself, its lists never end."""

    def __getattr__(self, name: str) -> _Absent:
        return self

    def __getitem__(self, index: object) -> _Absent:
        return self

    def __iter__(self) -> Iterator[_Absent]:
        return itertools.repeat(self)


ABSENT: Any = _Absent()


class MisalignedError(Exception):
    """libcst and ``ast`` see different shapes in one text; the provider must be asked."""


def paired(nodes: Sequence[T], refs: Any) -> Iterator[tuple[T, Any]]:
    """Each libcst node with its ``ast`` node.

    Raises:
        MisalignedError: not the same number of both.
    """
    if refs is not ABSENT and len(nodes) != len(refs):
        raise MisalignedError
    return zip(nodes, refs, strict=False)  # ABSENT never ends


def parse_reference(text: str) -> Any:
    """The ``ast.Module`` of ``text``, or ABSENT if the running Python cannot parse it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in the analysed source
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ABSENT


def syntax_error(text: str) -> tuple[int, str] | None:
    """What the running Python objects to in ``text``: line and message; None if nothing."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        return error.lineno or 0, error.msg
    except (ValueError, RecursionError, MemoryError) as error:
        return 0, str(error)
    return None


def reference_positions(text: str) -> PositionOf:
    """Positions read off the ``ast`` node; UTF-8 byte columns become characters."""
    if text.isascii():
        return _ascii_position
    wide = {
        number: line.encode()
        for number, line in enumerate(text.split("\n"), 1)
        if not line.isascii()
    }

    def position(_node: cst.CSTNode, ref: Any) -> Pos:
        line, col = ref.lineno, ref.col_offset
        end_line, end_col = ref.end_lineno, ref.end_col_offset
        if line in wide:
            col = len(wide[line][:col].decode())
        if end_line in wide:
            end_col = len(wide[end_line][:end_col].decode())
        return line, col, end_line, end_col

    return position


def _ascii_position(_node: cst.CSTNode, ref: Any) -> Pos:
    return ref.lineno, ref.col_offset, ref.end_lineno, ref.end_col_offset


def first_to_last(nodes: Sequence[cst.SubscriptElement], ref: Any, pos: PositionOf) -> Pos:
    """The position of an index tuple, which has no libcst node of its own."""
    if ref is not ABSENT:
        return pos(nodes[0], ref)
    start = pos(nodes[0], ABSENT)[:2]
    comma = nodes[-1].comma
    if isinstance(comma, cst.Comma):
        return *start, *pos(comma.whitespace_after, ABSENT)[:2]
    return *start, *pos(nodes[-1], ABSENT)[2:]


def provider_positions(module: cst.Module) -> PositionOf:
    """Positions from libcst's provider, with ``ast``'s rules for parentheses."""
    return _from_ranges(_Provider().ranges(module))


class _Provider(PositionProvider):
    """The provider without ``MetadataWrapper``, which visits the whole tree for nothing."""

    def ranges(self, module: cst.Module) -> Mapping[cst.CSTNode, Any]:
        self._gen_impl(module)
        return self._computed


def fragment_positions(expression: cst.BaseExpression, start: Pos, indent: str) -> PositionOf:
    """Positions within one expression that begins at ``start``, in a block at ``indent``.

    For the inside of f-strings, which ``ast`` places wrongly before Python 3.12.
    """
    statement: cst.SimpleStatementLine | cst.If = cst.SimpleStatementLine([cst.Expr(expression)])
    if indent:
        statement = cst.If(cst.Name("x"), cst.IndentedBlock([statement], indent=indent))
    inner = provider_positions(cst.Module([statement]))
    first, left, *_ = inner(expression, ABSENT)
    down, right = start[0] - first, start[1] - left
    # Lines that libcst does not indent itself (inside triple quotes) are as in the file.

    def position(node: cst.CSTNode, ref: Any) -> Pos:
        line, col, end_line, end_col = inner(node, ref)
        if line == first:
            col += right
        if end_line == first:
            end_col += right
        return line + down, col, end_line + down, end_col

    return position


def _from_ranges(ranges: Mapping[cst.CSTNode, CodeRange]) -> PositionOf:
    def position(node: cst.CSTNode, _ref: Any) -> Pos:
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
