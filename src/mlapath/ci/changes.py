"""What a deployment does otherwise, of all that differs: for summaries."""

from __future__ import annotations

from mlapath.ci import rules
from mlapath.ci.make import shown
from mlapath.findings.diff import Change, TreeDiff
from mlapath.findings.gate import Finding, Severity

TOLD = (
    rules.OUTCOME, rules.REFUSAL, rules.UNPROVEN, rules.BACKEND, rules.PREFILL, rules.VERDICT,
    rules.THRESHOLD, rules.SETTING, rules.LAYERS, rules.CLASS,
)  # fmt: skip
"""The rules that a summary tells of, in its order."""
CLASS = "layer class"
"""Of the classes, the one that code of others derives from or looks for."""


def changes(step: TreeDiff) -> tuple[Change, ...]:
    """One for each difference that a deployment notices; scenarios that change alike share it.

    Where the outcome changed that says it all: what is resolved up to a refusal is no change.
    """
    failed = tuple(
        Change((scenario.name,), f"not compared: {scenario.error}", None, grave=True)
        for scenario in step.scenarios
        if scenario.error is not None
    )
    alike: dict[tuple[int, str, str | None, bool], dict[str, None]] = {}
    for scenario in step.scenarios:
        outcome = tuple(f for f in scenario.findings if f.rule is rules.OUTCOME)
        for finding in outcome or scenario.findings:
            if finding.rule in TOLD and _counts(finding):
                grave = finding.severity is Severity.ERROR
                key = (TOLD.index(finding.rule), _said(finding), _because(finding), grave)
                alike.setdefault(key, {})[scenario.name] = None
    found = sorted(alike.items(), key=lambda item: item[0][0])
    return failed + tuple(
        Change(tuple(names), said, because, grave) for (_, said, because, grave), names in found
    )


def _because(finding: Finding) -> str | None:
    """What it comes from; of a setting it is only known what sets it now."""
    return None if finding.rule is rules.SETTING else finding.cause


def _counts(finding: Finding) -> bool:
    """Whether it is a change: not a setting that only one of both vLLMs has."""
    if finding.rule is rules.SETTING:
        return shown(None) not in (finding.before, finding.after)
    return finding.rule is not rules.CLASS or finding.subject.startswith(CLASS)


def _said(finding: Finding) -> str:
    """The change without the numbers of its condition: a threshold has a line of its own."""
    if finding.rule in (rules.VERDICT, rules.UNPROVEN) and " (" in finding.subject:
        return f"{finding.subject.partition(' ')[0]}: {finding.before} -> {finding.after}"
    return finding.message
