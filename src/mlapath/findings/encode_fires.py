"""``fires`` as JSON-able data: schema ``mlapath.fires/1``, in the key order of the contract."""

from __future__ import annotations

from collections.abc import Sequence

from mlapath.findings.encode import (
    encode_condition,
    encode_evidence,
    encode_refusal,
    encode_scenario,
    encode_tree_info,
)
from mlapath.findings.fires import FiresReport, LocationFiring, PhaseFiring, StepInfo
from mlapath.scenario.config_file import JsonObject

FIRES_SCHEMA = "mlapath.fires/1"
REPORTS_SCHEMA = "mlapath.fires_reports/1"


def encode_fires_reports(reports: Sequence[FiresReport]) -> JsonObject:
    """One report as ``mlapath.fires/1``, any other number as ``mlapath.fires_reports/1``."""
    if len(reports) == 1:
        return encode_fires(reports[0])
    return {"schema": REPORTS_SCHEMA, "reports": [encode_fires(r) for r in reports]}


def encode_fires(report: FiresReport) -> JsonObject:
    """Encode as ``mlapath.fires/1``."""
    return {
        "schema": FIRES_SCHEMA,
        "tree": encode_tree_info(report.tree),
        "scenario": encode_scenario(report.scenario),
        "locations": [_location(location) for location in report.locations],
        "outcome": report.outcome.value,
        "refusal": None if report.refusal is None else encode_refusal(report.refusal),
        "notes": list(report.notes),
        "step": None if report.step is None else _step(report.step),
    }


def _step(step: StepInfo) -> JsonObject:
    return {
        "batch": step.batch,
        "kind": step.kind.value,
        "tokens": step.tokens,
        "cuda_graph": step.graph,
        "padded_tokens": step.padded,
    }


def _location(location: LocationFiring) -> JsonObject:
    return {
        "at": location.at,
        "function": location.function,
        "verdict": location.verdict.value,
        "phases": [_phase(phase) for phase in location.phases],
        "print": {"effect": location.effect.effect.value, "because": location.effect.because},
        "evidence": encode_evidence(location.evidence),
        "instead": [
            {"at": place.at, "function": place.function, "why": place.why}
            for place in location.instead
        ],
        "notes": list(location.notes),
        "asked": location.asked,
        "what": location.what,
        "because": location.because,
        "blockers": list(location.blockers),
    }


def _phase(phase: PhaseFiring) -> JsonObject:
    return {
        "phase": phase.phase.value,
        "batch": None if phase.batch is None else phase.batch.value,
        "fires": phase.fires.value,
        "times": phase.times,
        "process": phase.process,
        "condition": encode_condition(phase.condition),
        "because": phase.because,
        "count": phase.count,
    }


__all__ = ["FIRES_SCHEMA", "encode_fires", "encode_fires_reports"]
