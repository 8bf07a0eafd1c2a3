"""A hand-written matrix: two trees, two devices, one refusal and one that could not be told."""

from __future__ import annotations

from mlapath.findings.matrix import Kind, Matrix, Row, compared

TARGETS = ("forward_mha", "forward_mqa")
CONFIG = "models/glm-5.json"


def kind(mha: str, backend: str = "FLASHMLA_SPARSE", layers: int = 61) -> Kind:
    return Kind(backend, None, 1, layers, {"forward_mha": mha, "forward_mqa": "always"})


def matrix() -> Matrix:
    rows = (
        Row(0, CONFIG, "h100", "0.25.1", "runs", (kind("never"),)),
        Row(1, CONFIG, "rtx-5090", "0.25.1", "refuses", (), "ValueError: no backend"),
        Row(2, CONFIG, "h100", "0.26.0", "runs", (kind("conditional"), kind("never", "B", 3))),
        Row(3, CONFIG, "rtx-5090", "0.26.0", "error", (), "0.26.0 cannot be read"),
    )
    return compared(Matrix(TARGETS, len(rows), rows))
