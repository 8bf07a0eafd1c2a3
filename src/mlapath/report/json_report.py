"""JSON, byte for byte the same for the same findings."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from mlapath.findings.diff import Diff, encode_diff
from mlapath.findings.encode import encode_reports, encode_tree
from mlapath.findings.encode_gate import encode_gate
from mlapath.findings.gate import GateResult
from mlapath.findings.matrix import Matrix, encode_matrix
from mlapath.findings.model import Report
from mlapath.findings.tree_model import TreeReport
from mlapath.scenario.config_file import JsonObject, JsonValue


def render_reports(reports: Sequence[Report]) -> str:
    """Give ``mlapath.report/1`` for one report, ``mlapath.reports/1`` otherwise."""
    return dump(encode_reports(reports))


def render_tree(tree: TreeReport) -> str:
    """Give ``mlapath.tree/1``."""
    return dump(encode_tree(tree))


def render_matrix(matrix: Matrix) -> str:
    """Give ``mlapath.matrix/1``."""
    return dump(encode_matrix(matrix))


def render_gate(result: GateResult) -> str:
    """Give ``mlapath.check/1``."""
    return dump(encode_gate(result))


def render_diff(diff: Diff) -> str:
    """Give ``mlapath.diff/1``."""
    return dump(encode_diff(diff))


def dump(value: JsonObject) -> str:
    """ASCII, so that every pipe and console can carry it; ends with a newline."""
    return json.dumps(_finite(value), indent=1, allow_nan=False) + "\n"


def _finite(value: JsonValue) -> JsonValue:
    """Write infinities and NaN, which JSON lacks, as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return value
