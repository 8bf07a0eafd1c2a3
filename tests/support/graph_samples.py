"""A hand-written graph: one of each kind of node and edge. The code it quotes is made up."""

from __future__ import annotations

from mlapath.base.verdict import Verdict
from mlapath.findings.graph import Edge, GraphReport, GuardTruth, Node, NodeKind, PathGraph
from mlapath.findings.model import EvidenceKind, EvidenceStep, Outcome, Refusal
from support.samples import CUDA, LAYER, TREE, scenario

STEP = EvidenceStep(f"{LAYER}:551", "num_mha > 0", "False", EvidenceKind.GUARD)
WAY = "m.L.forward"
GUARDS = (
    Node(f"{WAY}:480:11", NodeKind.GUARD, f"{LAYER}:480", "kind == 'a\"<b>#\\'", None,
         GuardTruth.TRUE, "['x']"),
    Node(f"{WAY}:551:11", NodeKind.GUARD, f"{LAYER}:551", "num_mha > 0", None, GuardTruth.FALSE,
         "False", evidence=(STEP,)),
    Node(f"{WAY}:562:11", NodeKind.GUARD, f"{LAYER}:562", "num_mqa > " + "0" * 90, None,
         GuardTruth.UNKNOWN, "unknown (tokens)"),
)  # fmt: skip


def layer_graph() -> PathGraph:
    nodes = (
        Node("<entry>", NodeKind.ENTRY, None, "entry"),
        Node(WAY, NodeKind.FUNCTION, f"{LAYER}:471", "L.forward", Verdict.ALWAYS),
        Node("m.I.forward_mha", NodeKind.FUNCTION, f"{LAYER}:90", "I.forward_mha", Verdict.NEVER,
             target=True),
        Node("m.I.forward_mqa", NodeKind.FUNCTION, f"{LAYER}:99", "I.forward_mqa",
             Verdict.CONDITIONAL, target=True),
        Node("other", NodeKind.FUNCTION, None, "other", Verdict.UNPROVEN, target=True),
        *GUARDS,
    )  # fmt: skip
    first, second, third = (guard.id for guard in GUARDS)
    edges = (
        Edge("<entry>", WAY, Verdict.ALWAYS, count=2),
        Edge(WAY, first, Verdict.ALWAYS),
        Edge(first, second, Verdict.ALWAYS, True),
        Edge(second, "m.I.forward_mha", Verdict.NEVER, True, f"{LAYER}:552"),
        Edge(second, third, Verdict.ALWAYS, False),
        Edge(third, "m.I.forward_mqa", Verdict.CONDITIONAL, True, f"{LAYER}:563", 1),
        Edge(WAY, "other", Verdict.UNPROVEN, None, f"{LAYER}:564"),
    )
    return PathGraph(("model.layers.0.attn", "model.layers.1.attn"), nodes, edges)


def report() -> GraphReport:
    return GraphReport(TREE, scenario(), Outcome.RUNS, (layer_graph(),), None, ("said once",))


def refused() -> GraphReport:
    nodes = (
        Node("p.f", NodeKind.FUNCTION, f"{CUDA}:300", "p.f", Verdict.ALWAYS),
        Node("p.f:354", NodeKind.RAISE, f"{CUDA}:354", "raise ValueError('no')", Verdict.ALWAYS,
             target=True),
    )  # fmt: skip
    graph = PathGraph((), nodes, (Edge("p.f", "p.f:354", Verdict.ALWAYS, None, f"{CUDA}:354", 1),))
    refusal = Refusal("ValueError", "no", f"{CUDA}:354", (), "load")
    return GraphReport(TREE, scenario(), Outcome.REFUSES, (graph, layer_graph()), refusal)
