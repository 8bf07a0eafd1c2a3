"""Nodes and edges of a trace: functions, calls, and the guards before the calls."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from mlapath.base.short import MAX_TEXT, shorten
from mlapath.base.verdict import Verdict
from mlapath.engine.control import PyRaise
from mlapath.engine.trace import CallEdge, GuardSeen, Trace
from mlapath.findings.evidence import render, steps
from mlapath.findings.graph import Edge, GuardTruth, Node, NodeKind, PathGraph
from mlapath.findings.model import EvidenceStep, TargetVerdict
from mlapath.graph.build import ENTRY
from mlapath.query.branches import Before, leading_to
from mlapath.query.chain import chain
from mlapath.query.reach import reach
from mlapath.query.sites import passed_by
from mlapath.values.origin import Origin, Pos
from mlapath.values.truth import Truth

if TYPE_CHECKING:
    from mlapath.graph.build import CallGraph

OUTSIDE = "<"
"""How the paths of our drivers begin: they are the entry."""


class PathGraphBuilder:
    """Collects the nodes and edges of one trace, each once."""

    def __init__(self, trace: Trace, graph: CallGraph, program: Any) -> None:
        self._trace = trace
        self._graph = graph
        self._program = program
        self._before = Before(program)
        self._nodes: dict[str, Node] = {}
        self._edges: dict[tuple[str, str, bool | None, str | None], Edge] = {}

    def made(self, layers: Iterable[str]) -> PathGraph:
        """The graph, in the order of the names."""
        edges = sorted(self._edges.values(), key=lambda e: (e.source, e.target, str(e.when),
                                                            e.at or ""))  # fmt: skip
        nodes = sorted(self._nodes.values(), key=lambda n: (n.kind is not NodeKind.ENTRY, n.id))
        return PathGraph(tuple(layers), tuple(nodes), tuple(edges))

    def calls(self, functions: Iterable[str] | None, targets: Sequence[str]) -> None:
        """The calls that lead to ``functions``, and those functions; None: all that ran."""
        around = set(self._graph) if functions is None else leading_to(self._graph, functions)
        for name in around:
            self._function(name, targets)
        for call in self._trace.calls.values():
            if call.callee in around and not call.callee_path.startswith(OUTSIDE):
                self._call(call)

    def not_made(self, target: TargetVerdict) -> None:
        """The calls of a target that no step makes, with the guards that keep it from them."""
        name = target.target.rpartition(".")[2]
        sites = [site for site in passed_by(self._trace, self._program, name) if site.guard]
        goal = target.function or target.target
        self._nodes[goal] = Node(goal, NodeKind.FUNCTION, target.defined_at, _short(goal),
                                 target.verdict, target=True)  # fmt: skip
        self.calls([site.function for site in sites], ())
        for site in sites:
            self._way(site.function, site.path, site.line, goal, target.verdict, 0)

    def raised(self, error: PyRaise) -> None:
        """The way to where the program raises."""
        frames = [f.partition(" ") for f in error.stack if not f.startswith(OUTSIDE)]
        if not frames:
            return
        place, _, function = frames[0]
        path, _, number = place.rpartition(":")
        line = int(number)
        here = error.pos if error.path == path else None
        text = place if here is None else self._text(path, here)
        self.calls([function], ())
        goal = f"{function}:{line}"
        self._nodes[goal] = Node(goal, NodeKind.RAISE, place, text, Verdict.ALWAYS, target=True)
        self._way(function, path, line, goal, Verdict.ALWAYS, 1)

    def _function(self, name: str, targets: Sequence[str]) -> None:
        path, line = self._trace.functions.get(name, (OUTSIDE, 0))
        if path.startswith(OUTSIDE):
            self._nodes.setdefault(ENTRY, Node(ENTRY, NodeKind.ENTRY, None, "entry"))
            return
        verdict = reach(self._graph, name).verdict
        self._nodes[name] = Node(name, NodeKind.FUNCTION, f"{path}:{line}", _short(name), verdict,
                                 target=name in targets)  # fmt: skip

    def _call(self, call: CallEdge) -> None:
        verdict = Verdict.ALWAYS if call.certain else Verdict.CONDITIONAL
        if call.path.startswith(OUTSIDE) or call.caller not in self._nodes or call.pos is None:
            self._nodes.setdefault(ENTRY, Node(ENTRY, NodeKind.ENTRY, None, "entry"))
            at = None if call.path.startswith(OUTSIDE) else f"{call.path}:{_line(call.pos)}"
            self._edge(Edge(ENTRY, call.callee, verdict, None, at, call.count))
            return
        self._way(call.caller, call.path, call.pos[0], call.callee, verdict, call.count)

    def _way(
        self, caller: str, path: str, line: int, goal: str, verdict: Verdict, count: int
    ) -> None:
        """From a function through the guards before a line of it to what the line leads to."""
        at, when = caller, None
        function_line = self._trace.functions[caller][1]
        for test in self._before.guards(path, function_line, line):
            seen = self._trace.guards.get((caller, path, test.pos))
            node = self._guard(caller, path, test.pos, seen)
            self._edge(Edge(at, node, Verdict.ALWAYS, when))
            at, when = node, test.needed
        self._edge(Edge(at, goal, verdict, when, f"{path}:{line}", count))

    def _guard(self, function: str, path: str, pos: Pos, seen: GuardSeen | None) -> str:
        name = f"{function}:{pos[0]}:{pos[1]}"
        truth = None if seen is None else _truth(seen.truths)
        value = None if seen is None or truth is GuardTruth.BOTH else render(seen.value)
        self._nodes[name] = Node(
            name, NodeKind.GUARD, f"{path}:{pos[0]}", self._text(path, pos), truth=truth,
            value=value, evidence=self._evidence(seen),
        )  # fmt: skip
        return name

    def _evidence(self, seen: GuardSeen | None) -> tuple[EvidenceStep, ...]:
        """How the outcome of a guard follows from what was given."""
        if seen is None or Truth.UNKNOWN in seen.truths or len(seen.truths) > 1:
            return ()
        inputs = (seen.origin,) if seen.origin else ()
        origin = Origin("guard", seen.path, seen.pos, inputs, seen.control, value=seen.value)
        return steps(chain(origin), self._program)

    def _edge(self, edge: Edge) -> None:
        self._edges.setdefault((edge.source, edge.target, edge.when, edge.at), edge)

    def _text(self, path: str, pos: Pos) -> str:
        return shorten(" ".join(self._program.text(path, pos).split()), MAX_TEXT)


def _truth(truths: set[Truth]) -> GuardTruth:
    if truths == {Truth.TRUE, Truth.FALSE}:
        return GuardTruth.BOTH
    return GuardTruth(next(iter(truths)).value) if len(truths) == 1 else GuardTruth.UNKNOWN


def _short(name: str) -> str:
    """``Class.method``, or ``module.function``; what is inside it follows."""
    outer, *inner = name.split(".<locals>.")
    return ".".join([*outer.split(".")[-2:], *inner])


def _line(pos: Pos | None) -> int:
    return pos[0] if pos else 0


__all__ = ["PathGraphBuilder"]
