"""The order and wording of ``mlapath check`` for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mlapath.base.clean import clean
from mlapath.findings.gate import Checked, Finding, GateResult, Severity
from mlapath.findings.wording import STEP_WORDS, step_text
from mlapath.report.blocks import Block, Fact, Headline, Step, Title, Tone
from mlapath.report.wording import count, shorten

TONES = {Severity.ERROR: Tone.BAD, Severity.WARNING: Tone.WARN, Severity.NOTE: Tone.PLAIN}


def gate_blocks(result: GateResult, verbosity: int) -> Iterator[Block]:
    """Lay out what a check found: every scenario, its errors and warnings, and its notes with -v.

    ``verbosity``: below 0 only the scenarios and their counts, above 0 notes and evidence too.
    """
    number = count(len(result.scenarios), "scenario")
    yield Title(f"{number}, vLLM {clean(result.tree)}")
    for checked in result.scenarios:
        yield _headline(checked)
        if verbosity >= 0:
            yield from finding_blocks(checked.findings, verbosity)


def _headline(checked: Checked) -> Headline:
    name = clean(checked.scenario)
    if checked.error is not None:
        return Headline(name, "NOT CHECKED", Tone.BAD, clean(checked.error))
    if not checked.findings:
        return Headline(name, "OK", Tone.GOOD)
    worst = min(checked.findings, key=lambda f: tuple(Severity).index(f.severity)).severity
    words = {Severity.ERROR: "ERRORS", Severity.WARNING: "WARNINGS", Severity.NOTE: "NOTES"}
    return Headline(name, words[worst], TONES[worst], counts(checked.findings))


def counts(findings: Sequence[Finding]) -> str:
    """Give ``1 error, 2 warnings``."""
    numbers = ((s, sum(f.severity is s for f in findings)) for s in Severity)
    return ", ".join(count(number, severity.value) for severity, number in numbers if number)


def finding_blocks(
    findings: Sequence[Finding], verbosity: int, told: Sequence[str] = ()
) -> Iterator[Block]:
    """Lay out findings; how many notes there are where they are not shown.

    ``told``: causes that stand above; if there is one only, it is not said again.
    """
    notes = 0
    for finding in findings:
        if finding.severity is Severity.NOTE and verbosity <= 0:
            notes += 1
            continue
        rule = f"{finding.rule.id} {finding.rule.name}"
        yield Fact(finding.severity.value, f"{rule}: {clean(finding.message)}", finding.at)
        yield from _details(finding, list(told) == [finding.cause])
        if verbosity > 0:
            for step in finding.evidence:
                yield Step(STEP_WORDS[step.kind], step_text(step), step.at)
    if notes:
        yield Fact("", f"{count(notes, 'note')} (shown with -v)")


def _details(finding: Finding, caused: bool) -> Iterator[Block]:
    before, after = finding.before, finding.after
    told = {word.strip(",;:()") for word in finding.message.split()}
    if before is not None and after is not None and not {before, after} <= told:
        yield Fact("", f"was: {shorten(clean(before))}")
        yield Fact("", f"is: {shorten(clean(after))}")
    if finding.cause is not None and not caused:
        yield Fact("", f"cause: {clean(finding.cause)}")
