"""A Markdown summary of a gate, for GitHub's job summary and for comments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from mlapath.base.clean import clean
from mlapath.base.markdown import code_span, escape_block, escape_markdown
from mlapath.ci.entries import NOT_CHECKED, Entry, by_scenario, count_severities, step_line
from mlapath.findings.gate import Checked, GateResult
from mlapath.findings.model import EvidenceStep

MAX_BYTES = 1024 * 1024
"""Of a step's summary; a larger one is not shown at all (GitHub, "Workflow commands")."""
_RESERVE = 200
"""Bytes kept for the line that says what is missing."""


_Scenarios: TypeAlias = tuple[tuple[Checked, tuple[Entry, ...]], ...]


def render_summary(result: GateResult) -> str:
    """Give a table of the scenarios, and then each finding with its evidence folded away.

    What does not fit is left out from the end, the evidence of a finding before the finding, and
    a last line says how much.
    """
    scenarios = by_scenario(result)
    text = _Text(MAX_BYTES - _RESERVE)
    text.add(f"## {escape_markdown(clean(f'mlapath check of vLLM {result.tree}'))}\n\n")
    text.add(f"{_verdict(scenarios)}\n\n")
    if scenarios:
        text.add("| scenario | findings |\n| --- | --- |\n")
    for checked, found in scenarios:
        text.add(_row(checked.scenario, found))
    shown = 0
    for checked, found in scenarios:
        if found:
            text.add(f"\n### {escape_markdown(clean(checked.scenario))}\n\n")
        for entry in found:
            brief = "".join(_finding(entry))
            shown += text.add(brief + "".join(_evidence(entry.finding.evidence)), brief)
    if text.full:
        total = sum(len(found) for _, found in scenarios)
        text.end(f"\n\nCut at GitHub's limit: {shown} of {total} findings are shown.\n")
    return text.text()


class _Text:
    """Pieces of text that together stay within a number of bytes."""

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._pieces: list[str] = []
        self.full = False

    def add(self, *choices: str) -> bool:
        """Take the first choice that fits, and nothing any more once none did."""
        for choice in choices:
            size = len(choice.encode("utf-8"))
            if not self.full and size <= self._left:
                self._left -= size
                self._pieces.append(choice)
                return True
        self.full = True
        return False

    def end(self, text: str) -> None:
        self._pieces.append(text)

    def text(self) -> str:
        return "".join(self._pieces)


def _verdict(scenarios: _Scenarios) -> str:
    failed = sum(checked.error is not None for checked, _ in scenarios)
    plain = [e for _, found in scenarios for e in found if e.finding.rule is not NOT_CHECKED]
    unchecked = f", {failed} of them not checked" if failed else ""
    number = "1 scenario" if len(scenarios) == 1 else f"{len(scenarios)} scenarios"
    return f"**{count_severities(plain)}** in {number}{unchecked}."


def _row(scenario: str, group: Iterable[Entry]) -> str:
    plain = [entry for entry in group if entry.finding.rule is not NOT_CHECKED]
    says = count_severities(plain)
    if any(entry.finding.rule is NOT_CHECKED for entry in group):
        says = f"not checked, {says}" if plain else "not checked"
    return f"| {escape_markdown(clean(scenario))} | {says} |\n"


def _finding(entry: Entry) -> Iterator[str]:
    finding = entry.finding
    place = "" if finding.at is None else f" ({code_span(clean(finding.at))})"
    rule = escape_markdown(clean(f"{finding.rule.id} {finding.rule.name}"))
    message = escape_markdown(clean(finding.message))
    yield f"- **{finding.severity.value}** {rule}: {message}{place}\n"
    for label, text in entry.details:
        yield f"  - {escape_block(f'{label}: {text}')}\n"
    yield f"  - {escape_block(clean(f'what to do: {finding.rule.help}'))}\n"


def _evidence(steps: tuple[EvidenceStep, ...]) -> Iterator[str]:
    """A list that GitHub shows only when asked; HTML ends at the blank lines."""
    if not steps:
        return
    yield "\n  <details><summary>evidence</summary>\n\n"
    for step in steps:
        place = "" if step.at is None else f" ({code_span(clean(step.at))})"
        yield f"  - {code_span(step_line(step))}{place}\n"
    yield "\n  </details>\n\n"
