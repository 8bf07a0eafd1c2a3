"""``mlapath fires``: will the Python of these places run, and when."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mlapath.app.absence import Absence
from mlapath.app.advice import instead_of, notes_for, print_effect
from mlapath.app.analyze import Reading
from mlapath.app.ask import sources_of
from mlapath.app.attention import numbers_of
from mlapath.app.companions import wish_of
from mlapath.app.describe import scenario_info, tree_info
from mlapath.app.evaluate import evaluate
from mlapath.app.execution import Execution, execute
from mlapath.app.firing import STRENGTH, Firing
from mlapath.app.fit import check_fit
from mlapath.app.outcome import open_notes, outcome_of
from mlapath.app.plugins import plugin_notes
from mlapath.app.request import TreeRequest
from mlapath.base.verdict import Verdict
from mlapath.engine.interp import run_deep
from mlapath.findings.fires import (
    Effect,
    FiresReport,
    LocationFiring,
    PhaseFiring,
    PrintEffect,
    StepInfo,
)
from mlapath.findings.model import EvidenceStep, Outcome
from mlapath.resolve.locate import Location, locate, module_name
from mlapath.scenario.scenario import Scenario
from mlapath.source import Progress, SourceTree, silent


@dataclass(frozen=True)
class FiresRequest:
    """One tree, one scenario, and the places: ``FILE:LINE``, ``FILE:A-B`` or functions."""

    tree: TreeRequest
    scenario: Scenario
    places: tuple[str, ...]


def fires(request: FiresRequest, progress: Progress = silent) -> FiresReport:
    """Evaluate the deployment and answer for each place.

    Raises:
        MlapathError: the tree cannot be read, the scenario contradicts it, or no such place.
    """
    sources = sources_of(request.tree, wish_of(request.scenario), progress)
    progress("evaluate", 0, None)
    report = fires_in(sources.reading, request.scenario, request.places)
    sources.trim()
    return replace(report, notes=(*sources.notes, *report.notes))


def fires_in(reading: Reading, scenario: Scenario, places: Sequence[str]) -> FiresReport:
    """The answers on an open tree."""

    def answer(execution: Execution, firing: Firing) -> tuple[LocationFiring, ...]:
        program = execution.found.engine.program
        found = [place for asked in places for place in locate(program, asked)]
        return tuple(answer_for(firing, place) for place in found)

    return with_execution(reading, scenario, places, answer)


def with_execution(
    reading: Reading, scenario: Scenario, places: Sequence[str],
    answer: Callable[[Execution, Firing], tuple[LocationFiring, ...]],
) -> FiresReport:  # fmt: skip
    """Evaluate every phase of the scenario, and ask."""
    tree = reading.tree
    for asked in places:
        locate(reading.program, asked)  # a mistyped one is an error before the work is done
    parsed = reading.flags.parse(scenario.flags)

    def run() -> FiresReport:
        found = evaluate(reading.engine(scenario, parsed.engine), parsed.engine, 0)
        check_fit(found, scenario.batch)
        execution = execute(found, () if scenario.batch is None else (scenario.batch,))
        firing = firing_of(execution)
        stops = [stop for stop in execution.stops() if stop is not found.stop]
        outcome, refusal = outcome_of(found, stops)
        return FiresReport(
            tree=tree_info(tree, reading.companion),
            scenario=scenario_info(scenario, parsed.engine, {}),
            outcome=outcome,
            refusal=refusal if outcome is Outcome.REFUSES else None,
            locations=answer(execution, firing),
            notes=(*open_notes(found, stops), *tree.notes, *plugin_notes(tree), *_shadows(tree)),
            step=step_info(execution),
        )

    report: FiresReport = run_deep(run)
    return report


def firing_of(execution: Execution, whole: Absence | None = None) -> Firing:
    """What answers for the lines of an execution; of given steps, for the first.

    whole: what an execution of the same deployment leaves out, to be shared.
    """
    numbers = [numbers_of(execution.found, k.layers[0], k.builder) for k in execution.kinds]
    whole = whole or Absence(execution)
    own = Absence(execution.of_given_steps, whole) if execution.given else None
    return Firing(execution, whole, numbers, own)


def step_info(execution: Execution) -> StepInfo | None:
    """What is known of the given step before it runs."""
    if not execution.given:
        return None
    step = execution.given[0]
    (graph,) = step.graphs if step.graphs is not None and len(step.graphs) == 1 else (None,)
    return StepInfo(step.batch.spec, step.kind, step.tokens, graph, step.padded)


def _shadows(tree: SourceTree) -> tuple[str, ...]:
    return tuple(
        f"another vllm at {path} could be imported by this interpreter: {tree.root} comes first"
        for path in tree.shadows
    )


def answer_for(firing: Firing, place: Location) -> LocationFiring:
    """The answer for one place."""
    spot, path = place.spot, place.path
    line = spot.statement
    function = firing.absence.function(path, spot.function_line) if spot.function else None
    full = f"{module_name(path)}.{spot.function}" if spot.function else None
    at = f"{path}:{spot.line}"
    if line is None:
        why = f"a {spot.kind.value} line: there is nothing for Python to run"
        return LocationFiring(place.asked, at, full, spot.kind.value, Verdict.NEVER, (),
                              PrintEffect(Effect.SILENT, why), why, notes=place.notes)  # fmt: skip
    if spot.kernel:
        why = "a Triton kernel: Triton compiles its source, Python never runs it"
        return LocationFiring(
            place.asked, at, full, "kernel", Verdict.NEVER, (),
            PrintEffect(Effect.UNPROVEN, f"{why}; tl.device_print prints from a kernel"), why,
            notes=place.notes,
        )  # fmt: skip
    phases = tuple(firing.phases(path, line, function))
    verdict = max((p.fires for p in phases), key=lambda v: STRENGTH[v])
    evidence: tuple[EvidenceStep, ...] = ()
    if verdict is Verdict.NEVER:
        barriers = firing.absence.barriers(path, function, line)
        if barriers:
            evidence = firing.absence.evidence(barriers[0].guard, at)
    blockers = firing.blockers(path, function, line) if verdict is Verdict.UNPROVEN else ()
    answer = LocationFiring(
        place.asked, at, full, spot.kind.value, verdict, phases,
        print_effect(firing, path, line, verdict, phases), _because(verdict, phases), evidence,
        (), place.notes, blockers,
    )  # fmt: skip
    if function is None:
        return answer
    return replace(
        answer, instead=instead_of(firing, path, function, answer),
        notes=(*place.notes, *notes_for(firing, path, line, function, answer)),
    )  # fmt: skip


def _because(verdict: Verdict, phases: Sequence[PhaseFiring]) -> str:
    """The reason of the phase that decides, the last one of a step where several do."""
    deciding = [p for p in phases if p.fires is verdict]
    return deciding[-1].because if deciding else ""


__all__ = [
    "FiresRequest", "answer_for", "fires", "fires_in", "firing_of", "with_execution",
]  # fmt: skip
