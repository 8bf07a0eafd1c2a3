"""Graphs as JSON, GraphML, DOT (Graphviz) and Mermaid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mlapath.base.clean import clean
from mlapath.base.verdict import Verdict
from mlapath.findings.encode_graph import encode_graph, encode_graphml
from mlapath.findings.graph import Edge, GraphReport, GuardTruth, Node, NodeKind
from mlapath.report.json_report import dump
from mlapath.report.wording import layer_names, shorten

WIDE = 70
"""Characters of a label: what is longer is cut."""
MISSING = (Verdict.NEVER, Verdict.UNPROVEN)
COLOURS = {Verdict.ALWAYS: "darkgreen", Verdict.CONDITIONAL: "darkorange3",
           Verdict.NEVER: "firebrick", Verdict.UNPROVEN: "gray40"}  # fmt: skip
DOT_SHAPES = {NodeKind.ENTRY: "point", NodeKind.FUNCTION: "box", NodeKind.GUARD: "diamond",
              NodeKind.RAISE: "octagon"}  # fmt: skip
MERMAID_SHAPES = {NodeKind.ENTRY: ("((", "))"), NodeKind.FUNCTION: ("[", "]"),
                  NodeKind.GUARD: ("{", "}"), NodeKind.RAISE: ("[/", "/]")}  # fmt: skip


def render_graph(report: GraphReport, name: str) -> str:
    """The graphs in one of ``FORMATS``."""
    return FORMATS[name](report)


def render_json(report: GraphReport) -> str:
    """Give ``mlapath.graph/1``."""
    return dump(encode_graph(report))


def render_dot(report: GraphReport) -> str:
    """One directed graph with a cluster for each kind of layer."""
    lines = ["digraph mlapath {", '  rankdir=LR; node [fontname="monospace"];']
    for number, graph in enumerate(report.graphs):
        title = layer_names(graph.layers) if graph.layers else _refusal(report)
        lines += [f"  subgraph cluster_{number} {{", f"    label={_quoted(title)};"]
        names = {node.id: f"g{number}_n{at}" for at, node in enumerate(graph.nodes)}
        lines.extend(f"    {names[node.id]} [{_dot_node(node)}];" for node in graph.nodes)
        lines.extend(
            f"    {names[e.source]} -> {names[e.target]} [{_dot_edge(e)}];" for e in graph.edges
        )
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def render_mermaid(report: GraphReport) -> str:
    """A flowchart with a subgraph for each kind of layer."""
    lines = ["flowchart LR"]
    for number, graph in enumerate(report.graphs):
        title = layer_names(graph.layers) if graph.layers else _refusal(report)
        lines.append(f"  subgraph g{number}[{_in_mermaid(title)}]")
        names = {node.id: f"g{number}n{at}" for at, node in enumerate(graph.nodes)}
        for node in graph.nodes:
            before, after = MERMAID_SHAPES[node.kind]
            verdict = f":::{node.verdict.value}" if node.verdict is not None else ""
            label = _in_mermaid("\n".join(_label(node)))
            lines.append(f"    {names[node.id]}{before}{label}{after}{verdict}")
        lines.extend(f"    {names[e.source]} {_mermaid_edge(e)} {names[e.target]}"
                     for e in graph.edges)  # fmt: skip
        lines.append("  end")
    lines += ["  classDef always stroke:#1a7f37", "  classDef conditional stroke:#bf8700",
              "  classDef never stroke:#cf222e,stroke-dasharray:4",
              "  classDef unproven stroke:#6e7781,stroke-dasharray:4"]  # fmt: skip
    return "\n".join(lines) + "\n"


def _refusal(report: GraphReport) -> str:
    return "" if report.refusal is None else f"{report.refusal.exception} at {report.refusal.at}"


def _label(node: Node) -> Iterator[str]:
    """The lines of a node."""
    yield shorten(clean(node.text), WIDE)
    if node.truth is not None:
        yield f"→ {node.truth.value}" + _value(node)
    if node.at is not None:
        yield node.at
    if node.kind is NodeKind.FUNCTION and node.verdict is not None:
        yield node.verdict.value


def _value(node: Node) -> str:
    """The value of a guard, where it says more than its truth."""
    value = node.value or ""
    plain = value.lower() in ("", "none", "true", "false") or node.truth is GuardTruth.UNKNOWN
    return "" if plain else f" ({shorten(clean(value), WIDE)})"


def _when(edge: Edge) -> str:
    return "" if edge.when is None else "yes" if edge.when else "no"


def _dot_node(node: Node) -> str:
    words = [f"shape={DOT_SHAPES[node.kind]}", f"label={_quoted(chr(10).join(_label(node)))}"]
    if node.verdict is not None:
        words.append(f"color={COLOURS[node.verdict]}")
    if node.target:
        words.append("penwidth=2")
    return ", ".join(words)


def _dot_edge(edge: Edge) -> str:
    words = [f"color={COLOURS[edge.verdict]}"]
    if _when(edge):
        words.append(f"label={_when(edge)}")
    if edge.verdict in MISSING:
        words.append("style=dashed")
    return ", ".join(words)


def _mermaid_edge(edge: Edge) -> str:
    arrow = "-.->" if edge.verdict in MISSING else "-->"
    return f"{arrow}|{_when(edge)}|" if _when(edge) else arrow


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _in_mermaid(text: str) -> str:
    """Quoted, with what Mermaid would read as its own written as entities."""
    for sign, entity in (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;")):
        text = text.replace(sign, entity)
    return '"' + text.replace("\n", "<br>") + '"'


FORMATS: Mapping[str, Callable[[GraphReport], str]] = {
    "json": render_json, "graphml": encode_graphml, "dot": render_dot, "mermaid": render_mermaid,
}  # fmt: skip

__all__ = ["FORMATS", "render_graph"]
