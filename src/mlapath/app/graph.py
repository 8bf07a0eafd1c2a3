"""``mlapath graph``: the calls and branches that lead to the targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from mlapath.app.analyze import Reading
from mlapath.app.ask import sources_of
from mlapath.app.attention import numbers_of
from mlapath.app.companions import wish_of
from mlapath.app.describe import scenario_info, tree_info
from mlapath.app.evaluate import Evaluation, Layer, Stop, evaluate, step
from mlapath.app.fit import check_fit
from mlapath.app.grouping import group
from mlapath.app.outcome import open_notes, outcome_of
from mlapath.app.pathgraph import PathGraphBuilder
from mlapath.app.request import TreeRequest
from mlapath.app.targets import check_targets
from mlapath.app.verdicts import judge, scene
from mlapath.base.verdict import Verdict
from mlapath.engine.interp import run_deep
from mlapath.findings.graph import GraphReport, PathGraph
from mlapath.findings.model import Outcome
from mlapath.graph.build import build
from mlapath.scenario.scenario import Scenario
from mlapath.source import Progress, silent


@dataclass(frozen=True)
class GraphRequest:
    """One tree, one scenario; ``whole``: all that a step runs, not only what leads to targets."""

    tree: TreeRequest
    scenario: Scenario
    whole: bool = False


def graph(request: GraphRequest, progress: Progress = silent) -> GraphReport:
    """Evaluate the deployment and draw it.

    Raises:
        MlapathError: the tree cannot be read, or the scenario contradicts it.
    """
    sources = sources_of(request.tree, wish_of(request.scenario), progress)
    progress("evaluate", 0, None)
    report = graph_in(sources.reading, request.scenario, whole=request.whole)
    sources.trim()
    return replace(report, notes=(*sources.notes, *report.notes))


def graph_in(reading: Reading, scenario: Scenario, *, whole: bool = False) -> GraphReport:
    """The graphs on an open tree: one for each kind of MLA layer, or the way to a refusal."""
    check_targets(reading.tree, scenario.targets)
    parsed = reading.flags.parse(scenario.flags)

    def run() -> GraphReport:
        found = evaluate(reading.engine(scenario, parsed.engine), parsed.engine)
        check_fit(found, scenario.batch)
        stops: list[Stop] = []
        graphs = [_refused(found)] if found.stop is not None and found.stop.raised else []
        kinds = group(found.layers) if found.stop is None else ()
        graphs.extend(
            _of_step(found, scenario, layers, stops, whole=whole)
            for layers in kinds if layers[0].mla
        )  # fmt: skip
        outcome, refusal = outcome_of(found, stops)
        return GraphReport(
            tree_info(reading.tree), scenario_info(scenario, parsed.engine, {}), outcome,
            tuple(graphs), refusal if outcome is Outcome.REFUSES else None,
            (*open_notes(found, stops), *reading.tree.notes),
        )  # fmt: skip

    report: GraphReport = run_deep(run)
    return report


def _of_step(
    found: Evaluation, scenario: Scenario, layers: Sequence[Layer], stops: list[Stop], *,
    whole: bool,
) -> PathGraph:  # fmt: skip
    """The graph of a step of equal layers; what ends it early is added to ``stops``."""
    first = layers[0]
    result = step(found, first, scenario.batch)
    seen = scene(found, first, result, numbers_of(found, first, result.builder))
    targets = [judge(seen, target) for target in scenario.targets]
    made = PathGraphBuilder(result.trace, seen.graph, found.engine.program)
    reached = [t.function for t in targets
               if t.function and t.verdict in (Verdict.ALWAYS, Verdict.CONDITIONAL)]  # fmt: skip
    made.calls(None if whole else reached, reached)
    for target in targets:
        if target.verdict in (Verdict.NEVER, Verdict.UNPROVEN):
            made.not_made(target)
    if result.stop is not None:
        stops.append(result.stop)
        if result.stop.raised is not None:
            made.raised(result.stop.raised)
    return made.made(layer.name for layer in layers)


def _refused(found: Evaluation) -> PathGraph:
    assert found.stop is not None
    assert found.stop.raised is not None
    assert found.setup is not None
    made = PathGraphBuilder(found.setup, build(found.setup), found.engine.program)
    made.raised(found.stop.raised)
    return made.made(())


__all__ = ["GraphRequest", "graph", "graph_in"]
