"""What ``fires`` found: for each place that was asked for, in which phases its Python runs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mlapath.base.verdict import Verdict
from mlapath.findings.model import (
    Condition,
    EvidenceStep,
    Outcome,
    Place,
    Refusal,
    ScenarioInfo,
    TreeInfo,
)


class Phase(Enum):
    """When a worker, or the server before it, runs the tree's Python."""

    CONFIG = "config"
    LOAD = "load"
    PROFILE = "profile"
    COMPILE = "compile"
    CAPTURE = "capture"
    WARMUP = "warmup"
    STEP = "step"


class Batch(Enum):
    """What a step has: only new prompts, only decodes, both.

    A decode has one token, or one and the drafted ones; a prompt of so many counts as one.
    """

    PREFILL = "prefill"
    DECODE = "decode"
    MIXED = "mixed"


class Effect(Enum):
    """What becomes of a print that stands there."""

    PRINTS = "prints"
    SILENT = "silent"
    ABORTS = "aborts_startup"
    UNPROVEN = "unproven"


@dataclass(frozen=True)
class PhaseFiring:
    """Whether a line's Python runs in one phase.

    times: ``once``, ``per layer``, ``per step``, ``per layer per step`` or ``unknown``.
    process: ``api``, ``engine`` or ``worker``. count: how often, where vLLM's own numbers tell.
    """

    phase: Phase
    batch: Batch | None
    fires: Verdict
    because: str
    times: str = "unknown"
    process: str = "worker"
    condition: Condition | None = None
    count: int | None = None


@dataclass(frozen=True)
class PrintEffect:
    """What a print there does, and why."""

    effect: Effect
    because: str


@dataclass(frozen=True)
class LocationFiring:
    """The answer for one place.

    asked: as the user wrote it. at: ``path:line`` of the line. function: qualified, or None where
    there is none around it. what: what stands there (``code``, ``comment``, ``definition``, …).
    verdict: ``always`` if it certainly runs in some phase, ``never`` if it is proved to run in
    none. blockers: what keeps an ``unproven`` from being settled.
    """

    asked: str
    at: str
    function: str | None
    what: str
    verdict: Verdict
    phases: tuple[PhaseFiring, ...]
    effect: PrintEffect
    because: str
    evidence: tuple[EvidenceStep, ...] = ()
    instead: tuple[Place, ...] = ()
    notes: tuple[str, ...] = ()
    blockers: tuple[str, ...] = ()


@dataclass(frozen=True)
class StepInfo:
    """The step that was asked about, where a batch was given.

    batch: as it was given. kind: what sort of step that is. tokens: new ones of all requests.
    graph: the mode of the CUDA graph that vLLM takes for it, ``NONE`` for none; None: not known.
    padded: the tokens that the model then sees; None: not known.
    """

    batch: str
    kind: Batch
    tokens: int
    graph: str | None
    padded: int | None


@dataclass(frozen=True)
class FiresReport:
    """The answers for one tree and one scenario; ``step``: and for one step alone."""

    tree: TreeInfo
    scenario: ScenarioInfo
    outcome: Outcome
    locations: tuple[LocationFiring, ...]
    refusal: Refusal | None = None
    notes: tuple[str, ...] = ()
    step: StepInfo | None = None


__all__ = [
    "Batch", "Effect", "FiresReport", "LocationFiring", "Phase", "PhaseFiring", "PrintEffect",
    "StepInfo",
]  # fmt: skip
