"""A step of given requests: the CUDA graph that is taken for it, and what it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mlapath.app.evaluate import Evaluation, Layer, step_requests
from mlapath.app.phases import Graphs, Run, call_driver, run_phase
from mlapath.engine.interp import Engine
from mlapath.findings.fires import Batch as Kind
from mlapath.scenario.batch import Batch
from mlapath.values.objects import Instance
from mlapath.values.value import Union, V

FULL = "FULL"


@dataclass(frozen=True)
class GivenStep:
    """What is known of a step before it runs.

    kind: of what sort its requests are. tokens: how many new ones they have. graphs: the modes of
    CUDA graph that the runner may take, ``NONE`` among them; None: not known. padded: the tokens
    of the graph, None where they are not known. arguments: what the drivers are told.
    """

    batch: Batch
    kind: Kind
    tokens: int
    graphs: frozenset[str] | None
    padded: int | None
    arguments: tuple[V, ...]

    @property
    def replayed(self) -> bool | None:
        """Whether a CUDA graph of the whole model is replayed; None: not known."""
        if self.graphs is not None and len(self.graphs) == 1:
            return FULL in self.graphs
        return None if self.graphs is None or FULL in self.graphs else False


@dataclass(frozen=True)
class GivenRuns:
    """What one kind of layer does in such a step: the first of all, a later one, its module."""

    first: Run
    later: Run
    module: Run


def read_step(found: Evaluation, batch: Batch, of_any: Graphs | None) -> GivenStep:
    """Ask the tree's own code for the CUDA graph of a step of these requests.

    of_any: what is known of the graphs of any step; it is all that is, where the code is not
    to be asked.
    """
    layers = found.engine.store["kept"]["layers"]
    parts = step_requests(batch)
    given = [found.config or V(None), layers, parts]
    run, value = call_driver(found, "dispatch", "graph_of", given)
    if run.stop is not None or type(value.d) is not tuple:
        graphs = None
        kind, tokens = _counted(batch)
        mode = padded = count = V(None)
    else:
        kind_, tokens_, mode, padded, count = value.d
        kind, tokens = Kind(kind_.d), tokens_.d
        graphs = _modes(found.engine, mode)
    graphs = _possible(of_any) if graphs is None else graphs
    step = GivenStep(batch, kind, tokens, graphs, padded.d if type(padded.d) is int else None, ())
    unsure = step.replayed is None
    # how the graph was chosen says nothing of what is done with it: no origins
    arguments = (V(None) if unsure else parts, V(mode.d), V(step.replayed is True),
                 V(None if unsure else padded.d), V(count.d))  # fmt: skip
    return GivenStep(step.batch, step.kind, step.tokens, step.graphs, step.padded, arguments)


def _counted(batch: Batch) -> tuple[Kind, int]:
    """The kind and tokens of a batch where the tree's code could not be asked."""
    one = [part.query == 1 for part in batch.requests]
    kind = Kind.DECODE if all(one) else Kind.MIXED if any(one) else Kind.PREFILL
    return kind, sum(part.query * part.count for part in batch.requests)


def _possible(graphs: Graphs | None) -> frozenset[str] | None:
    """The modes that any step may be run with."""
    if graphs is None or graphs.decode is None or graphs.mixed is None:
        return None
    return frozenset({"NONE", graphs.decode, graphs.mixed})


def _modes(it: Engine, mode: V) -> frozenset[str] | None:
    """The names of an enum's members, of one that it is or of several that it may be."""
    options = mode.d.options if type(mode.d) is Union else (mode,)
    names = [it.find_attr(option, "name") for option in options if type(option.d) is Instance]
    known = [name.d for name in names if name is not None and isinstance(name.d, str)]
    return frozenset(known) if len(known) == len(options) else None


def _driver(layer: Layer) -> str:
    return "drafted" if layer.draft else "given"


def run_first(found: Evaluation, layer: Layer, builder: V, step: GivenStep) -> Run:
    """The step as the first of all that a worker does; taken back."""
    with taken_back(found.engine):
        return run_phase(found, layer, builder, _driver(layer), step.arguments)


def run_later(found: Evaluation, layer: Layer, builder: V, step: GivenStep, first: Run
              ) -> GivenRuns:  # fmt: skip
    """The step after any others; taken back."""
    with taken_back(found.engine):
        later = run_phase(found, layer, builder, _driver(layer), step.arguments)
        module = run_phase(found, layer, builder, f"{_driver(layer)}_module", step.arguments)
    return GivenRuns(first, later, module)


@contextmanager
def taken_back(it: Engine) -> Iterator[None]:
    """Take back what happens inside: writes to the heap, alternatives."""
    mark = it.heap.fork()
    try:
        yield
    finally:
        it.heap.take(mark)
        it.heap.close(mark)
        it.heap.saved.clear()
        it.frame.pending.clear()
        it.tries.clear()


__all__ = ["GivenRuns", "GivenStep", "read_step", "run_first", "run_later", "taken_back"]
