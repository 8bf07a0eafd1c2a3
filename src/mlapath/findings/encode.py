"""Findings as JSON-able data, in the key order of the contract; what we add comes after."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mlapath import __version__
from mlapath.findings.model import (
    Assumption,
    AttentionGroup,
    Candidate,
    Condition,
    EvidenceStep,
    Refusal,
    Report,
    ScenarioInfo,
    Settings,
    TargetVerdict,
    TreeInfo,
    Unread,
)
from mlapath.findings.tree_model import TreeReport
from mlapath.scenario.config_file import JsonObject, JsonValue
from mlapath.scenario.packages import PackageFacts

REPORT_SCHEMA = "mlapath.report/1"
REPORTS_SCHEMA = "mlapath.reports/1"
TREE_SCHEMA = "mlapath.tree/1"


def encode_reports(reports: Sequence[Report]) -> JsonObject:
    """Encode one report as ``mlapath.report/1``, any other number as ``mlapath.reports/1``."""
    if len(reports) == 1:
        return encode_report(reports[0])
    return {"schema": REPORTS_SCHEMA, "reports": [encode_report(report) for report in reports]}


def encode_report(report: Report) -> JsonObject:
    """Encode as ``mlapath.report/1`` (``schema/report-1.json``)."""
    return {
        "schema": REPORT_SCHEMA,
        "mlapath": __version__,
        "tree": encode_tree_info(report.tree),
        "scenario": encode_scenario(report.scenario),
        "outcome": report.outcome.value,
        "refusal": None if report.refusal is None else encode_refusal(report.refusal),
        "settings": _settings(report.settings),
        "attention": [_group(group) for group in report.attention],
        "assumptions": [_assumption(assumption) for assumption in report.assumptions],
        "unread_env": [unread.name for unread in report.unread_env],
        "unresolved": [
            {"at": item.at, "guard": item.guard, "needs": item.needs} for item in report.unresolved
        ],
        "conditional_refusals": [
            encode_refusal(refusal) for refusal in report.conditional_refusals
        ],
        "unread_flags": [unread.name for unread in report.unread_flags],
        "unread_override_keys": [unread.name for unread in report.unread_override_keys],
        "nearest": _nearest(
            (*report.unread_env, *report.unread_flags, *report.unread_override_keys)
        ),
        "notes": list(report.notes),
        "frontier": [
            {"at": item.at, "limit": item.limit, "text": item.text} for item in report.frontier
        ],
    }


def encode_tree(tree: TreeReport) -> JsonObject:
    """Encode as ``mlapath.tree/1`` (``schema/tree-1.json``)."""
    return {
        "schema": TREE_SCHEMA,
        "version": tree.version,
        "origin": tree.origin,
        "root": tree.root,
        "digest": tree.digest,
        "extensions": list(tree.extensions),
        "requires": list(tree.requires),
        "modified": list(tree.modified),
        "shadows": list(tree.shadows),
        "plugins": [{"group": plugin.group, "name": plugin.name} for plugin in tree.plugins],
        "notes": list(tree.notes),
    }


def encode_tree_info(tree: TreeInfo) -> JsonObject:
    """Which source was read."""
    return {
        "version": tree.version,
        "origin": tree.origin,
        "root": tree.root,
        "digest": tree.digest,
        "modified": list(tree.modified),
        "companions": dict(tree.companions),
    }


def encode_scenario(scenario: ScenarioInfo) -> JsonObject:
    """What was asked."""
    device = scenario.device
    return {
        "config": scenario.config,
        "architectures": list(scenario.architectures),
        "device": {
            "name": device.name,
            "platform": device.platform,
            "capability": device.capability,
        },
        "engine_args": dict(scenario.engine_args),
        "env": dict(scenario.env),
        "packages": _packages(scenario.packages),
        "batch": scenario.batch,
        "edits": list(scenario.edits),
    }


def _packages(packages: PackageFacts) -> JsonObject:
    present: list[JsonValue] = [
        name if version is None else f"{name}=={version}"
        for name, version in packages.present.items()
    ]
    return {"present": present, "absent": list(packages.absent)}


def _settings(settings: Settings) -> JsonObject:
    return {
        "use_mla": settings.use_mla,
        "dtype": settings.dtype,
        "kv_cache_dtype": settings.kv_cache_dtype,
        "block_size": settings.block_size,
        "cudagraph_mode": settings.cudagraph_mode,
        "enforce_eager": settings.enforce_eager,
        "model_class": settings.model_class,
        "model_runner": settings.model_runner,
        "changes": [
            {
                "setting": change.setting,
                "from": change.before,
                "to": change.after,
                "at": change.at,
                "because": change.because,
            }
            for change in settings.changes
        ],
    }


def _group(group: AttentionGroup) -> JsonObject:
    return {
        "layers": list(group.layers),
        "count": len(group.layers),
        "layer_class": group.layer_class,
        "mla": group.mla,
        "backend": group.backend,
        "backend_class": group.backend_class,
        "impl_class": group.impl_class,
        "sparse": group.sparse,
        "kv_cache_dtype": group.kv_cache_dtype,
        "block_size": group.block_size,
        "prefill_backend": group.prefill_backend,
        "indexer_backend": group.indexer_backend,
        "metadata_builder": group.metadata_builder,
        "reorder_batch_threshold": group.reorder_batch_threshold,
        "candidates": [_candidate(candidate) for candidate in group.candidates],
        "targets": [_target(target) for target in group.targets],
        "prefill_candidates": [_candidate(c) for c in group.prefill_candidates],
        "head_size": group.head_size,
        "draft": group.draft,
        "pipeline_ranks": list(group.pipeline_ranks),
        "threshold_evidence": encode_evidence(group.threshold_evidence),
        "prefill_evidence": encode_evidence(group.prefill_evidence),
    }


def _candidate(candidate: Candidate) -> JsonObject:
    return {
        "backend": candidate.backend,
        "chosen": candidate.chosen,
        "reasons": [reason.text for reason in candidate.reasons],
        "reasons_at": [reason.at for reason in candidate.reasons],
    }


def _target(target: TargetVerdict) -> JsonObject:
    return {
        "target": target.target,
        "verdict": target.verdict.value,
        "function": target.function,
        "defined_at": target.defined_at,
        "called_at": list(target.called_at),
        "condition": encode_condition(target.condition),
        "evidence": encode_evidence(target.evidence),
        "assumptions": list(target.assumptions),
        "because": target.because,
        "instead": [
            {"at": place.at, "function": place.function, "why": place.why}
            for place in target.instead
        ],
        "proof": [
            {"fact": item.fact, "places": list(item.places), "why": item.why}
            for item in target.proof
        ],
        "blockers": list(target.blockers),
    }


def encode_condition(condition: Condition | None) -> JsonValue:
    """A condition, or null."""
    if condition is None:
        return None
    return {
        "program": condition.program,
        "meaning": condition.meaning,
        "numbers": dict(condition.numbers),
    }


def encode_evidence(steps: Iterable[EvidenceStep]) -> list[JsonValue]:
    """The steps of a chain, root first."""
    return [
        {
            "at": step.at,
            "text": step.text,
            "value": step.value,
            "kind": step.kind.value,
            "from": list(step.sources),
        }
        for step in steps
    ]


def encode_refusal(refusal: Refusal) -> JsonObject:
    """An exception of vLLM's."""
    return {
        "exception": refusal.exception,
        "message": refusal.message,
        "at": refusal.at,
        "evidence": encode_evidence(refusal.evidence),
        "stage": refusal.stage,
        "condition": encode_condition(refusal.condition),
    }


def _assumption(assumption: Assumption) -> JsonObject:
    return {"id": assumption.id, "text": assumption.text, "confirmed": assumption.confirmed}


def _nearest(unread: Iterable[Unread]) -> JsonObject:
    return {item.name: list(item.nearest) for item in unread if item.nearest}
