"""The order and wording of the answers of ``fires`` for people."""

from __future__ import annotations

from collections.abc import Iterator

from mlapath.base.clean import clean
from mlapath.base.verdict import Verdict
from mlapath.findings.fires import Effect, FiresReport, LocationFiring, PhaseFiring, StepInfo
from mlapath.findings.wording import STEP_WORDS, step_text
from mlapath.report.blocks import Block, Cell, Fact, Headline, Section, Step, Table, Title, Tone
from mlapath.report.wording import VERDICT_TONES, short_method

EFFECTS = {
    Effect.PRINTS: "a print here shows",
    Effect.SILENT: "a print here stays silent",
    Effect.ABORTS: "a print here ends the start-up",
    Effect.UNPROVEN: "what a print here does is not known",
}


def fires_blocks(report: FiresReport, verbosity: int) -> Iterator[Block]:
    """Lay out the answers. ``verbosity``: below 0 verdicts only, above 0 everything."""
    scenario = report.scenario
    model = ", ".join(scenario.architectures) or "a model without architectures"
    version = report.tree.version or "of unknown version"
    asked = "" if report.step is None else f", a step of batch {report.step.batch}"
    yield Title(clean(f"{model} on {scenario.device.name}, vLLM {version}{asked}"))
    if verbosity >= 0:
        yield Fact("tree", f"{clean(report.tree.root)} ({report.tree.origin})")
        if report.step is not None:
            yield Fact("step", _step_text(report.step))
    if report.refusal is not None:
        refusal = report.refusal
        yield Headline("vLLM", "REFUSES", Tone.BAD, f"{refusal.exception} at {refusal.at}")
        yield Fact("message", clean(refusal.message))
    for location in report.locations:
        yield from location_blocks(location, verbosity)
    if verbosity >= 0:
        if report.notes:
            yield Section("Notes")
        for note in report.notes:
            yield Fact("", clean(note))


def _step_text(step: StepInfo) -> str:
    """What is known of the step before it runs."""
    unit = "token" if step.tokens == 1 else "tokens"
    words = {None: "which CUDA graph is taken is not known", "NONE": "no CUDA graph is taken"}
    graph = words.get(step.graph, f"a {step.graph} CUDA graph is taken")
    more = step.padded is not None and step.padded != step.tokens
    padded = f", of {step.padded} tokens" if more else ""
    return f"{step.kind.value}, {step.tokens} new {unit}; {graph}{padded}"


def location_blocks(location: LocationFiring, verbosity: int) -> Iterator[Block]:
    """One answer."""
    name = "" if location.function is None else clean(short_method(location.function))
    yield Headline(
        f"{location.at} {name}".rstrip(), location.verdict.value.upper(),
        VERDICT_TONES[location.verdict], clean(location.because),
    )  # fmt: skip
    if verbosity < 0:
        return
    yield Fact("print", f"{EFFECTS[location.effect.effect]}: {clean(location.effect.because)}")
    yield from _instead(location)
    for note in location.notes:
        yield Fact("note", clean(note))
    for blocker in location.blockers if verbosity > 0 else location.blockers[:3]:
        yield Fact("not excluded", clean(blocker))
    for step in location.evidence:
        yield Step(STEP_WORDS[step.kind], step_text(step), step.at)
    if location.phases:
        yield Table(
            ("phase", "batch", "fires", "times", "why"),
            tuple(_row(phase) for phase in _shown(location, verbosity)),
        )


def _instead(location: LocationFiring) -> Iterator[Block]:
    for place in location.instead:
        yield Fact(
            "print instead in", f"{short_method(place.function)}: {clean(place.why)}", place.at
        )


def _shown(location: LocationFiring, verbosity: int) -> list[PhaseFiring]:
    """Every phase when verbose, else those where something runs, and the steps."""
    if verbosity > 0:
        return list(location.phases)
    dull = (Verdict.NEVER, Verdict.UNPROVEN)
    return [p for p in location.phases if p.batch is not None or p.fires not in dull]


def _row(phase: PhaseFiring) -> tuple[Cell, ...]:
    times = phase.times
    if phase.count is not None and times != "per step":
        times = f"{phase.count} times" if times == "once" else f"{times} ({phase.count})"
    runs = phase.fires in (Verdict.ALWAYS, Verdict.CONDITIONAL)
    return (
        Cell(phase.phase.value), Cell(phase.batch.value if phase.batch else "-"),
        Cell(phase.fires.value, VERDICT_TONES[phase.fires]), Cell(times if runs else "-"),
        Cell(clean(phase.because)),
    )  # fmt: skip


__all__ = ["fires_blocks", "location_blocks"]
