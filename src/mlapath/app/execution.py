"""All that a deployment was evaluated to run, phase by phase: what ``fires`` reads off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from mlapath.app.evaluate import Evaluation, Layer, Stop
from mlapath.app.given import GivenRuns, GivenStep, read_step, run_first, run_later, taken_back
from mlapath.app.grouping import group
from mlapath.app.outcome import outcome_of
from mlapath.app.phases import (
    Graphs,
    Run,
    finish_weights,
    prepare,
    read_graphs,
    run_model,
    run_phase,
    run_step,
)
from mlapath.app.startup import STARTS, Start, read_start
from mlapath.engine.attrs import class_lookup
from mlapath.engine.trace import LineSeen, Trace
from mlapath.findings.model import Outcome
from mlapath.scenario.batch import Batch
from mlapath.values.objects import FuncObj
from mlapath.values.value import V

Parts = dict[tuple[str, str], dict[int, LineSeen]]


@dataclass(frozen=True)
class LayerRuns:
    """What one kind of attention layer runs, in the order of a server's life.

    before: its weights are finished, its builder is made. profile, dummy: without attention
    metadata, the first time and later. capture: as for the capture of a full graph; recapture:
    the same where a warm-up may have come before. decode: a step of decodes alone; first_decode:
    the same as the first step of all. first, step: a step of any batch, the first one and later.
    module: such a step of all of the module around the layer. given: steps of given requests.
    """

    layers: tuple[Layer, ...]
    builder: V | None
    before: Run
    profile: Run
    dummy: Run
    capture: Run
    recapture: Run
    decode: Run
    first: Run
    step: Run
    module: Run
    first_decode: Run
    given: tuple[GivenRuns, ...] = ()

    @property
    def entry(self) -> str:
        """The function by which the module around a layer runs it; "": none is known."""
        method = class_lookup(self.layers[0].value.d.cls, "forward")
        return method[0].d.full if method is not None and type(method[0].d) is FuncObj else ""

    @property
    def runs(self) -> tuple[tuple[str, Run], ...]:
        """All of them, with their names."""
        return (
            ("weights", self.before), ("profile run", self.profile), ("later run", self.dummy),
            ("capture", self.capture), ("capture", self.recapture), ("decode step", self.decode),
            ("first step", self.first), ("first step", self.first_decode), ("step", self.step),
            ("module", self.module),
            *self.given_runs,
        )  # fmt: skip

    @property
    def given_runs(self) -> tuple[tuple[str, Run], ...]:
        """The runs of steps of given requests, with their names."""
        return tuple(
            pair for given in self.given
            for pair in (("first step", given.first), ("step", given.later),
                         ("module", given.module))
        )  # fmt: skip


@dataclass(frozen=True)
class Execution:
    """Everything that was evaluated of a deployment, of one pipeline stage.

    weights, models: of the model, and of the one that drafts for it, if there is one.
    given: the steps of given requests that each kind has runs of.
    start: what the worker does before the first step.
    """

    found: Evaluation
    kinds: tuple[LayerRuns, ...]
    weights: tuple[Run, ...]
    models: tuple[Run, ...]
    graphs: Graphs | None
    given: tuple[GivenStep, ...] = ()
    start: Start = STARTS

    def of_step(self, index: int) -> Execution:
        """The same, of the given steps one alone."""
        kinds = tuple(replace(k, given=k.given[index : index + 1]) for k in self.kinds)
        return replace(self, kinds=kinds, given=(self.given[index],))

    @property
    def of_given_steps(self) -> Execution:
        """What counts for the given steps: the start-up, and no runs but theirs."""
        nothing = Run(Trace())
        kinds = tuple(
            replace(k, profile=nothing, dummy=nothing, capture=nothing, recapture=nothing,
                    decode=nothing, first=nothing, step=nothing, module=nothing,
                    first_decode=nothing)
            for k in self.kinds
        )  # fmt: skip
        return replace(self, kinds=kinds)

    @property
    def refused(self) -> bool:
        """Whether vLLM certainly refuses before a step: it raises, not the evaluation fails."""
        stop = self.found.stop
        return stop is not None and outcome_of(self.found, ())[0] is Outcome.REFUSES

    @property
    def ends_at_capture(self) -> bool:
        """Whether vLLM certainly raises when it captures the graphs that it does capture."""
        stops = [kind.capture.stop for kind in self.kinds if kind.capture.stop is not None]
        captures = self.graphs is not None and self.graphs.full is True
        return captures and any(
            outcome_of(self.found, (stop,))[0] is Outcome.REFUSES for stop in stops
        )

    def traces(self) -> Iterator[tuple[str, Trace]]:
        """Every trace, with what it is of."""
        if self.found.setup is not None:
            yield "start-up", self.found.setup
        for kind in self.kinds:
            for name, run in kind.runs:
                yield name, run.trace
        for run in self.weights:
            yield "weights", run.trace
        for run in self.models:
            yield "model", run.trace

    def stops(self) -> Iterator[Stop]:
        """Where an evaluation ended early."""
        if self.found.stop is not None:
            yield self.found.stop
        for kind in self.kinds:
            for _, run in kind.runs:
                if run.stop is not None:
                    yield run.stop
        for other in (*self.weights, *self.models):
            if other.stop is not None:
                yield other.stop


def execute(found: Evaluation, batches: Sequence[Batch] = ()) -> Execution:
    """Run every phase of every kind of attention layer, then the model around them.

    batches: of these, the steps as well.
    """
    if found.stop is not None:
        return Execution(found, (), (), (), None)
    graphs = read_graphs(found)
    start = read_start(found)
    given = tuple(read_step(found, batch, graphs) for batch in batches)
    kinds = [
        _runs(found, tuple(layers), given, graphs, start)
        for layers in group(_stepped(found.layers))
    ]  # fmt: skip
    finished = [kind.layers[0] for kind in kinds]
    drafts = (False,) if found.drafter is None else (False, True)
    weights = tuple(finish_weights(found, finished, draft=draft) for draft in drafts)
    models = tuple(run_model(found, found.drafter if draft else found.model) for draft in drafts)
    return Execution(found, tuple(kinds), weights, models, graphs, given, start)


def _stepped(layers: Sequence[Layer]) -> list[Layer]:
    """The layers that have steps of their own: not those inside of what is MLA (an indexer's)."""
    around = tuple(f"{x.name.rpartition('.')[0]}." for x in layers if x.mla)
    return [x for x in layers if x.mla or not x.name.startswith(around)]


def _runs(
    found: Evaluation, layers: tuple[Layer, ...], given: tuple[GivenStep, ...],
    graphs: Graphs | None, start: Start,
) -> LayerRuns:  # fmt: skip
    first = layers[0]
    before, builder = prepare(found, first)
    nothing = Run(Trace())
    if builder is None:
        none = tuple(GivenRuns(nothing, nothing, nothing) for _ in given)
        never = (nothing,) * 9
        return LayerRuns(layers, None, before, *never, none)
    phase = partial(run_phase, found, first, builder)
    profile, dummy = phase("profile"), phase("later")
    captures = None if graphs is None else graphs.full
    capture = phase("capture") if captures else nothing
    recapture = phase("capture") if captures and start.requests is not False else capture
    firsts = [run_first(found, first, builder, asked) for asked in given]
    if captures is None:  # then the first step may come before it, too
        capture = recapture = phase("capture")
    with taken_back(found.engine):
        first_decode = phase("decode")
    any_first, decode, step = phase("mixed"), phase("decode"), phase("mixed")
    later = tuple(
        run_later(found, first, builder, asked, run)
        for asked, run in zip(given, firsts, strict=True)
    )
    module = run_step(found, first, builder)
    return LayerRuns(layers, builder, before, profile, dummy, capture, recapture, decode,
                     any_first, step, module, first_decode, later)  # fmt: skip


def stages_of(trace: Trace | None, names: Sequence[str] | None = None) -> list[Parts]:
    """What ran in some stages of a trace, or in all of them."""
    if trace is None:
        return []
    if names is None:
        return list(trace.stages.values())
    return [trace.stages[name] for name in names if name in trace.stages]


__all__ = ["Execution", "LayerRuns", "Parts", "execute", "stages_of"]
