"""What a project demands of an answer, whatever the baseline says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from mlapath.base.verdict import Verdict
from mlapath.ci import rules
from mlapath.ci.expect import Expectation, find_mismatches
from mlapath.ci.make import shown
from mlapath.findings.gate import Finding, Severity
from mlapath.findings.model import Report, TargetVerdict

OUTCOME = "outcome"
OF_GROUPS = ("backend", "prefill_backend")


def expectation_findings(
    scenario: str, report: Report, expect: Mapping[str, str]
) -> Iterator[Finding]:
    """Expectations that do not hold: verdicts, ``outcome``, ``backend``, ``prefill_backend``."""
    if OUTCOME in expect and expect[OUTCOME] != report.outcome.value:
        yield _failed(
            scenario, OUTCOME, expect[OUTCOME], report.outcome.value,
            at=None if report.refusal is None else report.refusal.at,
            evidence=() if report.refusal is None else report.refusal.evidence,
            cause=None if report.refusal is None
            else f"{report.refusal.exception}: {report.refusal.message}",
        )  # fmt: skip
    for name in OF_GROUPS:
        if name not in expect:
            continue
        found = {shown(getattr(group, name)) for group in report.attention if group.mla}
        if found != {expect[name]}:
            yield _failed(scenario, name, expect[name], ", ".join(sorted(found)) or "none")
    wanted = [
        Expectation(target, Verdict(word))
        for target, word in expect.items() if target not in (OUTCOME, *OF_GROUPS)
    ]  # fmt: skip
    seen: set[tuple[str, str]] = set()
    for mismatch in find_mismatches([report], wanted):
        target, found_word = mismatch.expectation.target, mismatch.found.value
        if (target, found_word) in seen:
            continue
        seen.add((target, found_word))
        verdict = _verdict(report, target, mismatch.found)
        places = [s.at for s in verdict.evidence if s.at is not None] if verdict else []
        yield _failed(
            scenario, target, mismatch.expectation.verdict.value, found_word,
            at=places[-1] if places else None,
            evidence=verdict.evidence if verdict else (),
            cause=verdict.because if verdict else None,
        )  # fmt: skip


def unread_findings(scenario: str, report: Report) -> Iterator[Finding]:
    """What is given and never read, with the nearest names that are."""
    for item in (*report.unread_env, *report.unread_flags, *report.unread_override_keys):
        near = f"; did you mean {' or '.join(item.nearest)}?" if item.nearest else ""
        message = f"{item.name} is given, and this vLLM never reads it{near}"
        yield Finding(
            rules.UNREAD, rules.UNREAD.severity, scenario, item.name, message, after=item.name
        )


def patch_finding(
    scenario: str, patch: str, *, certain: bool, suggestions: Iterable[str]
) -> Finding:
    """A patch whose target is not there; ``certain``: no code outside the tree could have it."""
    near = list(suggestions)
    hint = f"; called so are {', '.join(near)}" if near else ""
    what = "is not in this vLLM" if certain else "is not defined by this vLLM itself"
    finding = Finding(
        rules.PATCH, rules.PATCH.severity, scenario, patch, f"{patch} {what}{hint}", before=patch
    )
    return finding if certain else replace(finding, severity=Severity.WARNING)


def _failed(scenario: str, subject: str, wanted: str, found: str, **more: object) -> Finding:
    return replace(
        Finding(
            rules.EXPECTATION, rules.EXPECTATION.severity, scenario, subject,
            f"{subject} is {found}, not {wanted}", before=wanted, after=found,
        ),
        **more,  # type: ignore[arg-type]
    )  # fmt: skip


def _verdict(report: Report, target: str, found: Verdict) -> TargetVerdict | None:
    for group in report.attention:
        for verdict in group.targets:
            if verdict.target == target and verdict.verdict is found:
                return verdict
    return None
