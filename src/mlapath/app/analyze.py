"""``mlapath analyze``: one tree, one scenario, one report."""

from __future__ import annotations

from mlapath.app.request import AnalyzeRequest
from mlapath.base.errors import MlapathError
from mlapath.findings.model import Report
from mlapath.source import Progress, silent


def analyze(request: AnalyzeRequest, progress: Progress = silent) -> Report:
    """Evaluate the tree's own code for the scenario.

    Raises:
        MlapathError: the tree cannot be read, or the scenario contradicts it.
    """
    progress("evaluate", 0, None)
    raise MlapathError(f"not built yet: {request.scenario.config.label}")
