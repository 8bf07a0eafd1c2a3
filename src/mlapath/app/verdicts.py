"""The verdict of each target for one kind of layer: reached, on which condition, why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mlapath.app.closure import callers_passed_by
from mlapath.app.conditions import condition_of
from mlapath.app.evaluate import Evaluation, Layer, StepResult, Stop
from mlapath.app.proof import holders, prove
from mlapath.base.verdict import Verdict
from mlapath.engine.attrs import class_lookup
from mlapath.engine.control import Guard
from mlapath.engine.trace import Trace
from mlapath.findings.evidence import steps
from mlapath.findings.model import (
    EvidenceKind,
    EvidenceStep,
    Place,
    TargetVerdict,
)
from mlapath.graph.build import build
from mlapath.query.chain import chain
from mlapath.query.reach import Reach, reach
from mlapath.query.sites import PassedBy, passed_by
from mlapath.values.objects import Descriptor, FuncObj, Instance
from mlapath.values.origin import Origin
from mlapath.values.value import V

ALWAYS_ASSUMED = ("A1", "A2")


@dataclass(frozen=True)
class Scene:
    """What a verdict is read from."""

    evaluation: Evaluation
    layer: Layer
    result: StepResult
    graph: Any
    numbers: Mapping[str, int]


def scene(evaluation: Evaluation, layer: Layer, result: StepResult, numbers: Any) -> Scene:
    """The scene of one layer's step."""
    return Scene(evaluation, layer, result, build(result.trace), numbers)


def judge(s: Scene, target: str) -> TargetVerdict:
    """The verdict of one target."""
    function, defined_at = resolve(s, target)
    name = target.rpartition(".")[2]
    if s.result.stop is not None and s.result.stop.raised is None:
        return TargetVerdict(target, Verdict.UNPROVEN, function, defined_at,
                             blockers=(s.result.stop.why,))  # fmt: skip
    found = Reach(Verdict.NEVER) if function is None else reach(s.graph, function)
    if found.verdict is Verdict.NEVER:
        return _never(s, target, name, function, defined_at)
    called = tuple(dict.fromkeys(
        f"{c.path}:{c.pos[0]}" for c in found.calls if c.pos and not c.path.startswith("<")
    ))  # fmt: skip
    nearest = found.guards[0] if found.guards else _any_guard(found)
    condition = None
    if found.verdict is Verdict.CONDITIONAL:
        general = name if s.result.batch is None else ""
        guards = found.guards or ((nearest,) if nearest else ())
        condition = condition_of(guards, general, s.numbers)
    evidence = _evidence(s, found, nearest)
    return TargetVerdict(
        target, found.verdict, function, defined_at, called, condition, evidence, ALWAYS_ASSUMED,
        because=_because(s, found, condition),
    )  # fmt: skip


def _any_guard(found: Reach) -> Guard | None:
    for call in found.calls:
        if call.guards:
            return call.guards[-1]
    return None


def _because(s: Scene, found: Reach, condition: Any) -> str:
    if found.verdict is Verdict.ALWAYS:
        if s.result.batch is not None:
            return "a step of this batch makes the call, whatever is unknown"
        return "every step with tokens makes the call, whatever is unknown"
    if condition is None:
        return "the call depends on something that is not known"
    return f"when {condition.meaning}"


def resolve(s: Scene, target: str) -> tuple[str | None, str | None]:
    """The function that a target stands for in this layer, and where it is defined.

    A method of its implementation, else of the layer, else a function that ran.
    """
    name = target.rpartition(".")[2]
    for holder in (_attribute(s.layer.value, "impl"), s.layer.value):
        if holder is None or type(holder.d) is not Instance:
            continue
        found = class_lookup(holder.d.cls, name)
        if found is not None:
            d = found[0].d
            while type(d) is Descriptor:
                d = d.fget.d
            if type(d) is FuncObj and (target == name or d.full.endswith(f".{target}")):
                return d.full, f"{d.module.path}:{d.node.pos[0]}"
    for trace in (s.result.trace, s.evaluation.setup or Trace()):
        for full, (path, line) in trace.functions.items():
            if full == target or full.endswith(f".{target}"):
                return full, f"{path}:{line}"
    return None, None


def _attribute(value: V, name: str) -> V | None:
    return value.d.attrs.get(name) if type(value.d) is Instance else None


def _evidence(s: Scene, found: Reach, guard: Guard | None) -> tuple[EvidenceStep, ...]:
    program = s.evaluation.engine.program
    implementation = _attribute(s.layer.value, "impl")
    origin = implementation.o if implementation is not None else None
    result = list(steps(chain(origin), program))
    if guard is not None:
        result.append(EvidenceStep(f"{guard.path}:{guard.pos[0]}", guard.text,
                                   "unknown until the step", EvidenceKind.GUARD))  # fmt: skip
    for call in found.calls[:1]:
        if call.pos is not None and not call.path.startswith("<"):
            text = program.text(call.path, call.pos)
            result.append(EvidenceStep(f"{call.path}:{call.pos[0]}", text[:160], None,
                                       EvidenceKind.CALL))  # fmt: skip
    return tuple(result)


def _never(
    s: Scene, target: str, name: str, function: str | None, defined_at: str | None
) -> TargetVerdict:
    program = s.evaluation.engine.program
    sites = passed_by(s.result.trace, program, name)
    decided = [site for site in sites if site.guard is not None]
    if not decided and function is not None:
        decided = callers_passed_by(s.evaluation, s.result.trace, name, holders(s.layer))
    evidence = _never_evidence(s, decided)
    proof = prove(s.evaluation, s.layer, s.result, name, decided)
    blockers = proof.blockers
    if s.result.stop is not None and s.result.stop.raised is not None and not decided:
        raised = s.result.stop.raised
        because = f"the step raises before it gets there, at {raised.path}:{_line(raised.pos)}"
        if not raised.explicit:  # an operation failed, perhaps on inputs that a driver made up
            blockers = (*blockers, f"{raised.path}:{_line(raised.pos)} fails in the step")
    elif decided:
        site = decided[0]
        pos = site.guard.pos if site.guard is not None else None
        because = f"the guard at {site.path}:{_line(pos)} keeps the call from being made"
    elif function is None:
        because = "the selected implementation has no such method"
    else:
        because = "nothing that runs in a step calls it"
    return TargetVerdict(
        target, Verdict.UNPROVEN if blockers else Verdict.NEVER, function, defined_at,
        tuple(dict.fromkeys(f"{x.path}:{x.line}" for x in sites)), None, evidence,
        ALWAYS_ASSUMED, because, _instead(s), proof.obligations, blockers,
    )  # fmt: skip


def _line(pos: Any) -> int:
    return pos[0] if pos else 0


def _never_evidence(s: Scene, decided: Sequence[PassedBy]) -> tuple[EvidenceStep, ...]:
    program = s.evaluation.engine.program
    if not decided:
        return ()
    site = decided[0]
    guard = site.guard
    assert guard is not None
    inputs = (guard.origin,) if guard.origin else ()
    origin = Origin("guard", guard.path, guard.pos, inputs, guard.control, value=guard.value)
    through = chain(origin)
    result = list(steps(through or (origin,), program))
    last = result[-1] if result else None
    rests_on = (last.at,) if last is not None and last.at else ()
    missing = f"the call in {site.function} is not made"
    result.append(
        EvidenceStep(f"{site.path}:{site.line}", missing, None, EvidenceKind.NO_CALL, rests_on)
    )
    return tuple(result)


def _instead(s: Scene) -> tuple[Place, ...]:
    """Functions of the implementation that do run in a step."""
    implementation = _attribute(s.layer.value, "impl")
    if implementation is None or type(implementation.d) is not Instance:
        return ()
    names = {c.full for c in implementation.d.cls.mro}
    found: list[Place] = []
    for full, (path, line) in s.result.trace.functions.items():
        owner = full.rpartition(".")[0]
        if owner in names and full.rpartition(".")[2].startswith("forward"):
            verdict = reach(s.graph, full).verdict
            when = "in every step" if verdict is Verdict.ALWAYS else "in some steps"
            if verdict is Verdict.ALWAYS and s.result.batch is not None:
                when = "in a step of this batch"
            found.append(Place(f"{path}:{line}", full, f"runs once for each such layer, {when}"))
    return tuple(found)


def stopped_before(target: str, stop: Stop) -> TargetVerdict:
    """The verdict where the evaluation ended before a step: never only if vLLM refuses."""
    if stop.raised is None:
        return TargetVerdict(target, Verdict.UNPROVEN, blockers=(stop.why,))
    return refused(target, stop.stage)


def refused(target: str, stage: str | None) -> TargetVerdict:
    """The verdict in a deployment that vLLM refuses at this stage."""
    return TargetVerdict(target, Verdict.NEVER, because=f"vLLM refuses this deployment ({stage})")


def with_assumptions(verdict: TargetVerdict, ids: Sequence[str]) -> TargetVerdict:
    """The verdict with further assumptions."""
    return replace(verdict, assumptions=tuple(dict.fromkeys((*verdict.assumptions, *ids))))
