"""From a trace to the call graph: functions are nodes, calls are edges with their guards."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import networkx as nx

from mlapath.engine.trace import CallEdge, Trace

ENTRY = "<entry>"

if TYPE_CHECKING:
    CallGraph: TypeAlias = "nx.MultiDiGraph[str]"


def build(trace: Trace) -> CallGraph:
    """The graph of every call that the evaluator saw.

    Nodes are qualified function names with ``path`` and ``line``; edges carry their ``CallEdge``
    under ``call``. Calls from module level and from drivers come from ``<entry>``.
    """
    graph: CallGraph = nx.MultiDiGraph()
    graph.add_node(ENTRY)
    for name, (path, line) in trace.functions.items():
        graph.add_node(name, path=path, line=line)
    for edge in trace.calls.values():
        caller = edge.caller if edge.caller in trace.functions else ENTRY
        graph.add_edge(caller, edge.callee, call=edge)
    return graph


def calls_of(graph: CallGraph, function: str) -> list[CallEdge]:
    """The calls that enter ``function``, in the order in which they were first seen."""
    return [data["call"] for _, _, data in graph.in_edges(function, data=True)]
