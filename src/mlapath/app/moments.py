"""What runs in each phase of a deployment, put together from the runs that were evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from mlapath.app.execution import Execution, LayerRuns, Parts, stages_of
from mlapath.drivers.files import PACKAGE
from mlapath.engine.attrs import class_lookup
from mlapath.engine.trace import Trace
from mlapath.findings.fires import Batch, Phase
from mlapath.values.objects import FuncObj

RUNNING = ("profile", "capture", "step")
"""Stages of the drivers in which the model runs."""
ORDER: tuple[tuple[Phase, Batch | None], ...] = (
    (Phase.CONFIG, None), (Phase.LOAD, None), (Phase.PROFILE, None), (Phase.COMPILE, None),
    (Phase.WARMUP, None), (Phase.CAPTURE, None), (Phase.STEP, Batch.PREFILL),
    (Phase.STEP, Batch.DECODE), (Phase.STEP, Batch.MIXED),
)  # fmt: skip

Layers: TypeAlias = "tuple[tuple[LayerRuns | None, Trace, tuple[Parts, ...]], ...]"
Around: TypeAlias = "tuple[tuple[tuple[Parts, ...], frozenset[str]], ...]"


@dataclass(frozen=True)
class Moment:
    """What runs in a phase: of each kind of layer, and around the layers.

    around: of functions that the layers' own runs neither entered nor could have, what the first
    run saw that entered them; with those functions. replayed: whether a CUDA graph of the whole
    model is replayed; None: not known. first: what ran the first time of all. unsure: why the
    phase may do less. exact: it is one step, and ``replayed`` says what becomes of it. counts: of
    each of ``layers``, how often it runs, where that is known; count: the same of all else.
    """

    layers: Layers
    around: Around = ()
    replayed: bool | None = False
    first: Layers = ()
    unsure: str = ""
    exact: bool = False
    counts: tuple[int, ...] = ()
    count: int | None = None


def beside(trace: Trace, entered: set[str]) -> frozenset[str]:
    """Functions that a trace comes to without passing through those that were entered."""
    calls: dict[str, set[str]] = {}
    for edge in trace.calls.values():
        caller = edge.caller if edge.caller in trace.functions else ""
        calls.setdefault(caller, set()).add(edge.callee)
    found: set[str] = set()
    queue = [""]
    while queue:
        for callee in calls.get(queue.pop(), ()):
            if callee not in found and callee not in entered:
                found.add(callee)
                queue.append(callee)
    return frozenset(found)


def moments(x: Execution) -> dict[tuple[Phase, Batch | None], Moment]:
    """What runs in each phase, in the order of ``ORDER``; of given steps, the first alone."""
    found = _of_any_batch(x)
    if not x.given:
        return found
    step = x.given[0]
    own = tuple(_of(k, k.given[0].later.trace) for k in x.kinds)
    modules = tuple(_of(k, k.given[0].module.trace) for k in x.kinds)
    first = tuple(_of(k, k.given[0].first.trace) for k in x.kinds)
    around = _around(x, own, modules, _cut_short(x))
    moment = Moment(own, around, step.replayed, first, exact=True)
    others = {key: value for key, value in found.items() if key[0] is not Phase.STEP}
    return {**others, (Phase.STEP, step.kind): moment}


def _of_any_batch(x: Execution) -> dict[tuple[Phase, Batch | None], Moment]:
    graphs = x.graphs
    setup = x.found.setup or Trace()
    load: list[Parts] = stages_of(setup, ("load", "kv-cache"))
    for kind in x.kinds:
        load.extend(stages_of(kind.before.trace))
        for _, run in kind.runs:
            load.extend(stages_of(run.trace, ("kv-cache",)))
    for run in x.weights:
        load.extend(stages_of(run.trace))
    profile = tuple(_of(k, k.profile.trace) for k in x.kinds)
    dummy = tuple(_of(k, k.dummy.trace) for k in x.kinds)
    captures = tuple(_of(k, k.capture.trace) for k in x.kinds)
    captured, sizes = _captured(x, dummy)
    runs = None if graphs is None or x.found.drafter is not None else graphs.runs
    if graphs is not None and graphs.decode == graphs.mixed == "FULL":
        runs = None  # which sizes are decodes' alone is the runner's to say
    counts = () if runs is None else tuple(runs * n for n in sizes for _ in x.kinds)
    any_batch = tuple(_of(k, k.step.trace) for k in x.kinds)
    first_decodes = (*captures, *(_of(k, k.first_decode.trace) for k in x.kinds))
    first = (*first_decodes, *(_of(k, k.first.trace) for k in x.kinds))
    decodes = tuple(_of(k, k.decode.trace) for k in x.kinds)
    mixed_full = None if graphs is None or graphs.mixed is None else graphs.mixed == "FULL"
    decode_full = None if graphs is None or graphs.decode is None else graphs.decode == "FULL"
    modules = tuple(_of(k, k.module.trace) for k in x.kinds)
    beyond, apart = _around(x, profile), _cut_short(x)
    warmup = dummy if x.start.requests is False else (*dummy, *any_batch, *decodes)
    built = () if graphs is not None and graphs.full is False else modules
    mixed = Moment(any_batch, _around(x, any_batch, modules, apart), mixed_full, first=first)
    return {
        (Phase.CONFIG, None): Moment(
            ((None, setup, tuple(stages_of(setup, ("", "config")))),)
        ),
        (Phase.LOAD, None): Moment(((None, setup, tuple(load)),)),
        (Phase.PROFILE, None): Moment(
            profile, beyond,
            unsure="the worker decides whether it runs the model" if x.start.runs is None else "",
        ),
        (Phase.COMPILE, None): Moment(profile, beyond),
        (Phase.WARMUP, None): Moment(
            warmup, beyond if warmup is dummy else _around(x, warmup, modules, apart),
            first=() if warmup is dummy else first,
            unsure="it depends on the kernels and sizes to be warmed up",
        ),
        (Phase.CAPTURE, None): Moment(
            captured, _around(x, captured, built) if captured else (),
            first=captures if graphs is not None and graphs.full else (), counts=counts,
            count=None if runs is None else runs * sum(sizes),
        ),
        (Phase.STEP, Batch.PREFILL): mixed,
        (Phase.STEP, Batch.DECODE): Moment(
            decodes, _around(x, decodes, modules, apart), decode_full, first_decodes
        ),
        (Phase.STEP, Batch.MIXED): mixed,
    }  # fmt: skip


def _captured(x: Execution, dummy: Layers) -> tuple[Layers, list[int]]:
    """What runs while graphs are captured: of each mode every kind, and how many sizes it has."""
    graphs = x.graphs
    found: list[tuple[LayerRuns | None, Trace, tuple[Parts, ...]]] = []
    sizes: list[int] = []
    if graphs is None:
        return (), []
    if "PIECEWISE" in (graphs.decode, graphs.mixed):
        found.extend(dummy)
        sizes.append(len(graphs.sizes))
    if graphs.decode == "FULL":
        found.extend(_of(k, k.recapture.trace) for k in x.kinds)
        sizes.append(len(graphs.full_sizes))
    if graphs.mixed == "FULL":
        found.extend(_of(k, k.step.trace) for k in x.kinds)
        sizes.append(len(graphs.sizes))
    return tuple(found), sizes


def _cut_short(x: Execution) -> frozenset[str]:
    """What the model calls of layers whose steps ended early in the evaluation."""
    found = set()
    for kind in x.kinds:
        if any(run.stop is not None for _, run in kind.runs):
            method = class_lookup(kind.layers[0].value.d.cls, "forward")
            if method is not None and type(method[0].d) is FuncObj:
                found.add(method[0].d.full)
    return frozenset(found)


def _around(
    x: Execution, own: Layers, more: Layers = (), apart: frozenset[str] = frozenset()
) -> Around:  # fmt: skip
    """What runs around the layers: by ``more``, then by the model's own run.

    What functions that ``own`` entered call is theirs to say. apart: functions that do something
    else in a step than in the model's own run, which has no attention metadata.
    """
    entered = _entered(own)
    levels: list[tuple[tuple[Parts, ...], frozenset[str]]] = []
    for _, trace, parts in more:
        levels.append((parts, beside(trace, entered)))
    entered |= _entered(more) | apart
    levels.extend((tuple(stages_of(m.trace)), beside(m.trace, entered)) for m in x.models)
    return tuple(levels)


def _entered(runs: Layers) -> set[str]:
    """The functions of the program that some runs entered; drivers say nothing about it."""
    ours = f"{PACKAGE}."
    return {
        name for _, trace, _ in runs for name in trace.functions if not name.startswith(ours)
    }  # fmt: skip


def _of(kind: LayerRuns, trace: Trace) -> tuple[LayerRuns | None, Trace, tuple[Parts, ...]]:
    return kind, trace, tuple(stages_of(trace, RUNNING))


__all__ = ["ORDER", "Layers", "Moment", "moments"]
