"""``mlapath diff --summary``: what a deployment does otherwise, one line for each change."""

from __future__ import annotations

from collections.abc import Iterator

from mlapath.base.clean import clean
from mlapath.ci import rules
from mlapath.findings.diff import Diff, TreeDiff
from mlapath.findings.gate import Finding, Severity
from mlapath.report.blocks import Block, Cell, Fact, Section, Table, Title, Tone
from mlapath.report.wording import count, shorten

TOLD = (
    rules.OUTCOME, rules.REFUSAL, rules.UNPROVEN, rules.BACKEND, rules.PREFILL, rules.VERDICT,
    rules.THRESHOLD, rules.SETTING, rules.LAYERS, rules.CLASS,
)  # fmt: skip
"""The rules that a summary tells of, in its order."""
CLASS = "layer class"
"""Of the classes, the one that code of others derives from or looks for."""


def summary_blocks(diff: Diff) -> Iterator[Block]:
    """Lay out a table; scenarios that change alike share a line."""
    first, last = diff.steps[0].before, diff.steps[-1].after
    number = f": {count(len(diff.steps), 'step')}" if diff.walked else ""
    yield Title(f"vLLM {clean(first)}" + (f" to {clean(last)}{number}" if first != last else ""))
    rows = tuple(row for step in diff.steps for row in _rows(step))
    if rows:
        yield Table(("release", "scenarios", "what changed", "because"), rows)
    quiet = [step.after for step in diff.steps if not any(_rows(step))]
    if quiet:
        yield Section("Nothing of this kind changed in")
        yield Fact("", ", ".join(clean(name) for name in quiet))


def _rows(step: TreeDiff) -> Iterator[tuple[Cell, ...]]:
    release = Cell(clean(step.after))
    for scenario in step.scenarios:
        if scenario.error is not None:
            error = Cell(f"not compared: {clean(scenario.error)}", Tone.BAD)
            yield release, Cell(clean(scenario.name)), error, Cell("-")
    alike: dict[tuple[int, str, str, Severity], list[str]] = {}
    for scenario in step.scenarios:
        for finding in scenario.findings:
            if finding.rule in TOLD and _counts(finding):
                because = shorten(clean(finding.cause)) if finding.cause else "-"
                at = TOLD.index(finding.rule)
                key = (at, clean(_said(finding)), because, finding.severity)
                names = alike.setdefault(key, [])
                if scenario.name not in names:
                    names.append(scenario.name)
    for (_, said, because, severity), names in sorted(alike.items(), key=lambda item: item[0][0]):
        tone = Tone.BAD if severity is Severity.ERROR else Tone.PLAIN
        yield release, Cell(clean(", ".join(names))), Cell(said, tone), Cell(because)


def _counts(finding: Finding) -> bool:
    return finding.rule is not rules.CLASS or finding.subject.startswith(CLASS)


def _said(finding: Finding) -> str:
    """The change without the numbers of its condition: a threshold has a line of its own."""
    if finding.rule in (rules.VERDICT, rules.UNPROVEN) and " (" in finding.subject:
        return f"{finding.subject.partition(' ')[0]}: {finding.before} -> {finding.after}"
    return finding.message
