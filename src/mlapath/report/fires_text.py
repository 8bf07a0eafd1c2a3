"""The answers of ``fires`` on a terminal or in a pipe, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from mlapath.findings.encode_fires import encode_fires_reports
from mlapath.findings.fires import FiresReport
from mlapath.report.fires_document import fires_blocks
from mlapath.report.json_report import dump
from mlapath.report.text import print_blocks


def render_fires_text(
    reports: Sequence[FiresReport], console: Console, verbosity: int = 0
) -> None:
    """Print each report in full."""
    for at, report in enumerate(reports):
        if at:
            console.line()
        print_blocks(fires_blocks(report, verbosity), console)


def render_fires_json(reports: Sequence[FiresReport]) -> str:
    """Give ``mlapath.fires/1``."""
    return dump(encode_fires_reports(reports))


__all__ = ["render_fires_json", "render_fires_text"]
