"""What comes from another release of a package beside vLLM, and not from vLLM.

The question is asked again with the release that the old answer was made with: a difference that
is gone then comes from the package.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from mlapath.app.companions import PACKAGE
from mlapath.app.parallel import ask_all
from mlapath.app.request import AnalyzeRequest
from mlapath.ci.compare import companions_changed
from mlapath.ci.snapshot import Snapshot
from mlapath.ci.take import take
from mlapath.findings.gate import Finding, Severity
from mlapath.findings.model import Report
from mlapath.scenario.scenario import Scenario

Compare = Callable[[Report], "tuple[Finding, ...]"]
"""What differs between the old answer and a new one."""


def blamed(
    found: tuple[Finding, ...], old: Snapshot, after: Report,
    request: AnalyzeRequest, compare: Compare,
) -> tuple[Finding, ...]:  # fmt: skip
    """The findings, of which those that another companion brings name it as their cause.

    old: the old answer. after, request: the new answer and its question. Where the old release
    cannot be had or does not work with this vLLM, or nothing graver than a note differs, they
    stay as they are.
    """
    changed = {
        name: (a, b)
        for name, a, b in companions_changed(old.companions, after.tree.companions)
    }  # fmt: skip
    if PACKAGE not in changed or all(f.severity is Severity.NOTE for f in found):
        return found
    was, now = changed[PACKAGE]
    asked = replace(request, scenario=_with_release(request.scenario, was))
    (told,) = ask_all([asked], 1)
    again = None if told.answer is None else told.answer.report
    if again is None or again.tree.companions.get(PACKAGE) != was or not _works(again, after, old):
        return found
    vllms = {(f.rule.id, f.subject) for f in compare(again)}
    name = f"{PACKAGE} {was} -> {now}"
    return tuple(
        finding
        if finding.subject == PACKAGE or (finding.rule.id, finding.subject) in vllms
        else replace(finding, cause=f"{name}: {finding.cause}" if finding.cause else name)
        for finding in found
    )


def _works(again: Report, after: Report, old: Snapshot) -> bool:
    """Whether the answer is of use: it fares as the new one does, or fails as the old one did."""
    if again.outcome is after.outcome:
        return True
    refusals = [take(again).refusal, old.refusal]
    return None not in refusals and len({(r.exception, r.message) for r in refusals if r}) == 1


def _with_release(scenario: Scenario, version: str) -> Scenario:
    packages = scenario.packages
    present = {**packages.present, PACKAGE: version}
    return replace(scenario, packages=replace(packages, present=present))
