"""A file's source with a verdict for each of its lines."""

from __future__ import annotations

from dataclasses import dataclass

from mlapath.base.verdict import Verdict
from mlapath.findings.model import Outcome, ScenarioInfo, TreeInfo


@dataclass(frozen=True)
class AnnotatedLine:
    """A line of source.

    verdict: whether its Python runs in any phase; None where there is nothing to run. phases: in
    which it may, in short, as ``profile capture prefill``; ``compiled`` of lines that run only as
    what torch.compile made of them. guard: of a branch, its outcome and
    what that rests on, such as ``True (index_topk=2048)``.
    """

    number: int
    text: str
    verdict: Verdict | None
    phases: tuple[str, ...] = ()
    guard: str | None = None


@dataclass(frozen=True)
class AnnotatedFile:
    """One file of one deployment."""

    path: str
    tree: TreeInfo
    scenario: ScenarioInfo
    outcome: Outcome
    lines: tuple[AnnotatedLine, ...]
    notes: tuple[str, ...] = ()


__all__ = ["AnnotatedFile", "AnnotatedLine"]
