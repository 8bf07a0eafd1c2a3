"""The pipeline stages of a deployment: each is evaluated as the process it is, and they join.

Every stage has a report of its own. The deployment has the layers of all of them; one stage that
vLLM refuses is enough to refuse it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from mlapath.app.verdicts import refused
from mlapath.base.verdict import Verdict
from mlapath.findings.model import AttentionGroup, Outcome, Refusal, Report, Unread

T = TypeVar("T")


def joined(reports: Sequence[Report]) -> Report:
    """The report of the deployment, from those of its pipeline stages in their order."""
    first = reports[0]
    if len(reports) == 1:
        return first
    refusing = next((r for r in reports if r.outcome is Outcome.REFUSES), None)
    unproven = any(r.outcome is Outcome.UNPROVEN for r in reports)
    groups = _groups(reports)
    if refusing is not None and refusing.refusal is not None:
        groups = tuple(_never(group, refusing.refusal) for group in groups)
    return replace(
        first,
        scenario=replace(
            first.scenario, env={k: v for r in reports for k, v in r.scenario.env.items()}
        ),
        outcome=(
            Outcome.REFUSES if refusing else Outcome.UNPROVEN if unproven else Outcome.RUNS
        ),
        refusal=refusing.refusal if refusing else None,
        attention=groups,
        assumptions=_once((a for r in reports for a in r.assumptions), lambda a: a.id),
        unread_env=_in_all([r.unread_env for r in reports]),
        unread_flags=_in_all([r.unread_flags for r in reports]),
        unread_override_keys=_in_all([r.unread_override_keys for r in reports]),
        unresolved=tuple(sorted(
            _once((u for r in reports for u in r.unresolved), lambda u: u.at),
            key=lambda u: _place(u.at),
        )),
        conditional_refusals=_once(
            (c for r in reports for c in r.conditional_refusals), lambda c: c.at
        ),
        notes=tuple(dict.fromkeys(note for r in reports for note in r.notes)),
        frontier=tuple(dict.fromkeys(item for r in reports for item in r.frontier)),
    )  # fmt: skip


def _groups(reports: Sequence[Report]) -> tuple[AttentionGroup, ...]:
    """The groups of all stages; where only layers and evidence differ, one with the first's."""
    found: list[AttentionGroup] = []
    for rank, report in enumerate(reports):
        for group in report.attention:
            same = next((i for i, other in enumerate(found) if _alike(group, other)), None)
            if same is None:
                found.append(replace(group, pipeline_ranks=(rank,)))
                continue
            other = found[same]
            ranks = tuple(dict.fromkeys((*other.pipeline_ranks, rank)))
            found[same] = replace(other, layers=(*other.layers, *group.layers),
                                  pipeline_ranks=ranks)  # fmt: skip
    return tuple(found)


def _alike(a: AttentionGroup, b: AttentionGroup) -> bool:
    return _conclusions(a) == _conclusions(b)


def _conclusions(group: AttentionGroup) -> AttentionGroup:
    targets = tuple(replace(target, evidence=()) for target in group.targets)
    return replace(group, layers=(), pipeline_ranks=(), targets=targets, threshold_evidence=(),
                   prefill_evidence=())  # fmt: skip


def _never(group: AttentionGroup, refusal: Refusal) -> AttentionGroup:
    """In a deployment that is refused, no target ever runs."""
    targets = tuple(
        t if t.verdict is Verdict.NEVER else refused(t.target, refusal.stage)
        for t in group.targets
    )  # fmt: skip
    return replace(group, targets=targets)


def _in_all(stages: Sequence[tuple[Unread, ...]]) -> tuple[Unread, ...]:
    """What no stage reads."""
    first, *others = stages
    return tuple(u for u in first if all(u.name in {o.name for o in other} for other in others))


def _once(items: Iterable[T], key: Callable[[T], object]) -> tuple[T, ...]:
    found: dict[object, T] = {}
    for item in items:
        found.setdefault(key(item), item)
    return tuple(found.values())


def _place(at: str) -> tuple[str, int]:
    path, _, line = at.rpartition(":")
    return path, int(line)


__all__ = ["joined"]
