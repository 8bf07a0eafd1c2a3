"""``mlapath annotate``: the verdict of every line of a file."""

from __future__ import annotations

from dataclasses import dataclass

from mlapath.app.ask import sources_of
from mlapath.app.companions import wish_of
from mlapath.app.execution import Execution
from mlapath.app.fires import with_execution
from mlapath.app.firing import STRENGTH, Firing
from mlapath.app.request import TreeRequest
from mlapath.base.verdict import Verdict
from mlapath.engine.regions import TRACED
from mlapath.engine.trace import GuardSeen
from mlapath.findings.annotated import AnnotatedFile, AnnotatedLine
from mlapath.findings.evidence import render, source_label
from mlapath.findings.fires import LocationFiring, PhaseFiring
from mlapath.query.chain import chain
from mlapath.resolve.locate import find_file
from mlapath.resolve.outline import Function, functions, spot
from mlapath.scenario.scenario import Scenario
from mlapath.source import Progress, silent
from mlapath.values.truth import Truth

COMPILED = "compiled"
"""What is said of lines that run only as what torch.compile made of them."""


@dataclass(frozen=True)
class AnnotateRequest:
    """One tree, one scenario, and a file of the tree."""

    tree: TreeRequest
    scenario: Scenario
    file: str


def annotate(request: AnnotateRequest, progress: Progress = silent) -> AnnotatedFile:
    """Evaluate the deployment and answer for every line of the file.

    Raises:
        MlapathError: the tree cannot be read, the scenario contradicts it, or no such file.
    """
    sources = sources_of(request.tree, wish_of(request.scenario), progress)
    progress("evaluate", 0, None)
    found: list[tuple[str, tuple[AnnotatedLine, ...], tuple[str, ...]]] = []

    def answer(execution: Execution, firing: Firing) -> tuple[LocationFiring, ...]:
        path, notes = find_file(execution.found.engine.program, request.file)
        found.append((path, annotated_lines(execution, firing, path), notes))
        return ()

    report = with_execution(sources.reading, request.scenario, (), answer)
    sources.trim()
    ((path, lines, notes),) = found
    return AnnotatedFile(
        path,
        report.tree,
        report.scenario,
        report.outcome,
        lines,
        (*notes, *sources.notes, *report.notes),
    )


def annotated_lines(execution: Execution, firing: Firing, path: str) -> tuple[AnnotatedLine, ...]:
    """Every line of a file, in order; a statement of several lines is answered once."""
    program = execution.found.engine.program
    module, source = program.load(path), program.lines(path)
    by_line = {f.line: f for f in functions(module)}
    guards = _guards(execution, path)
    answers: dict[tuple[int, int], tuple[Verdict, tuple[str, ...]]] = {}
    result: list[AnnotatedLine] = []
    for number, text in enumerate(source, 1):
        here = spot(module, source, number)
        if here.statement is None or here.kernel:
            verdict = Verdict.NEVER if here.kernel and here.statement is not None else None
            result.append(AnnotatedLine(number, text, verdict))
            continue
        key = (here.statement, here.function_line)
        if key not in answers:
            answers[key] = _answer(firing, path, here.statement, by_line.get(here.function_line))
        verdict, phases = answers[key]
        guard = guards.get(number) if number == here.statement else None
        result.append(AnnotatedLine(number, text, verdict, phases, guard))
    return tuple(result)


def _answer(
    firing: Firing, path: str, line: int, function: Function | None
) -> tuple[Verdict, tuple[str, ...]]:  # fmt: skip
    phases = firing.phases(path, line, function)
    verdict = max((p.fires for p in phases), key=lambda v: STRENGTH[v])
    shown = [_short(p) for p in phases if p.fires in (Verdict.ALWAYS, Verdict.CONDITIONAL)]
    if not shown and TRACED in firing.regions(path, line):
        shown = [COMPILED]
    return verdict, tuple(dict.fromkeys(shown))


def _short(phase: PhaseFiring) -> str:
    name = phase.batch.value if phase.batch is not None else phase.phase.value
    return name if phase.fires is Verdict.ALWAYS else f"{name}?"


def _guards(execution: Execution, path: str) -> dict[int, str]:
    """The decided guards of a file, by line: those of a step before those of the start-up."""
    found: dict[int, str] = {}
    for _, trace in list(execution.traces())[::-1]:
        for seen in trace.guards.values():
            if seen.path == path and len(seen.truths) == 1 and Truth.UNKNOWN not in seen.truths:
                found[seen.pos[0]] = _told(seen)
    return found


def _told(seen: GuardSeen) -> str:
    truth = "True" if Truth.TRUE in seen.truths else "False"
    way = chain(seen.origin) if seen.origin is not None else ()
    known = [source_label(way[0]).partition(":")[2]] if way and way[0].label else []
    value = "" if isinstance(seen.value, bool) else render(seen.value)
    shown = known or ([value] if value and value not in ("True", "False") else [])
    return f"{truth} ({', '.join(shown)})" if shown else truth


__all__ = ["AnnotateRequest", "annotate", "annotated_lines"]
