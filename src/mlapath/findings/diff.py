"""What differs between the answers of two trees: findings, and the chains side by side."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mlapath import __version__
from mlapath.findings.encode import encode_evidence
from mlapath.findings.encode_gate import encode_finding
from mlapath.findings.gate import Finding
from mlapath.findings.model import EvidenceStep
from mlapath.scenario.config_file import JsonObject

DIFF_SCHEMA = "mlapath.diff/1"


class Mark(Enum):
    """How the steps of a row relate; ``REWORDED``: other text that comes to the same value."""

    SAME = "same"
    REWORDED = "reworded"
    CHANGED = "changed"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True)
class ChainRow:
    """Steps that belong together; ``first``: here the chains part."""

    mark: Mark
    before: EvidenceStep | None
    after: EvidenceStep | None
    first: bool = False


@dataclass(frozen=True)
class ChainDiff:
    """The chains of one subject: a target of a group of layers, or a refusal.

    ``before`` and ``after``: what the chains end with, such as a verdict.
    """

    subject: str
    before: str
    after: str
    rows: tuple[ChainRow, ...]


@dataclass(frozen=True)
class ScenarioDiff:
    """One scenario on two trees, or two scenarios on one.

    ``against``: the scenario that it is compared with, None where it is the same. ``causes``: the
    first steps that differ, each said once, in one sentence. ``error``: why there is no
    comparison, None where there is.
    """

    scenario: str
    findings: tuple[Finding, ...] = ()
    causes: tuple[str, ...] = ()
    chains: tuple[ChainDiff, ...] = ()
    error: str | None = None
    against: str | None = None

    @property
    def name(self) -> str:
        """What it is called in a report."""
        return self.scenario if self.against is None else f"{self.against} to {self.scenario}"


@dataclass(frozen=True)
class TreeDiff:
    """Every scenario on two trees, each named by its version or folder; both may be the same."""

    before: str
    after: str
    scenarios: tuple[ScenarioDiff, ...]

    @property
    def empty(self) -> bool:
        """Whether nothing differs and every comparison was made."""
        return not any(s.findings or s.error for s in self.scenarios)


@dataclass(frozen=True)
class Diff:
    """The comparisons in order: one, or one for each release of a range."""

    steps: tuple[TreeDiff, ...]
    walked: bool = False


@dataclass(frozen=True)
class Change:
    """What some scenarios do otherwise, in one sentence; ``because``: the first cause if known."""

    scenarios: tuple[str, ...]
    text: str
    because: str | None
    grave: bool


def encode_diff(diff: Diff) -> JsonObject:
    """Encode as ``mlapath.diff/1`` (``schema/diff-1.json``)."""
    return {
        "schema": DIFF_SCHEMA,
        "mlapath": __version__,
        "steps": [
            {
                "before": step.before,
                "after": step.after,
                "scenarios": [_scenario(scenario) for scenario in step.scenarios],
            }
            for step in diff.steps
        ],
    }


def _scenario(scenario: ScenarioDiff) -> JsonObject:
    return {
        "scenario": scenario.scenario,
        "against": scenario.against,
        "error": scenario.error,
        "causes": list(scenario.causes),
        "findings": [encode_finding(finding) for finding in scenario.findings],
        "chains": [
            {
                "subject": chain.subject,
                "before": chain.before,
                "after": chain.after,
                "rows": [
                    {
                        "mark": row.mark.value,
                        "first": row.first,
                        "before": _step(row.before),
                        "after": _step(row.after),
                    }
                    for row in chain.rows
                ],
            }
            for chain in scenario.chains
        ],
    }


def _step(step: EvidenceStep | None) -> JsonObject | None:
    if step is None:
        return None
    encoded = encode_evidence([step])[0]
    assert isinstance(encoded, dict)
    return encoded
