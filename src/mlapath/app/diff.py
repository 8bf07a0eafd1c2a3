"""``mlapath diff``: scenarios on two trees or on every release between two, or two on one tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from mlapath.app.blame import blamed
from mlapath.app.gate import Context
from mlapath.app.parallel import Told, ask_all
from mlapath.app.request import AnalyzeRequest, TreeRequest
from mlapath.app.texts import homes_of
from mlapath.ci.causes import root_causes
from mlapath.ci.compare import Sides, compare
from mlapath.ci.side_by_side import chain_diffs
from mlapath.ci.snapshot import Snapshot
from mlapath.ci.take import take
from mlapath.findings.diff import Diff, ScenarioDiff, TreeDiff
from mlapath.findings.gate import Finding
from mlapath.findings.model import Report
from mlapath.scenario.scenario import Scenario
from mlapath.source import Progress, silent


def diff(
    trees: Sequence[str],
    scenarios: Sequence[tuple[str, Scenario]],
    base: TreeRequest,
    *,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Diff:
    """Compare each tree with the one before it that has an answer, scenario by scenario.

    trees: two or more, as ``--vllm`` takes them. scenarios: with the names to give them.

    Raises:
        TreeError: a tree cannot be found, fetched or read.
    """
    requests = [replace(base, vllm=tree) for tree in trees]
    asked = [AnalyzeRequest(r, scenario) for r in requests for _, scenario in scenarios]
    contexts = [Context(request, progress) for request in requests]
    told = ask_all(asked, jobs, progress)
    width = len(scenarios)
    last: list[tuple[Context, Told] | None] = [None] * width
    missing: list[str | None] = [None] * width
    steps: list[TreeDiff] = []
    for number, context in enumerate(contexts):
        row = told[number * width : (number + 1) * width]
        if number:
            compared = tuple(
                _scenario(name, last[at], (context, row[at]), missing[at], scenario)
                for at, (name, scenario) in enumerate(scenarios)
            )
            steps.append(TreeDiff(contexts[number - 1].label, context.label, compared))
        for at, found in enumerate(row):
            if found.answer is not None:
                last[at] = (context, found)
            else:
                missing[at] = f"vLLM {context.label}: {found.error}"
    return Diff(tuple(steps), walked=len(trees) > 2)


def diff_scenarios(
    pairs: Sequence[tuple[tuple[str, Scenario], tuple[str, Scenario]]],
    tree: TreeRequest,
    *,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Diff:
    """Compare scenarios with others on one tree; each with the name to give it.

    Raises:
        TreeError: the tree cannot be found, fetched or read.
    """
    context = Context(tree, progress)
    every = [named for pair in pairs for named in pair]
    told = ask_all([AnalyzeRequest(tree, scenario) for _, scenario in every], jobs, progress)
    compared = []
    for at, ((first, one), (second, other)) in enumerate(pairs):
        before, after = told[2 * at : 2 * at + 2]
        if before.answer is None or after.answer is None:
            found = ScenarioDiff(second, error=_errors((first, before), (second, after)))
        else:
            old = Side(context, before.answer.report, one)
            new = Side(context, after.answer.report, other)
            sides = sides_of(second, old, new)
            found = _compared(second, sides, compare(sides), old, new)
        compared.append(replace(found, against=first))
    return Diff((TreeDiff(context.label, context.label, tuple(compared)),))


def _errors(*told: tuple[str, Told]) -> str:
    said = [f"{name}: {found.error}" for name, found in told if found.answer is None]
    return "; ".join(dict.fromkeys(said))


def _scenario(
    name: str,
    before: tuple[Context, Told] | None,
    after: tuple[Context, Told],
    missing: str | None,
    scenario: Scenario,
) -> ScenarioDiff:
    context, told = after
    if told.answer is None:
        return ScenarioDiff(name, error=f"vLLM {context.label}: {told.error}")
    if before is None or before[1].answer is None:
        return ScenarioDiff(name, error=missing or "there is no earlier answer to compare with")
    old = Side(before[0], before[1].answer.report, scenario)
    return compare_reports(name, old, Side(context, told.answer.report, scenario))


@dataclass(frozen=True)
class Side:
    """A report with the tree and the scenario that it is of."""

    tree: Context
    report: Report
    scenario: Scenario

    @cached_property
    def snapshot(self) -> Snapshot:
        """What counts of it."""
        return take(self.report, self.tree.symbols.locate)

    @property
    def request(self) -> AnalyzeRequest:
        """What it answers."""
        return AnalyzeRequest(self.tree.request, self.scenario)


def compare_reports(name: str, old: Side, new: Side) -> ScenarioDiff:
    """What differs between two reports."""
    sides = sides_of(name, old, new)

    def again(report: Report) -> tuple[Finding, ...]:
        return compare(sides_of(name, old, replace(new, report=report)))

    findings = blamed(compare(sides), old.snapshot, new.report, new.request, again)
    return _compared(name, sides, findings, old, new)


def _compared(
    name: str, sides: Sides, findings: tuple[Finding, ...], old: Side, new: Side
) -> ScenarioDiff:
    chains = chain_diffs(sides, old.report, new.report)
    return ScenarioDiff(name, findings, root_causes(findings), chains)


def sides_of(name: str, old: Side, new: Side) -> Sides:
    """Both reports as what is compared."""
    reports = (old.report, new.report)
    trees = (old.tree.symbols, new.tree.symbols)
    homes = homes_of(zip(reports, trees, strict=True), trees)
    return Sides(
        name, old.snapshot, new.snapshot, new.report,
        old_has=replace(old.tree.has(new.snapshot, *reports), homes=homes),
        new_has=replace(new.tree.has(old.snapshot, *reports), homes=homes),
    )  # fmt: skip
