"""Which cause is named for which finding: what follows from an edit names the edit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mlapath.ci import rules
from mlapath.ci.chains import Row, Weight, is_edit, sentence
from mlapath.findings.gate import Finding, Rule, Severity

Explained = tuple[Finding, "Row | None"]
"""A finding with the row that explains it, where it has one; else its cause stands."""

_RANKS: Sequence[frozenset[Rule]] = (
    frozenset({rules.OUTCOME, rules.REFUSAL, rules.VERDICT, rules.CONDITION, rules.UNPROVEN}),
    frozenset({rules.BACKEND, rules.PREFILL}),
)
"""Findings whose causes speak for all, the weightiest first."""


def settle(found: Sequence[Explained]) -> list[Finding]:
    """Give each finding that has a row its cause.

    A row that is no edit of the code follows from something: from the first edit among the
    others, or else from the new refusal, or else from the choice of another backend.
    """
    edits = [row for _, row in found if row is not None and is_edit(row)]
    edits.sort(key=lambda row: row.before is None or row.after is None)  # replacements say most
    stated = {finding.rule: finding.cause for finding, row in found if row is None}
    common = sentence(edits[0]) if edits else stated.get(rules.OUTCOME, stated.get(rules.BACKEND))
    result = []
    for finding, row in found:
        if row is None:
            result.append(finding)
        elif is_edit(row):
            same = next(edit for edit in edits if _same(edit, row))
            result.append(replace(finding, cause=sentence(same)))
        elif common is not None and row.weight is Weight.DIFFERENT:
            result.append(replace(finding, cause=common))
        else:
            result.append(replace(finding, cause=sentence(row)))
    return result


def root_causes(findings: Iterable[Finding]) -> tuple[str, ...]:
    """What settled findings come from, each said once: the weightiest findings' causes only.

    None where what is graver than a note says all there is to say, such as that a function moved.
    """
    every = list(findings)
    said = [finding for finding in every if finding.cause is not None]
    for rank in _RANKS:
        causes = [str(f.cause) for f in said if f.rule in rank]
        if causes:
            return tuple(dict.fromkeys(causes))
    grave = [f for f in said if f.severity is not Severity.NOTE]
    if not grave and any(f.severity is not Severity.NOTE for f in every):
        return ()
    return tuple(dict.fromkeys(str(f.cause) for f in grave or said))


def _same(one: Row, other: Row) -> bool:
    """Whether two rows show the same edit, in chains of which one may lack a side."""
    return one == other or any(
        a is not None and a == b for a, b in ((one.before, other.before), (one.after, other.after))
    )
