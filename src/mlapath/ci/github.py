"""Annotations of GitHub Actions: workflow commands on standard output, one a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mlapath.base.clean import clean
from mlapath.ci.entries import Entry, entries
from mlapath.findings.gate import GateResult, Severity

MAX_ANNOTATIONS = 10
"""Of each kind that a step may have; GitHub drops the rest without a word.

Source: GitHub's "Problem matchers" page in actions/toolkit, under limitations.
"""
MAX_MESSAGE = 4096
"""UTF-16 units of a message, which the runner cuts (``_maxIssueMessageLength``)."""
MAX_TITLE = 255
"""Characters of a title (REST API, "Create a check run", ``annotations[].title``)."""

_COMMANDS: Mapping[Severity, str] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.NOTE: "notice",
}


def render_annotations(result: GateResult) -> str:
    """Give one command for each finding, the gravest first.

    Of more than GitHub shows the last says how many are missing.
    """
    return "".join(f"{line}\n" for line in _lines(entries(result)))


def escape_data(text: str) -> str:
    """Escape what ends a command's line, so that the runner gives ``text`` back."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Escape also what ends a property or all of them."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")


def _lines(found: tuple[Entry, ...]) -> Iterator[str]:
    for severity, command in _COMMANDS.items():
        group = [entry for entry in found if entry.finding.severity is severity]
        shown = group if len(group) <= MAX_ANNOTATIONS else group[: MAX_ANNOTATIONS - 1]
        for entry in shown:
            yield _annotation(command, entry)
        if len(shown) < len(group):
            rest = f"{len(group) - len(shown)} more of this kind: see the job summary"
            yield f"::{command} title=mlapath::{escape_data(rest)}"


def _annotation(command: str, entry: Entry) -> str:
    rule, place = entry.finding.rule, entry.place
    properties = {
        "file": clean(place.file),
        "line": str(place.line),
        "title": f"{rule.id} {rule.name}"[:MAX_TITLE],
    }
    lines = [entry.headline, *(f"{label}: {text}" for label, text in entry.details)]
    listed = ",".join(f"{name}={escape_property(value)}" for name, value in properties.items())
    message = _cut("\n".join(lines))
    return f"::{command} {listed}::{escape_data(message)}"


def _cut(text: str) -> str:
    units = text.encode("utf-16-le")
    if len(units) <= 2 * MAX_MESSAGE:
        return text
    return units[: 2 * (MAX_MESSAGE - 1)].decode("utf-16-le", "ignore") + "…"
