"""The formats of ``mlapath check``; those of CI systems are in ``ci.formats``."""

from __future__ import annotations

from mlapath.findings.gate import GateResult

FORMATS = ("text", "json", "github", "gitlab", "junit", "markdown", "sarif")
"""Their names, written out so that no renderer is loaded before it is needed."""


def render(result: GateResult, name: str) -> str:
    """The result in any format but ``text``: the same on a terminal and in a file."""
    if name == "json":
        from mlapath.report.json_report import render_gate

        return render_gate(result)
    from mlapath.ci.formats import FORMATS as CI_FORMATS

    return CI_FORMATS[name](result)
