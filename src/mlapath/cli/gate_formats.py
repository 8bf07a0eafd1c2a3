"""The formats of ``mlapath check``: name to renderer, so that a new one is a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from mlapath.findings.gate import GateResult

Renderer: TypeAlias = Callable[[GateResult], str]


def _json(result: GateResult) -> str:
    from mlapath.report.json_report import render_gate

    return render_gate(result)


RENDERERS: Mapping[str, Renderer] = {"json": _json}
"""Formats that are the same on a terminal and in a file; ``text`` is not one of them."""
FORMATS = ("text", *RENDERERS)
