"""The chains of two reports side by side, with their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mlapath.ci.chains import Row, Weight, align, first_cause
from mlapath.ci.compare import Sides
from mlapath.ci.compare_groups import pair_groups
from mlapath.findings.diff import ChainDiff, ChainRow, Mark
from mlapath.findings.model import EvidenceStep, Report, TargetVerdict


class _Chains(NamedTuple):
    """Both chains of one subject, aligned, with the steps that they were made of."""

    subject: str
    before: str
    after: str
    rows: tuple[Row, ...]
    old: Sequence[EvidenceStep]
    new: Sequence[EvidenceStep]


def chain_diffs(sides: Sides, before: Report, after: Report) -> tuple[ChainDiff, ...]:
    """The chains that differ: of every target of matched groups, and of the refusal."""
    return tuple(
        _diff(chains, cause)
        for chains in _chains(sides, before, after)
        for cause in [first_cause(chains.rows)]
        if cause is not None
    )


def _chains(sides: Sides, before: Report, after: Report) -> Iterator[_Chains]:
    old, new = sides.old, sides.new
    if before.refusal is not None and after.refusal is not None:
        assert old.refusal is not None
        assert new.refusal is not None
        rows = align(old.refusal.chain, new.refusal.chain, sides.old_has, sides.new_has)
        yield _Chains(
            "refusal", before.refusal.exception, after.refusal.exception, rows,
            before.refusal.evidence, after.refusal.evidence,
        )  # fmt: skip
    for pair in pair_groups(old.groups, new.groups).pairs:
        at = next(i for i, group in enumerate(old.groups) if group is pair.old)
        first = {target.target: target for target in before.attention[at].targets}
        for target in after.attention[pair.index].targets:
            if target.target not in first:
                continue
            other = first[target.target]
            yield _Chains(
                f"{target.target} ({pair.subject})", other.verdict.value, target.verdict.value,
                sides.rows(pair, target.target), _evidence(other, before),
                _evidence(target, after),
            )  # fmt: skip


def _evidence(target: TargetVerdict, report: Report) -> Sequence[EvidenceStep]:
    """The target's own, or where vLLM refuses and there is none, why it does."""
    if target.evidence or report.refusal is None:
        return target.evidence
    return report.refusal.evidence


def _diff(chains: _Chains, cause: Row) -> ChainDiff:
    return ChainDiff(
        chains.subject,
        chains.before,
        chains.after,
        tuple(
            ChainRow(
                _mark(row),
                None if row.old is None else chains.old[row.old],
                None if row.new is None else chains.new[row.new],
                first=row is cause,
            )
            for row in chains.rows
        ),
    )


def _mark(row: Row) -> Mark:
    if row.before is None:
        return Mark.NEW
    if row.after is None:
        return Mark.GONE
    marks = {Weight.SAME: Mark.SAME, Weight.REWORDED: Mark.REWORDED}
    return marks.get(row.weight, Mark.CHANGED)
