"""GitLab's Code Quality report.

Source: GitLab's documentation, "Code Quality", under the report format.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from mlapath.base.clean import clean
from mlapath.ci.entries import Entry, entries
from mlapath.findings.gate import GateResult, Severity
from mlapath.scenario.config_file import JsonObject

_SEVERITIES: Mapping[Severity, str] = {
    Severity.ERROR: "major",
    Severity.WARNING: "minor",
    Severity.NOTE: "info",
}


def render_gitlab(result: GateResult) -> str:
    """Give the list of findings as ASCII with a newline at its end, without a byte order mark."""
    issues = [_issue(entry) for entry in entries(result)]
    return json.dumps(issues, indent=1, sort_keys=True, allow_nan=False) + "\n"


def _issue(entry: Entry) -> JsonObject:
    finding = entry.finding
    cause = "" if finding.cause is None else f"; first cause: {clean(finding.cause)}"
    return {
        "check_name": f"{finding.rule.id} {finding.rule.name}",
        "description": entry.headline + cause,
        "fingerprint": entry.fingerprint,
        "location": {"path": clean(entry.place.file), "lines": {"begin": entry.place.line}},
        "severity": _SEVERITIES[finding.severity],
    }
