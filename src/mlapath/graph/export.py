"""Graphs for other programs: networkx's own formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import networkx as nx

Attributes = Mapping[str, Any]


def node_link(
    nodes: Iterable[tuple[str, Attributes]], edges: Iterable[tuple[str, str, Attributes]],
    about: Attributes,
) -> dict[str, Any]:  # fmt: skip
    """A directed multigraph as ``networkx.node_link_graph`` reads it (``edges="edges"``)."""
    found: dict[str, Any] = nx.node_link_data(_graph(nodes, edges, about), edges="edges")
    return found


def graphml(
    nodes: Iterable[tuple[str, Attributes]], edges: Iterable[tuple[str, str, Attributes]],
    about: Attributes,
) -> str:  # fmt: skip
    """A directed multigraph as GraphML, which has no null: such attributes are left out."""
    plain = _graph(
        [(name, _given(attributes)) for name, attributes in nodes],
        [(a, b, _given(attributes)) for a, b, attributes in edges],
        _given(about),
    )
    return "\n".join(nx.generate_graphml(plain)) + "\n"


def _given(attributes: Attributes) -> Attributes:
    return {key: value for key, value in attributes.items() if value is not None}


def _graph(
    nodes: Iterable[tuple[str, Attributes]], edges: Iterable[tuple[str, str, Attributes]],
    about: Attributes,
) -> nx.MultiDiGraph[str]:  # fmt: skip
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(**about)
    for name, attributes in nodes:
        graph.add_node(name, **attributes)
    for a, b, attributes in edges:
        graph.add_edge(a, b, **attributes)
    return graph


__all__ = ["graphml", "node_link"]
