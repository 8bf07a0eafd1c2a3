"""The formats of a gate's result that CI systems read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mlapath.ci.github import render_annotations
from mlapath.ci.gitlab import render_gitlab
from mlapath.ci.junit import render_junit
from mlapath.ci.sarif import render_sarif
from mlapath.ci.summary import render_summary
from mlapath.findings.gate import GateResult

FORMATS: Mapping[str, Callable[[GateResult], str]] = {
    "github": render_annotations,
    "gitlab": render_gitlab,
    "junit": render_junit,
    "markdown": render_summary,
    "sarif": render_sarif,
}
"""By the name for ``--format`` and ``--output``; each gives whole text, plain and without colour.

The same result gives the same bytes everywhere.
"""
