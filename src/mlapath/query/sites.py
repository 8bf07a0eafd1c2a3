"""Why a function was not called: call sites passed by, and the guards that decided so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mlapath.engine.trace import GuardSeen, Trace
from mlapath.ir import nodes as n
from mlapath.ir.walk import walk
from mlapath.values.truth import Truth


@dataclass(frozen=True)
class PassedBy:
    """A call at ``path:line`` in ``function`` that was not made.

    guard: the decided guard that was in the way.
    needed: the outcome of it that would have led to the call.
    """

    function: str
    path: str
    line: int
    guard: GuardSeen | None
    needed: bool


@dataclass(frozen=True)
class _Test:
    pos: n.Pos
    needed: bool


def passed_by(trace: Trace, program: Any, name: str) -> list[PassedBy]:
    """Call sites of a method ``name`` in functions that ran, whose call was never made."""
    found: list[PassedBy] = []
    for function, (path, line) in trace.functions.items():
        if path.startswith("<") or path not in trace.lines:
            continue
        node = function_at(program.load(path).body, line)
        if node is None:
            continue
        made = {e.pos for e in trace.calls.values()
                if e.caller == function and e.callee.rpartition(".")[2] == name}  # fmt: skip
        for call, tests in _sites(node.body, name, ()):
            if call.pos in made:
                continue
            guard, needed = _blocking(trace, function, path, tests)
            found.append(PassedBy(function, path, call.pos[0], guard, needed))
    return found


def function_at(body: Sequence[n.Stmt], line: int) -> n.FunctionDef | None:
    """The function whose ``def`` is on a line."""
    for s in body:
        if isinstance(s, n.FunctionDef) and s.pos[0] == line:
            return s
        if not s.pos[0] <= line <= s.pos[2]:
            continue
        for part in _blocks(s):
            found = function_at(part, line)
            if found is not None:
                return found
    return None


def _blocks(s: n.Stmt) -> Iterator[Sequence[n.Stmt]]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(s, field, None)
        if block is not None:
            yield block
    for field in ("handlers", "cases"):
        for part in getattr(s, field, ()):
            yield part.body


def _sites(
    body: Sequence[n.Stmt], name: str, tests: tuple[_Test, ...]
) -> Iterator[tuple[n.Call, tuple[_Test, ...]]]:
    """Calls of ``name`` with the guards around and before them, outermost first."""
    for s in body:
        if isinstance(s, n.FunctionDef | n.ClassDef):
            continue
        if isinstance(s, n.If):
            yield from ((c, tests) for c in calls_in(s.test, name))
            yield from _sites(s.body, name, (*tests, _Test(s.test.pos, True)))
            yield from _sites(s.orelse, name, (*tests, _Test(s.test.pos, False)))
            if leaves(s.body):
                tests = (*tests, _Test(s.test.pos, False))
            elif leaves(s.orelse):
                tests = (*tests, _Test(s.test.pos, True))
            continue
        if isinstance(s, n.While):
            yield from _sites(s.body, name, (*tests, _Test(s.test.pos, True)))
            continue
        nested = list(_blocks(s))
        if nested:
            for part in nested:
                yield from _sites(part, name, tests)
        else:
            yield from ((c, tests) for c in calls_in(s, name))


def leaves(body: Sequence[n.Stmt]) -> bool:
    """Whether a block ends in a statement that leaves it."""
    return bool(body) and isinstance(body[-1], n.Return | n.Raise | n.Continue | n.Break)


def calls_in(node: Any, name: str) -> Iterator[n.Call]:
    """Calls of a function or method called ``name`` anywhere in an IR node."""
    for part in walk(node):
        if not isinstance(part, n.Call):
            continue
        func = part.func
        if isinstance(func, n.Attr) and func.attr == name or (
            isinstance(func, n.Name) and func.id == name
        ):  # fmt: skip
            yield part


def _blocking(
    trace: Trace, function: str, path: str, tests: tuple[_Test, ...]
) -> tuple[GuardSeen | None, bool]:
    """The first guard on the way that was decided against the call."""
    for test in tests:
        seen = trace.guards.get((function, path, test.pos))
        if seen is not None and seen.truths == {Truth.of(not test.needed)}:
            return seen, test.needed
    return None, True
