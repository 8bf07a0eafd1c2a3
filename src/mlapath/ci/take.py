"""From a report to its snapshot."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from mlapath.ci.layers import compact
from mlapath.ci.normal import plain_code, plain_message, plain_text
from mlapath.ci.snapshot import (
    GroupSnapshot,
    RefusalSnapshot,
    Scalar,
    Snapshot,
    Step,
    TargetSnapshot,
)
from mlapath.findings.model import (
    AttentionGroup,
    Candidate,
    EvidenceStep,
    Refusal,
    Report,
    Settings,
    TargetVerdict,
)

SETTINGS = (
    "use_mla", "dtype", "kv_cache_dtype", "block_size", "cudagraph_mode", "enforce_eager",
    "model_runner",
)  # fmt: skip
FACTS = (
    "sparse", "kv_cache_dtype", "block_size", "head_size", "reorder_batch_threshold",
    "indexer_backend",
)  # fmt: skip
CLASSES = ("layer_class", "backend_class", "impl_class", "metadata_builder")
GIVEN = frozenset({"config", "flag", "env", "device", "package", "default"})
"""Kinds of steps, and of sources, that are facts of the scenario and not code."""


class Symbol(NamedTuple):
    """A function of the tree: its qualified name and its parameters as text."""

    name: str
    signature: str


Locate = Callable[[str], "Symbol | None"]
"""The function around ``path:line``, None where there is none or it is not known."""


def nowhere(_at: str) -> Symbol | None:
    """Locate nothing."""
    return None


def take(report: Report, locate: Locate = nowhere) -> Snapshot:
    """Keep what stays the same when lines move, files are formatted or folders renamed."""
    settings: dict[str, Scalar] = {n: getattr(report.settings, n) for n in SETTINGS}
    unread = (*report.unread_env, *report.unread_flags, *report.unread_override_keys)
    return Snapshot(
        outcome=report.outcome.value,
        refusal=None if report.refusal is None else _refusal(report.refusal),
        settings={name: value for name, value in settings.items() if value is not None},
        adjusted=_adjusted(report.settings),
        groups=tuple(_group(group, report.settings) for group in report.attention),
        late_refusals=tuple(_refusal(refusal) for refusal in report.conditional_refusals),
        inputs=tuple(sorted(set(_inputs(report)))),
        unread=tuple(sorted({item.name for item in unread})),
        functions=dict(sorted(_functions(report, locate))),
        companions={k: v for k, v in report.tree.companions.items() if v is not None},
    )


def chain_of(evidence: Iterable[EvidenceStep]) -> tuple[Step, ...]:
    """The steps as they count in comparisons, one for each step of the evidence."""
    return tuple(
        Step(
            step.kind.value,
            plain_code(plain_text(step.text)),
            None if step.value is None else plain_text(step.value),
        )
        for step in evidence
    )


def _adjusted(settings: Settings) -> dict[str, str]:
    return {
        change.setting: f"{json.dumps(change.before)} -> {json.dumps(change.after)}"
        for change in settings.changes
    }


def _group(group: AttentionGroup, settings: Settings) -> GroupSnapshot:
    facts: dict[str, Scalar] = {name: getattr(group, name) for name in FACTS}
    classes = {name: getattr(group, name) for name in CLASSES}
    classes["model_class"] = settings.model_class
    return GroupSnapshot(
        layers=compact(group.layers),
        mla=group.mla,
        draft=group.draft,
        backend=group.backend,
        prefill_backend=group.prefill_backend,
        facts={name: value for name, value in facts.items() if value is not None},
        classes={name: value for name, value in classes.items() if value is not None},
        candidates=_candidates(group.candidates),
        prefill_candidates=_candidates(group.prefill_candidates),
        targets={target.target: _target(target) for target in group.targets},
        threshold_chain=chain_of(group.threshold_evidence),
        prefill_chain=chain_of(group.prefill_evidence),
    )


def _candidates(candidates: Iterable[Candidate]) -> tuple[str, ...]:
    return tuple(f"{candidate.backend}: {_standing(candidate)}" for candidate in candidates)


def _standing(candidate: Candidate) -> str:
    if candidate.chosen:
        return "chosen"
    reasons = [plain_text(reason.text) for reason in candidate.reasons]
    return "; ".join(reasons) or "not chosen"


def _target(target: TargetVerdict) -> TargetSnapshot:
    condition = target.condition
    return TargetSnapshot(
        verdict=target.verdict.value,
        function=target.function,
        condition=None if condition is None else plain_code(condition.program),
        meaning=None if condition is None else plain_text(condition.meaning),
        numbers={} if condition is None else dict(condition.numbers),
        chain=chain_of(target.evidence),
    )


def _refusal(refusal: Refusal) -> RefusalSnapshot:
    return RefusalSnapshot(
        exception=refusal.exception,
        message=plain_message(refusal.message),
        stage=refusal.stage,
        condition=None if refusal.condition is None else plain_code(refusal.condition.program),
        chain=chain_of(refusal.evidence),
    )


def evidences(report: Report) -> Iterator[tuple[EvidenceStep, ...]]:
    """Every chain of a report."""
    if report.refusal is not None:
        yield report.refusal.evidence
    for refusal in report.conditional_refusals:
        yield refusal.evidence
    for group in report.attention:
        for target in group.targets:
            yield target.evidence


def _inputs(report: Report) -> Iterator[str]:
    for steps in evidences(report):
        for step in steps:
            if step.at is None and step.kind.value in GIVEN:
                yield f"{step.kind.value}:{step.text.partition('=')[0]}"
            for source in step.sources:
                kind, colon, rest = source.partition(":")
                if colon and kind in GIVEN:
                    yield f"{kind}:{rest.partition('=')[0]}"


def _functions(report: Report, locate: Locate) -> Iterator[Symbol]:
    places = [step.at for steps in evidences(report) for step in steps]
    for group in report.attention:
        for target in group.targets:
            places += [target.defined_at, *target.called_at]
    for place in dict.fromkeys(places):
        found = None if place is None else locate(place)
        if found is not None:
            yield found
