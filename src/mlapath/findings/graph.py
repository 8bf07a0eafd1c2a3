"""The call-and-branch graph of a deployment: what leads to a target, and what keeps it away."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mlapath.base.verdict import Verdict
from mlapath.findings.model import EvidenceStep, Outcome, Refusal, ScenarioInfo, TreeInfo


class NodeKind(Enum):
    """What a node stands for.

    ``entry``: what is outside the graph and calls into it. ``guard``: a test that code branches
    on. ``raise``: where the deployment is refused.
    """

    ENTRY = "entry"
    FUNCTION = "function"
    GUARD = "guard"
    RAISE = "raise"


class GuardTruth(Enum):
    """The outcome of a guard; ``both`` where it is evaluated several times with either."""

    TRUE = "true"
    FALSE = "false"
    BOTH = "both"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Node:
    """A function, a guard in one, or a raise.

    id: the function's qualified name; else its function, line and column. at: ``path:line``.
    text: the name without its module, or the guard's source. verdict: whether a function runs.
    truth, value, evidence: of a guard, where it was evaluated: its
    outcome, and how that follows from what was given. target: whether it was asked about.
    """

    id: str
    kind: NodeKind
    at: str | None
    text: str
    verdict: Verdict | None = None
    truth: GuardTruth | None = None
    value: str | None = None
    target: bool = False
    evidence: tuple[EvidenceStep, ...] = ()


@dataclass(frozen=True)
class Edge:
    """A way from a node to the next: to a guard on the way to a call, or the call itself.

    when: the outcome of the guard that it begins at. verdict: whether the call is made. at: where
    the call is; None on the way to it. count: how often it was made in the evaluation.
    """

    source: str
    target: str
    verdict: Verdict
    when: bool | None = None
    at: str | None = None
    count: int = 0


@dataclass(frozen=True)
class PathGraph:
    """The graph of one step of the layers of one kind, or of the way to a refusal."""

    layers: tuple[str, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class GraphReport:
    """The graphs of one tree and one scenario."""

    tree: TreeInfo
    scenario: ScenarioInfo
    outcome: Outcome
    graphs: tuple[PathGraph, ...]
    refusal: Refusal | None = None
    notes: tuple[str, ...] = ()


__all__ = ["Edge", "GraphReport", "GuardTruth", "Node", "NodeKind", "PathGraph"]
