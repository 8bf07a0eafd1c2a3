"""All that a deployment was evaluated to run, phase by phase: what ``fires`` reads off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mlapath.app.evaluate import Evaluation, Layer, StepResult, Stop, step
from mlapath.app.grouping import group
from mlapath.app.phases import Graphs, Run, finish_weights, read_graphs, run_model, run_phase
from mlapath.engine.trace import LineSeen, Trace

Parts = dict[tuple[str, str], dict[int, LineSeen]]


@dataclass(frozen=True)
class LayerRuns:
    """What one kind of attention layer runs; None where it was not evaluated.

    step: a step whose batch is unknown. decode: one of decodes alone. profile: without attention
    metadata. capture: as for the capture of a full graph.
    """

    layers: tuple[Layer, ...]
    step: StepResult
    decode: Run
    profile: Run
    capture: Run


@dataclass(frozen=True)
class Execution:
    """Everything that was evaluated of a deployment, of one pipeline stage."""

    found: Evaluation
    kinds: tuple[LayerRuns, ...]
    weights: Run | None
    model: Run | None
    graphs: Graphs | None

    def traces(self) -> Iterator[tuple[str, Trace]]:
        """Every trace, with what it is of."""
        if self.found.setup is not None:
            yield "start-up", self.found.setup
        for kind in self.kinds:
            if kind.step.before is not None:
                yield "weights", kind.step.before
            yield "step", kind.step.trace
            yield "decode step", kind.decode.trace
            yield "profile run", kind.profile.trace
            yield "capture", kind.capture.trace
        if self.weights is not None:
            yield "weights", self.weights.trace
        if self.model is not None:
            yield "model", self.model.trace

    def stops(self) -> Iterator[Stop]:
        """Where an evaluation ended early."""
        if self.found.stop is not None:
            yield self.found.stop
        for kind in self.kinds:
            for run in (kind.step, kind.decode, kind.profile, kind.capture):
                if run.stop is not None:
                    yield run.stop
        for other in (self.weights, self.model):
            if other is not None and other.stop is not None:
                yield other.stop


def execute(found: Evaluation) -> Execution:
    """Run every phase of every kind of MLA layer, then the model around them."""
    if found.stop is not None:
        return Execution(found, (), None, None, None)
    graphs = read_graphs(found)
    kinds: list[LayerRuns] = []
    for layers in group(found.layers):
        first = layers[0]
        if not first.mla:
            continue
        result = step(found, first)
        builder = result.builder
        if builder is None:
            nothing = Run(Trace(), result.stop)
            kinds.append(LayerRuns(tuple(layers), result, nothing, nothing, nothing))
            continue
        runs = [
            run_phase(found, first, builder, name) for name in ("decode", "profile", "capture")
        ]
        kinds.append(LayerRuns(tuple(layers), result, *runs))
    finished = [kind.layers[0] for kind in kinds]
    weights = finish_weights(found, finished)
    return Execution(found, tuple(kinds), weights, run_model(found), graphs)


def stages_of(trace: Trace | None, names: Sequence[str] | None = None) -> list[Parts]:
    """What ran in some stages of a trace, or in all of them."""
    if trace is None:
        return []
    if names is None:
        return list(trace.stages.values())
    return [trace.stages[name] for name in names if name in trace.stages]


__all__ = ["Execution", "LayerRuns", "Parts", "execute", "stages_of"]
