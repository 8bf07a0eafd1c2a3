"""Does the deployment run, or does vLLM refuse it: where, why, and under which condition."""

from __future__ import annotations

from collections.abc import Sequence

from mlapath.app.conditions import condition_of
from mlapath.app.evaluate import Evaluation, Stop
from mlapath.engine.control import PyRaise
from mlapath.engine.interp import Engine
from mlapath.findings.evidence import steps
from mlapath.findings.model import EvidenceKind, EvidenceStep, Outcome, Refusal, Unresolved
from mlapath.models.pydantic_errors import NAME as WRAPPER
from mlapath.query.chain import chain
from mlapath.values.objects import Instance
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown


def outcome_of(found: Evaluation, stops: Sequence[Stop]) -> tuple[Outcome, Refusal | None]:
    """The outcome, and the refusal where vLLM certainly refuses."""
    stop = found.stop or next((s for s in stops), None)
    if stop is None:
        return Outcome.UNPROVEN if _in_the_dark(found) else Outcome.RUNS, None
    raised = None if stop.raised is None else _certain(stop.raised)
    if raised is None or _failed(stop):
        return Outcome.UNPROVEN, None
    return Outcome.REFUSES, refusal_of(found.engine, _unwrapped(raised), stop.stage)


def _certain(raised: PyRaise) -> PyRaise | None:
    """What is raised; of several that it may be, one that a statement raises on the main line.

    None where one of them is not known.
    """
    parts = [part for part in raised.parts if not part.possible] or [raised]
    if not all(_is_known(part) for part in parts):
        return None
    return min(parts, key=lambda part: (not part.explicit, len(part.guards or ())))


def _failed(stop: Stop) -> bool:
    """An operation of the step failed, perhaps on inputs that a driver made up."""
    return stop.stage == "step" and stop.raised is not None and not stop.raised.explicit


def _unwrapped(raised: PyRaise) -> PyRaise:
    """What the tree itself raised, where pydantic made a ValidationError of it."""
    while (
        type(raised.exc.d) is Instance
        and raised.exc.d.cls.full == WRAPPER
        and raised.cause is not None
        and _is_known(raised.cause)
    ):
        raised = raised.cause
    return raised


def _in_the_dark(found: Evaluation) -> bool:
    """A module on the path could not be parsed, or limits left not one attention layer."""
    store = found.engine.store
    nothing = not found.layers and (found.open or found.engine.trace.limits)
    return bool(store.get("unreadable") or nothing)


def open_notes(found: Evaluation, stops: Sequence[Stop]) -> tuple[str, ...]:
    """One line for each module on the path that could not be parsed, and for an early end."""
    unreadable = sorted(found.engine.store.get("unreadable", {}).items())
    early = [s for s in (found.stop, *stops) if s is not None]
    ends = [s for s in early if s.raised is None]
    failed = [s.raised for s in early if _failed(s) and s.raised is not None]
    it = found.engine
    return (
        *(f"{said}: the file cannot be parsed; what depends on it is not known"
          for _, said in unreadable),
        *(("there may be other layers than these: their number or names are not known",)
          if found.open else ()),
        *dict.fromkeys(f"the evaluation ended early ({s.stage}): {s.why}" for s in ends),
        *dict.fromkeys(
            f"the step fails at {r.path}:{r.pos[0] if r.pos else 0} ({it.type_name(r.exc)}: "
            f"{it.message_of(r.exc)}), or an input of ours does not fit"
            for r in failed
        ),
    )  # fmt: skip


def _is_known(raised: PyRaise) -> bool:
    return type(raised.exc.d) is Instance


def refusal_of(it: Engine, raised: PyRaise, stage: str) -> Refusal:
    """An exception as a refusal, with the chain to where it was raised."""
    path, line = raised.path, raised.pos[0] if raised.pos else 0
    for frame in raised.stack:
        place = frame.partition(" ")[0]
        if not path.startswith("<"):
            break
        path, _, number = place.rpartition(":")
        line = int(number)
    evidence: tuple[EvidenceStep, ...] = ()
    if raised.pos is not None and not raised.path.startswith("<"):
        control = raised.control
        through = steps(chain(control), it.program) if control is not None else ()
        text = it.program.text(raised.path, raised.pos)[:160]
        evidence = (*through, EvidenceStep(f"{path}:{line}", text, None, EvidenceKind.RAISE))
    return Refusal(it.type_name(raised.exc), it.message_of(raised.exc), f"{path}:{line}",
                   evidence, stage)  # fmt: skip


def conditional_refusals(found: Evaluation) -> tuple[Refusal, ...]:
    """Exceptions that only some unknown guard leads to, each place once."""
    it = found.engine
    trace = found.setup
    seen: dict[str, Refusal] = {}
    for entry in trace.refusals if trace is not None else ():
        raised = entry.raised
        if (
            not raised.explicit
            or not _is_known(raised)
            or not raised.path
            or raised.path.startswith("<")
        ):
            continue
        refusal = refusal_of(it, raised, "load")
        guards = list(entry.guards)
        if guards and refusal.at not in seen:
            seen[refusal.at] = Refusal(
                refusal.exception, refusal.message, refusal.at, (), None,
                condition_of(guards[::-1], "", {}),
            )  # fmt: skip
    return tuple(seen.values())


def unresolved_guards(found: Evaluation) -> tuple[Unresolved, ...]:
    """Guards that stayed unknown, in the order of the tree."""
    program = found.engine.program
    result: dict[tuple[str, int], Unresolved] = {}
    trace = found.setup
    for guard in trace.guards.values() if trace is not None else ():
        if Truth.UNKNOWN in guard.truths and guard.path and not guard.path.startswith("<"):
            needs = (
                guard.value.why if type(guard.value) is Unknown else "a value that is not known"
            )
            text = program.text(guard.path, guard.pos)[:160]
            key = (guard.path, guard.pos[0])
            result.setdefault(key, Unresolved(f"{guard.path}:{guard.pos[0]}", text, needs))
    return tuple(result[key] for key in sorted(result))


__all__ = ["conditional_refusals", "open_notes", "outcome_of", "refusal_of", "unresolved_guards"]
