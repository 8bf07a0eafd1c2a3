"""The order and wording of one analysis report for people."""

from __future__ import annotations

from collections.abc import Iterator

from mlapath.base.clean import clean
from mlapath.findings.model import (
    AttentionGroup,
    Candidate,
    Outcome,
    Refusal,
    Report,
    ScenarioInfo,
    TreeInfo,
)
from mlapath.report.blocks import Block, Fact, Headline, Section, Title
from mlapath.report.target_blocks import condition_blocks, evidence_blocks, target_blocks
from mlapath.report.wording import OUTCOME_TONES, count, layer_names, short_name


def report_blocks(report: Report, verbosity: int) -> Iterator[Block]:
    """Lay out a report. ``verbosity``: below 0 answers only, 0 with evidence, above 0 all."""
    yield Title(_title(report))
    if verbosity >= 0:
        yield from _given(report.scenario, report.tree)
    yield from _outcome(report, verbosity)
    for group in report.attention:
        if verbosity >= 0:
            yield from _group(group, verbosity)
        for target in group.targets:
            yield from target_blocks(target, verbosity)
    if verbosity >= 0:
        yield from _changes(report, verbosity)
        yield from _late_refusals(report)
        yield from _unread(report)
        yield from _open_ends(report, verbosity)


def _title(report: Report) -> str:
    scenario, device = report.scenario, report.scenario.device
    model = ", ".join(scenario.architectures) or "a model without architectures"
    version = report.tree.version or "of unknown version"
    what = (
        device.platform if device.capability is None else f"{device.platform} {device.capability}"
    )
    named = (
        what if device.name in (device.capability, device.platform) else f"{device.name} ({what})"
    )
    batch = "" if scenario.batch is None else f", a step of batch {scenario.batch}"
    return clean(f"{model} on {named}, vLLM {version}{batch}")


def _given(scenario: ScenarioInfo, tree: TreeInfo) -> Iterator[Block]:
    yield Fact("config", clean(" ".join((scenario.config, *scenario.edits))))
    if scenario.engine_args:
        flags = (f"{name}={value}" for name, value in scenario.engine_args.items())
        yield Fact("engine flags", clean(" ".join(flags)))
    if scenario.env:
        yield Fact("env", clean(" ".join(f"{k}={v}" for k, v in scenario.env.items())))
    packages = scenario.packages
    if packages.present or packages.absent:
        present = [f"with {n}=={v}" if v else f"with {n}" for n, v in packages.present.items()]
        yield Fact(
            "packages", clean(", ".join((*present, *(f"without {n}" for n in packages.absent))))
        )
    if scenario.batch is not None:
        yield Fact("batch", clean(scenario.batch))
    yield Fact("tree", f"{clean(tree.root)} ({tree.origin})")
    for name, version in tree.companions.items():
        yield Fact(clean(name), clean(version or "of unknown version"))
    if tree.modified:
        yield Fact("modified", clean(", ".join(tree.modified)))


def _outcome(report: Report, verbosity: int) -> Iterator[Block]:
    word, tone = report.outcome.value.upper(), OUTCOME_TONES[report.outcome]
    refusal = report.refusal
    if refusal is not None:
        yield Headline("vLLM", word, tone, f"{refusal.exception} at {refusal.at}")
        yield from _refusal(refusal, with_evidence=verbosity >= 0)
        return
    if report.outcome is Outcome.UNPROVEN:
        yield Headline("", word, tone, "what this deployment selects could not be settled")
        return
    if report.attention and not any(group.mla for group in report.attention):
        backends = ", ".join(dict.fromkeys(g.backend or "unknown" for g in report.attention))
        text = f"no layer uses MLA (multi-head latent attention); backend {backends}"
        yield Headline("", word, tone, text)
        return
    backends = ", ".join(dict.fromkeys(g.backend or "unknown" for g in report.attention if g.mla))
    yield Headline("", word, tone, f"backend {backends}" if backends else "")


def _refusal(refusal: Refusal, *, with_evidence: bool) -> Iterator[Block]:
    if refusal.message:
        yield Fact("message", clean(refusal.message))
    if refusal.stage is not None:
        yield Fact("stage", refusal.stage)
    if with_evidence:
        yield from condition_blocks(refusal.condition)
        yield from evidence_blocks(refusal.evidence)


def _group(group: AttentionGroup, verbosity: int) -> Iterator[Block]:
    kind = "MLA layer" if group.mla else "attention layer"
    draft = " of the draft model" if group.draft else ""
    without = "" if group.mla else ", not MLA"
    yield Section(f"{count(len(group.layers), kind)}{draft}{without}")
    yield Fact("layers", clean(layer_names(group.layers)))
    if group.pipeline_ranks:
        yield Fact("pipeline ranks", ", ".join(map(str, group.pipeline_ranks)))
    name = clean if verbosity > 0 else short_name
    sparse = " (sparse)" if group.sparse else ""
    yield Fact("backend", f"{group.backend or 'unknown'}{sparse}")
    if group.impl_class is not None:
        yield Fact("implementation", name(group.impl_class))
    if group.prefill_backend is not None:
        yield Fact("prefill backend", group.prefill_backend)
    if group.indexer_backend is not None:
        yield Fact("indexer backend", group.indexer_backend)
    if group.metadata_builder is not None:
        yield Fact("metadata builder", name(group.metadata_builder))
    if group.reorder_batch_threshold is not None:
        tokens = count(group.reorder_batch_threshold, "new token")
        text = f"up to {tokens} a request (reorder_batch_threshold)"
        yield Fact("counts as decode", text)
    if group.kv_cache_dtype is not None or group.block_size is not None:
        size = "unknown" if group.block_size is None else str(group.block_size)
        yield Fact("KV cache", f"{group.kv_cache_dtype or 'unknown'}, block size {size}")
    yield from _rejected("rejected", group.candidates)
    yield from _rejected("rejected prefill", group.prefill_candidates)


def _rejected(label: str, candidates: tuple[Candidate, ...]) -> Iterator[Block]:
    for candidate in candidates:
        if candidate.chosen:
            continue
        if not candidate.reasons:
            yield Fact(label, candidate.backend)
            label = ""
        for reason in candidate.reasons:
            yield Fact(label, f"{candidate.backend}: {clean(reason.text)}", reason.at)
            label = ""


def _changes(report: Report, verbosity: int) -> Iterator[Block]:
    settings = report.settings
    if settings.changes or verbosity > 0:
        yield Section("Settings")
    for change in settings.changes:
        text = f"{change.before} → {change.after}: {change.because}"
        yield Fact(change.setting, clean(text), change.at)
    if verbosity > 0:
        for label in ("dtype", "kv_cache_dtype", "block_size", "cudagraph_mode", "enforce_eager"):
            value = getattr(settings, label)
            yield Fact(label, "unknown" if value is None else str(value))
        yield Fact("model class", settings.model_class or "unknown")
        yield Fact("model runner", settings.model_runner or "unknown")


def _late_refusals(report: Report) -> Iterator[Block]:
    if report.conditional_refusals:
        yield Section("May fail later")
    for refusal in report.conditional_refusals:
        yield Fact(refusal.exception, clean(refusal.message) or "(no message)", refusal.at)
        yield from condition_blocks(refusal.condition)


def _unread(report: Report) -> Iterator[Block]:
    unread = (*report.unread_env, *report.unread_flags, *report.unread_override_keys)
    if unread:
        yield Section("Given but never read by this vLLM")
    for item in unread:
        hint = f"did you mean {' or '.join(item.nearest)}?" if item.nearest else "nothing is near"
        yield Fact(clean(item.name), clean(hint))


def _open_ends(report: Report, verbosity: int) -> Iterator[Block]:
    assumptions = [a for a in report.assumptions if verbosity > 0 or not a.confirmed]
    if assumptions:
        yield Section("Assumptions")
    for assumption in assumptions:
        confirmed = " (confirmed)" if assumption.confirmed else ""
        yield Fact(assumption.id, clean(assumption.text) + confirmed)
    if report.notes:
        yield Section("Notes")
    for note in report.notes:
        yield Fact("", clean(note))
    if not report.unresolved and not report.frontier:
        return
    yield Section("Left open")
    if verbosity <= 0:
        guards = count(len(report.unresolved), "guard")
        yield Fact(
            "", f"{guards} unknown, {count(len(report.frontier), 'limit')} hit (-v lists them)"
        )
        return
    for item in report.unresolved:
        yield Fact("unknown guard", f"{clean(item.guard)}: needs {clean(item.needs)}", item.at)
    for limit in report.frontier:
        yield Fact("limit", f"{limit.limit}: {clean(limit.text)}", limit.at)
