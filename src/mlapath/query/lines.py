"""Why a line of a function that ran did not: the guards on the way to it that were decided."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlapath.engine.trace import GuardSeen, Trace
from mlapath.ir import nodes as n
from mlapath.query.sites import leaves
from mlapath.resolve.outline import blocks
from mlapath.values.truth import Truth


@dataclass(frozen=True)
class Needed:
    """A guard before a line: where, and the outcome that leads on to the line."""

    pos: n.Pos
    needed: bool


def guards_before(body: Sequence[n.Stmt], line: int) -> Iterator[Needed]:
    """The guards that the way to the statement on a line passes, outermost first."""
    for s in body:
        if s.pos[0] == line:
            return
        if isinstance(s, n.FunctionDef | n.ClassDef):
            continue
        if isinstance(s, n.If):
            for side, needed in ((s.body, True), (s.orelse, False)):
                if _holds(side, line):
                    yield Needed(s.test.pos, needed)
                    yield from guards_before(side, line)
                    return
            if leaves(s.body):
                yield Needed(s.test.pos, False)
            elif leaves(s.orelse):
                yield Needed(s.test.pos, True)
            continue
        if isinstance(s, n.While) and _holds(s.body, line):
            yield Needed(s.test.pos, True)
        for block, _ in blocks(s):
            if _holds(block, line):
                yield from guards_before(block, line)
                return


def _holds(block: Sequence[n.Stmt], line: int) -> bool:
    return bool(block) and block[0].pos[0] <= line <= block[-1].pos[2]


def blocking(
    trace: Trace, function: str, path: str, node: n.FunctionDef, line: int
) -> tuple[GuardSeen, bool] | None:  # fmt: skip
    """The first guard on the way to a line that was decided against it, and what it needs."""
    for test in guards_before(node.body, line):
        seen = trace.guards.get((function, path, test.pos))
        if seen is not None and seen.truths == {Truth.of(not test.needed)}:
            return seen, test.needed
    return None


__all__ = ["Needed", "blocking", "guards_before"]
