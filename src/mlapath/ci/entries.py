"""A gate's result as one list, with what every CI format needs: place, identity, wording."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mlapath.base.clean import clean
from mlapath.base.short import shorten
from mlapath.findings.gate import Checked, Finding, GateResult, Rule, Severity
from mlapath.findings.model import EvidenceStep
from mlapath.findings.wording import STEP_WORDS, step_text

NOT_CHECKED = Rule(
    "MLA000",
    "scenario-not-checked",
    "A scenario could not be checked.",
    Severity.ERROR,
    "Its findings are unknown, not gone: fix what the message names, then check again.",
)
"""What stands in, where a format has findings only, for a scenario's error."""

_AT = re.compile(r"(.+):([1-9]\d*)", re.DOTALL)
_LONG = 1000


@dataclass(frozen=True)
class Place:
    """A file and line, counted from 1; ``in_tree``: the file is vLLM's, else the user's own."""

    file: str
    line: int
    in_tree: bool


@dataclass(frozen=True)
class Entry:
    """A finding, or the error of a scenario, ready to be written.

    ``fingerprint``: 64 hex digits from rule, scenario and subject only, so that neither lines nor
    wording nor the tree's version change it; unique within the result. ``headline``: one line.
    ``details``: label and text of what else is known, one line each.
    """

    finding: Finding
    place: Place
    fingerprint: str
    headline: str
    details: tuple[tuple[str, str], ...]


def by_scenario(result: GateResult) -> tuple[tuple[Checked, tuple[Entry, ...]], ...]:
    """Give each scenario with its findings in their order, and last its error if there is one."""
    seen: Counter[tuple[str, str, str]] = Counter()
    found = []
    for checked in result.scenarios:
        own = []
        for finding in _findings(checked):
            identity = (finding.rule.id, finding.scenario, finding.subject)
            own.append(_entry(finding, result.project, _fingerprint(identity, seen[identity])))
            seen[identity] += 1
        found.append((checked, tuple(own)))
    return tuple(found)


def entries(result: GateResult) -> tuple[Entry, ...]:
    """Give those of all scenarios as one list."""
    return tuple(entry for _, own in by_scenario(result) for entry in own)


def place_of(at: str | None, project: str) -> Place:
    """Read ``path:line``; None stands for the first line of the project file."""
    if at is None:
        return Place(project, 1, in_tree=False)
    match = _AT.fullmatch(at)
    return Place(at, 1, True) if match is None else Place(match[1], int(match[2]), True)


def step_line(step: EvidenceStep) -> str:
    """Give a step of the evidence as one line, without its place."""
    return shorten(f"{STEP_WORDS[step.kind]}: {step_text(step)}", _LONG)


def count_severities(found: Iterable[Entry]) -> str:
    """Say ``2 errors, 1 note``, the gravest first; ``no findings`` for none."""
    counts = Counter(entry.finding.severity for entry in found)
    parts = [
        f"{counts[severity]} {severity.value}{'' if counts[severity] == 1 else 's'}"
        for severity in Severity
        if counts[severity]
    ]
    return ", ".join(parts) or "no findings"


def _findings(checked: Checked) -> Iterator[Finding]:
    yield from checked.findings
    if checked.error is not None:
        yield Finding(
            NOT_CHECKED,
            NOT_CHECKED.severity,
            checked.scenario,
            subject=checked.scenario,
            message=f"could not be checked: {checked.error}",
        )


def _entry(finding: Finding, project: str, fingerprint: str) -> Entry:
    return Entry(
        finding,
        place_of(finding.at, project),
        fingerprint,
        shorten(clean(f"{finding.scenario}: {finding.message}"), _LONG),
        tuple(_details(finding)),
    )


def _fingerprint(identity: tuple[str, str, str], repeat: int) -> str:
    """Hash as JSON, which keeps the parts apart; the first of equals has no number."""
    parts = [*identity, str(repeat)] if repeat else [*identity]
    return hashlib.sha256(json.dumps(parts).encode("ascii")).hexdigest()


def _details(finding: Finding) -> Iterator[tuple[str, str]]:
    for label, text in (
        ("subject", None if finding.subject == finding.scenario else finding.subject),
        ("before", finding.before),
        ("after", finding.after),
        ("first cause", finding.cause),
    ):
        if text is not None:
            yield label, shorten(clean(text), _LONG)
