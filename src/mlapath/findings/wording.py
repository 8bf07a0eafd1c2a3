"""How a step of the evidence reads, in every output for people."""

from __future__ import annotations

from collections.abc import Mapping

from mlapath.base.clean import clean
from mlapath.findings.model import EvidenceKind, EvidenceStep

STEP_WORDS: Mapping[EvidenceKind, str] = {
    EvidenceKind.CONFIG: "config",
    EvidenceKind.FLAG: "flag",
    EvidenceKind.ENV: "env",
    EvidenceKind.DEVICE: "device",
    EvidenceKind.PACKAGE: "package",
    EvidenceKind.DEFAULT: "default",
    EvidenceKind.ASSIGN: "set",
    EvidenceKind.CALL: "call",
    EvidenceKind.RETURN: "return",
    EvidenceKind.GUARD: "branch",
    EvidenceKind.RAISE: "raise",
    EvidenceKind.NO_CALL: "not called",
}


def step_text(step: EvidenceStep) -> str:
    """Give a step's text with its value, unless the text says it already."""
    text = clean(step.text)
    value = None if step.value is None else clean(step.value)
    if value is None or text.endswith(f"= {value}"):
        return text
    return f"{text} → {value}"
