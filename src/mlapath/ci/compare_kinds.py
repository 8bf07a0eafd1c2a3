"""Layers that were MLA and are not, or the other way: all that differs follows from that."""

from __future__ import annotations

from collections.abc import Container, Iterator

from mlapath.ci import rules
from mlapath.ci.make import shown
from mlapath.ci.snapshot import GroupSnapshot
from mlapath.findings.gate import Finding, Rule

NEVER = "never"
"""What a target of layers does that are not MLA."""


def kind_findings(
    scenario: str, subject: str, old: GroupSnapshot, new: GroupSnapshot,
    said: Container[tuple[str, object, object]],
) -> Iterator[Finding]:  # fmt: skip
    """What a deployment notices of it.

    ``said``: settings (name, before, after) that differ; ``use_mla`` among them is the cause.
    """
    lost = old.mla
    cause = "the layers are not MLA any more" if lost else "the layers are MLA now"
    if ("use_mla", lost, not lost) in said:
        cause = f"use_mla: {shown(lost)} -> {shown(not lost)}"

    def finding(rule: Rule, about: str, message: str, before: str, after: str) -> Finding:
        return Finding(rule, rule.severity, scenario, about, message, None, before, after, cause)

    words = ("MLA", "not MLA") if lost else ("not MLA", "MLA")
    yield finding(rules.LAYERS, subject, "layers are of another kind", *words)
    for name, target in (old if lost else new).targets.items():
        was, now = (target.verdict, NEVER) if lost else (NEVER, target.verdict)
        if was != now:
            message = f"{name}: {was} -> {now}"
            yield finding(rules.VERDICT, f"{name} ({subject})", message, was, now)
    for rule, about, a, b in (
        (rules.BACKEND, "backend", old.backend, new.backend),
        (rules.CLASS, "layer class", old.classes.get("layer_class"),
         new.classes.get("layer_class")),
    ):  # fmt: skip
        if a != b:
            at = subject if rule is rules.BACKEND else f"{about} ({subject})"
            yield finding(rule, at, f"{about}: {shown(a)} -> {shown(b)}", shown(a), shown(b))
