"""``mlapath diff``: the same scenarios on two trees, or on every release between two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mlapath.app.gate import Context
from mlapath.app.parallel import Told, ask_all
from mlapath.app.request import AnalyzeRequest, TreeRequest
from mlapath.ci.causes import root_causes
from mlapath.ci.compare import Sides, compare
from mlapath.ci.side_by_side import chain_diffs
from mlapath.ci.take import take
from mlapath.findings.diff import Diff, ScenarioDiff, TreeDiff
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
                _scenario(name, last[at], (context, row[at]), missing[at])
                for at, (name, _) in enumerate(scenarios)
            )
            steps.append(TreeDiff(contexts[number - 1].label, context.label, compared))
        for at, found in enumerate(row):
            if found.answer is not None:
                last[at] = (context, found)
            else:
                missing[at] = f"vLLM {context.label}: {found.error}"
    return Diff(tuple(steps), walked=len(trees) > 2)


def _scenario(
    name: str,
    before: tuple[Context, Told] | None,
    after: tuple[Context, Told],
    missing: str | None,
) -> ScenarioDiff:
    context, told = after
    if told.answer is None:
        return ScenarioDiff(name, error=f"vLLM {context.label}: {told.error}")
    if before is None or before[1].answer is None:
        return ScenarioDiff(name, error=missing or "there is no earlier answer to compare with")
    return compare_reports(name, before[0], before[1].answer.report, context, told.answer.report)


def compare_reports(
    name: str, old_tree: Context, before: Report, new_tree: Context, after: Report
) -> ScenarioDiff:
    """What differs between two reports of one scenario, with the trees that they are of."""
    old, new = take(before, old_tree.symbols.locate), take(after, new_tree.symbols.locate)
    sides = Sides(
        name, old, new, after,
        old_has=old_tree.has(new, before, after), new_has=new_tree.has(old, before, after),
    )  # fmt: skip
    findings = compare(sides)
    return ScenarioDiff(
        name, findings, root_causes(findings),
        chain_diffs(sides, before, after),
    )  # fmt: skip
