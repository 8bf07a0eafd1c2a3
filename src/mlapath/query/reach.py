"""Is a function reached, and under which guards: read off the call graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import networkx as nx

from mlapath.base.verdict import Verdict
from mlapath.engine.control import Guard
from mlapath.engine.trace import CallEdge
from mlapath.graph.build import ENTRY, calls_of

if TYPE_CHECKING:
    from mlapath.graph.build import CallGraph


@dataclass(frozen=True)
class Reach:
    """Whether a function runs.

    guards: the unknown guards that every route to it must pass, from the one nearest to the
    function to the farthest.
    """

    verdict: Verdict
    calls: tuple[CallEdge, ...] = ()
    guards: tuple[Guard, ...] = ()


def reach(graph: CallGraph, function: str) -> Reach:
    """Whether ``function`` runs: always, conditionally, or (as far as the trace goes) never."""
    if function not in graph:
        return Reach(Verdict.NEVER)
    calls = tuple(calls_of(graph, function))
    if any(call.certain or call.covered for call in calls):
        return Reach(Verdict.ALWAYS, calls)
    return Reach(Verdict.CONDITIONAL, calls, _required(graph, function))


def _required(graph: CallGraph, function: str) -> tuple[Guard, ...]:
    """Guards on the edges that every route passes.

    Between a node and its dominator, the guards that all of its incoming calls share.
    """
    dominators = nx.immediate_dominators(graph, ENTRY)
    guards: list[Guard] = []
    node = function
    while node != ENTRY and node in dominators:
        parent = dominators[node]
        if parent is None or parent == node:
            break
        entering = calls_of(graph, node)
        if all(parent in (call.caller, ENTRY) for call in entering):
            guards.extend(g for g in _shared(entering) if g not in guards)
        node = parent
    return tuple(guards)


def _shared(calls: list[CallEdge]) -> list[Guard]:
    first, *rest = calls
    keys = [{(g.path, g.pos, g.side) for g in call.guards} for call in rest]
    return [g for g in reversed(first.guards) if all((g.path, g.pos, g.side) in k for k in keys)]
