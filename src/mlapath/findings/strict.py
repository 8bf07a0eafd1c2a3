"""``--strict``: what counts as proof when nothing may be taken for granted."""

from __future__ import annotations

from dataclasses import replace

from mlapath.base.verdict import Verdict
from mlapath.findings.model import Outcome, Report, TargetVerdict


def apply_strict(report: Report) -> Report:
    """Turn each ``never`` that rests on an unconfirmed assumption into ``unproven``."""
    open_ids = {item.id for item in report.assumptions if not item.confirmed}
    attention = tuple(
        replace(group, targets=tuple(_strict(target, open_ids) for target in group.targets))
        for group in report.attention
    )
    return replace(report, attention=attention)


def is_complete(report: Report) -> bool:
    """Tell whether the outcome and every target's verdict were settled."""
    verdicts = {target.verdict for group in report.attention for target in group.targets}
    return report.outcome is not Outcome.UNPROVEN and Verdict.UNPROVEN not in verdicts


def _strict(target: TargetVerdict, open_ids: set[str]) -> TargetVerdict:
    leaning = [name for name in target.assumptions if name in open_ids]
    if target.verdict is not Verdict.NEVER or not leaning:
        return target
    blocker = f"never only under unconfirmed assumptions: {', '.join(leaning)}"
    return replace(target, verdict=Verdict.UNPROVEN, blockers=(*target.blockers, blocker))
