"""Graphs as JSON-able data: schema ``mlapath.graph/1``, each in networkx's node-link form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlapath.findings.encode import (
    encode_evidence,
    encode_refusal,
    encode_scenario,
    encode_tree_info,
)
from mlapath.findings.graph import Edge, GraphReport, Node, PathGraph
from mlapath.graph.export import graphml, node_link
from mlapath.scenario.config_file import JsonObject

GRAPH_SCHEMA = "mlapath.graph/1"


def encode_graph(report: GraphReport) -> JsonObject:
    """Encode as ``mlapath.graph/1``."""
    return {
        "schema": GRAPH_SCHEMA,
        "tree": encode_tree_info(report.tree),
        "scenario": encode_scenario(report.scenario),
        "outcome": report.outcome.value,
        "refusal": None if report.refusal is None else encode_refusal(report.refusal),
        "graphs": [
            node_link(
                [(node.id, _with_evidence(node)) for node in graph.nodes],
                [(edge.source, edge.target, _edge(edge)) for edge in graph.edges],
                {"layers": list(graph.layers)},
            )
            for graph in report.graphs
        ],
        "notes": list(report.notes),
    }


def encode_graphml(report: GraphReport) -> str:
    """All graphs as one of GraphML: where there are several, the ids begin with their number."""
    several = len(report.graphs) > 1
    nodes: list[tuple[str, dict[str, Any]]] = []
    edges: list[tuple[str, str, dict[str, Any]]] = []
    for number, graph in enumerate(report.graphs):
        prefix = f"{number}:" if several else ""
        about = {"layer": graph.layers[0]} if graph.layers else {}
        nodes.extend((prefix + node.id, {**_node(node), **about}) for node in graph.nodes)
        edges.extend(_prefixed(graph, prefix))
    return graphml(nodes, edges, {"schema": GRAPH_SCHEMA, "vllm": report.tree.version})


def _prefixed(graph: PathGraph, prefix: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for edge in graph.edges:
        yield prefix + edge.source, prefix + edge.target, _edge(edge)


def _node(node: Node) -> dict[str, Any]:
    return {
        "kind": node.kind.value,
        "at": node.at,
        "text": node.text,
        "verdict": None if node.verdict is None else node.verdict.value,
        "truth": None if node.truth is None else node.truth.value,
        "value": node.value,
        "target": node.target,
    }


def _with_evidence(node: Node) -> dict[str, Any]:
    return {**_node(node), "evidence": encode_evidence(node.evidence)}


def _edge(edge: Edge) -> dict[str, Any]:
    return {"verdict": edge.verdict.value, "when": edge.when, "at": edge.at, "count": edge.count}


__all__ = ["GRAPH_SCHEMA", "encode_graph", "encode_graphml"]
