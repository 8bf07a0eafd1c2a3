"""Run the model in each phase of a worker, traced apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mlapath.app.evaluate import (
    TOO_MUCH,
    Evaluation,
    Layer,
    Stop,
    limit_text,
    related,
    stopped,
)
from mlapath.engine.control import PyRaise
from mlapath.engine.trace import Trace
from mlapath.values.value import V


@dataclass(frozen=True)
class Run:
    """What one call of a driver showed. ``stop``: how it ended early."""

    trace: Trace
    stop: Stop | None = None


@dataclass(frozen=True)
class Graphs:
    """How steps are run, as the tree's own configuration says; None: not known.

    decode, mixed: the CUDA graph of a step of decodes alone, and of other steps: ``FULL``,
    ``PIECEWISE`` or ``NONE``. sizes: numbers of tokens that graphs are captured for.
    decode_tokens: those of a request in a decode step. requests, tokens: the most of a step.
    """

    decode: str | None
    mixed: str | None
    sizes: tuple[int, ...]
    decode_tokens: int | None
    requests: int | None
    tokens: int | None

    @property
    def captures(self) -> bool:
        """Whether any graph is captured, as far as that is known."""
        return self.decode != "NONE" or self.mixed != "NONE"

    @property
    def full(self) -> bool | None:
        """Whether graphs of the whole model are captured; None: not known."""
        if "FULL" in (self.decode, self.mixed):
            return True
        return None if None in (self.decode, self.mixed) else False

    @property
    def full_sizes(self) -> tuple[int, ...]:
        """Sizes of full graphs of decodes: no more requests than a step may have."""
        if self.decode != "FULL" or self.decode_tokens is None or self.requests is None:
            return ()
        most = self.decode_tokens * self.requests
        return tuple(s for s in self.sizes if self.decode_tokens <= s <= most)


def read_graphs(found: Evaluation) -> Graphs | None:
    """How the resolved configuration runs its steps."""
    it = found.engine
    outer = it.trace
    it.trace = Trace()
    try:
        driver = it.import_module("mlapath_drivers.phases")
        value = it.call(it.getattr(driver, "graphs"), [found.config or V(None)], {})
    except (PyRaise, *TOO_MUCH):
        return None
    finally:
        it.trace = outer
    if type(value.d) is not tuple:
        return None
    decode, mixed, sizes, *numbers = (v.d for v in value.d)
    known = tuple(s.d for s in sizes if type(s.d) is int) if type(sizes) is tuple else ()
    return Graphs(
        decode if isinstance(decode, str) else None, mixed if isinstance(mixed, str) else None,
        tuple(sorted(known)), *(n if type(n) is int else None for n in numbers),
    )  # fmt: skip


def prepare(found: Evaluation, layer: Layer) -> tuple[Run, V | None]:
    """The weights of a layer finished, and its metadata builder; None where that fails."""
    run, value = call_driver(found, "step", "setup", _of(found, layer))
    return run, None if run.stop is not None else value


def run_phase(
    found: Evaluation, layer: Layer, builder: V, phase: str, more: Sequence[V] = ()
) -> Run:  # fmt: skip
    """A phase of one layer: a function of ``phases.pysrc``, and what else it is told."""
    given = [*_of(found, layer), _names(found, layer), builder, *more]
    return call_driver(found, "phases", phase, given)[0]


def run_step(found: Evaluation, layer: Layer, builder: V) -> Run:
    """A step of the module around a layer, whose batch is unknown."""
    return call_driver(found, "step", "run", [*_of(found, layer), _names(found, layer), builder])[
        0
    ]


def finish_weights(found: Evaluation, finished: Sequence[Layer], *, draft: bool) -> Run:
    """The post-processing of a model's weights but those of the layers that have been stepped."""
    layers = V(found.engine.heap.list([x.value for x in finished if x.draft == draft]))
    model = found.drafter if draft else found.model
    given = [found.config or V(None), model or V(None), layers]
    return call_driver(found, "phases", "finish", given)[0]


def run_model(found: Evaluation, model: V | None) -> Run:
    """A whole model's forward pass without attention metadata."""
    return call_driver(found, "phases", "whole", [found.config or V(None), model or V(None)])[0]


def _of(found: Evaluation, layer: Layer) -> list[V]:
    """What drivers take of a layer; from now on the question is about it."""
    found.engine.subjects = (layer.value.d,)
    return [found.config or V(None), found.model_of(layer),
            found.engine.store["kept"]["layers"], V(layer.name), layer.value]  # fmt: skip


def _names(found: Evaluation, layer: Layer) -> V:
    return V(found.engine.heap.list([V(other) for other in related(found, layer)]))


def call_driver(found: Evaluation, file: str, name: str, arguments: Sequence[V]) -> tuple[Run, V]:
    """Call a function of a driver with a trace of its own."""
    it = found.engine
    outer = it.trace
    it.trace = Trace()
    stop: Stop | None = None
    value = V(None)
    try:
        driver = it.import_module(f"mlapath_drivers.{file}")
        value = it.call(it.getattr(driver, name), list(arguments), {})
    except PyRaise as raised:
        stop = stopped(it, raised, name)
    except TOO_MUCH as error:
        stop = Stop(name, None, limit_text(error))
    it.region, it.direct = "", False
    trace, it.trace = it.trace, outer
    return Run(trace, stop), value


__all__ = [
    "Graphs", "Run", "call_driver", "finish_weights", "prepare", "read_graphs", "run_model",
    "run_phase", "run_step",
]  # fmt: skip
