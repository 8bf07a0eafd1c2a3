"""What runs in each phase of a deployment, put together from the runs that were evaluated."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from mlapath.app.execution import Execution, LayerRuns, Parts, stages_of
from mlapath.drivers.files import PACKAGE
from mlapath.engine.trace import Trace
from mlapath.findings.fires import Batch, Phase

RUNNING = ("profile", "capture", "step")
"""Stages of the drivers in which the model runs."""
ORDER: tuple[tuple[Phase, Batch | None], ...] = (
    (Phase.CONFIG, None), (Phase.LOAD, None), (Phase.PROFILE, None), (Phase.COMPILE, None),
    (Phase.WARMUP, None), (Phase.CAPTURE, None), (Phase.STEP, Batch.PREFILL),
    (Phase.STEP, Batch.DECODE), (Phase.STEP, Batch.MIXED),
)  # fmt: skip

ENDS = "vLLM refuses this deployment in this phase, before or after it"

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
    moment = _repeated(Moment((), around, step.replayed, first, exact=True), [(own, 1)])
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
    captured = _captured(x, dummy)
    any_batch = tuple(_of(k, k.step.trace) for k in x.kinds)
    first_decodes = (*captures, *(_of(k, k.first_decode.trace) for k in x.kinds))
    first = (*first_decodes, *(_of(k, k.first.trace) for k in x.kinds))
    decodes = tuple(_of(k, k.decode.trace) for k in x.kinds)
    mixed_full = None if graphs is None or graphs.mixed is None else graphs.mixed == "FULL"
    decode_full = None if graphs is None or graphs.decode is None else graphs.decode == "FULL"
    modules = tuple(_of(k, k.module.trace) for k in x.kinds)
    beyond, apart = _around(x, profile), _cut_short(x)
    requests = (*dummy, *any_batch, *decodes)
    built = () if graphs is not None and graphs.full is False else modules
    mixed = _repeated(
        Moment((), _around(x, any_batch, modules, apart), mixed_full, first), [(any_batch, 1)]
    )
    return {
        (Phase.CONFIG, None): Moment(
            ((None, setup, tuple(stages_of(setup, ("", "config")))),)
        ),
        (Phase.LOAD, None): Moment(((None, setup, tuple(load)),)),
        (Phase.PROFILE, None): replace(
            _repeated(Moment((), beyond), [(profile, 1)]),
            unsure="the worker decides whether it runs the model" if x.start.runs is None else "",
        ),
        (Phase.COMPILE, None): Moment(profile, beyond),
        (Phase.WARMUP, None): _warmup(x, Moment(dummy, beyond), Moment(
            requests, _around(x, requests, modules, apart), first=first
        )),
        (Phase.CAPTURE, None): replace(
            captured,
            around=_around(x, captured.layers, built) if captured.layers else (),
            first=first_decodes if graphs is not None and graphs.full else (),
        ),
        (Phase.STEP, Batch.PREFILL): mixed,
        (Phase.STEP, Batch.DECODE): _repeated(
            Moment((), _around(x, decodes, modules, apart), decode_full, first_decodes),
            [(decodes, 1)],
        ),
        (Phase.STEP, Batch.MIXED): mixed,
    }  # fmt: skip


def _warmup(x: Execution, empty: Moment, requests: Moment) -> Moment:
    """What warm-ups run: without attention metadata, or with those of requests, too."""
    times = x.start.warmups
    if x.start.requests is not False or times is None:
        moment = empty if x.start.requests is False else requests
        return replace(moment, unsure="it depends on the kernels and sizes to be warmed up")
    return _repeated(empty, [(empty.layers, times.empty)]) if times.empty else Moment(())


def _captured(x: Execution, dummy: Layers) -> Moment:
    """What runs while graphs are captured, of each mode every kind; nothing around it."""
    graphs = x.graphs
    if graphs is None:
        return Moment(())
    decodes = tuple(_of(k, k.decode.trace) for k in x.kinds)
    others = tuple(_of(k, k.step.trace) for k in x.kinds)
    graphs_of_decodes = tuple(_of(k, k.recapture.trace) for k in x.kinds)
    times = None if x.found.drafter is not None or x.ends_at_capture else x.start.captures
    if times is not None:
        kinds = (dummy, decodes, others, graphs_of_decodes, others)
        runs = [(layers, count) for layers, count in zip(kinds, times, strict=True) if count]
        return _repeated(Moment(()), runs)
    found = dummy if "PIECEWISE" in (graphs.decode, graphs.mixed) else ()
    if graphs.decode == "FULL":
        found = (*found, *decodes, *graphs_of_decodes)
    if graphs.mixed == "FULL":
        found = (*found, *others)
    return Moment(found, unsure=ENDS if x.ends_at_capture else "")


def _repeated(moment: Moment, runs: list[tuple[Layers, int]]) -> Moment:
    """A moment that has so many runs of the model, each with all of its layers."""
    return replace(
        moment,
        layers=tuple(layer for layers, _ in runs for layer in layers),
        counts=tuple(count for layers, count in runs for _ in layers),
        count=sum(count for _, count in runs),
    )


def _cut_short(x: Execution) -> frozenset[str]:
    """What the model calls of layers whose steps ended early in the evaluation."""
    short = [kind for kind in x.kinds if any(run.stop is not None for _, run in kind.runs)]
    return frozenset(kind.entry for kind in short if kind.entry)


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
