"""Whether code that was evaluated read a name or a text, such as the path of a class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mlapath.engine.trace import Trace
from mlapath.ir import nodes as n
from mlapath.ir.walk import walk
from mlapath.resolve.outline import blocks
from mlapath.values.truth import Truth


def was_run(traces: Sequence[Trace], body: Sequence[n.Stmt], path: str, line: int) -> bool:
    """Whether the statement on a line of a module may have run."""
    statement = _statement(body, line)
    return statement is None or any(
        statement.pos[0] in trace.lines.get(path, ()) for trace in traces
    )


def was_read(traces: Sequence[Trace], body: Sequence[n.Stmt], path: str, line: int) -> bool:
    """Whether a text on a line of a module may have been read.

    Not if its statement did not run, or only the other side of each conditional expression that
    chooses it.
    """
    statement = _statement(body, line)
    if statement is None or not was_run(traces, body, path, line):
        return statement is None
    truths: dict[n.Pos, set[Truth]] = {}
    for trace in traces:
        for (_, where, pos), seen in trace.guards.items():
            if where == path:
                truths.setdefault(pos, set()).update(seen.truths)
    texts = list(_texts(statement, line))
    return not texts or any(text not in _passed_by(statement, truths) for text in texts)


def _texts(node: Any, line: int) -> Iterator[n.Pos]:
    for part in walk(node):
        if isinstance(part, n.Const) and isinstance(part.value, str) and part.pos[0] == line:
            yield part.pos


def _passed_by(statement: n.Stmt, truths: dict[n.Pos, set[Truth]]) -> set[n.Pos]:
    """The constants on sides of conditional expressions that were never taken."""
    found: set[n.Pos] = set()
    for part in walk(statement):
        if isinstance(part, n.IfExp):
            for side, other in ((part.body, Truth.FALSE), (part.orelse, Truth.TRUE)):
                if truths.get(part.test.pos) == {other}:
                    found.update(x.pos for x in walk(side) if isinstance(x, n.Const))
    return found


def _statement(body: Sequence[n.Stmt], line: int) -> n.Stmt | None:
    """The innermost statement that holds a line."""
    for s in body:
        if s.pos[0] <= line <= s.pos[2]:
            inner = [s.body] if isinstance(s, n.FunctionDef | n.ClassDef) else [
                block for block, _ in blocks(s)
            ]  # fmt: skip
            found = (_statement(block, line) for block in inner)
            return next((x for x in found if x is not None), s)
    return None


__all__ = ["was_read", "was_run"]
