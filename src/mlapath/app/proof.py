"""The proof of a ``never``: what it rests on, and what stands in its way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mlapath.app.closure import Closed, closed
from mlapath.app.evaluate import Evaluation, Layer, StepResult
from mlapath.engine.trace import Limit, Trace
from mlapath.findings.model import Obligation
from mlapath.query.closure import check, facts_behind, stored_under
from mlapath.query.sites import PassedBy
from mlapath.resolve.writes import WriteSite
from mlapath.values.objects import Instance


@dataclass(frozen=True)
class Proof:
    """Facts that were held against the tree, and why the proof is incomplete, if it is."""

    obligations: tuple[Obligation, ...]
    blockers: tuple[str, ...]


def prove(
    found: Evaluation, layer: Layer, result: StepResult, name: str, decided: Sequence[PassedBy]
) -> Proof:
    """Whether the target ``name``, which the step did not reach, is reached in none.

    decided: the call sites that the step passed by, with the guards that decided so.

    What the step left open stands in the way, unless the closure needs nothing of it.
    """
    held = holders(layer)
    builder = [result.builder.d] if result.builder is not None else []
    may_hold = [*held, *(d for d in builder if type(d) is Instance)]
    ran = [t for t in (found.setup, result.before, result.trace) if t is not None]
    proof = stable(found, ran, may_hold, [(site, result.trace) for site in decided])
    left_open = (*open_calls(found, result.trace), *_handed_over(result.trace, name),
                 *failures(result.trace))  # fmt: skip
    if not left_open:
        return proof
    whole = closed(found, name, held)
    if whole is not None:
        again = stable(found, ran, may_hold, whole.sites)
        if not again.blockers:
            return Proof((_named(name, whole), *again.obligations), ())
    return Proof(proof.obligations, (*left_open, *proof.blockers))


def holders(layer: Layer) -> list[Instance]:
    """The layer and its implementation."""
    implementation = layer.value.d.attrs.get("impl") if type(layer.value.d) is Instance else None
    values = (layer.value, implementation) if implementation is not None else (layer.value,)
    return [v.d for v in values if type(v.d) is Instance]


def _named(name: str, whole: Closed) -> Obligation:
    return Obligation(
        f"every place that names {name}",
        tuple(dict.fromkeys(f"{r.path}:{r.line}" for r in whole.references)),
        "it is a function of that name itself, or its guards keep it from the call whatever its "
        "arguments are",
    )


def stable(
    found: Evaluation, evaluated: Sequence[Trace], held: Sequence[Instance],
    sites: Sequence[tuple[PassedBy, Trace]],
    excused: Callable[[WriteSite], bool] = lambda _: False,
) -> Proof:  # fmt: skip
    """The second opinion: the facts behind the guards must be stable.

    evaluated: what ran of the deployment; writes there are accounted for. held: the objects that
    the facts may be attributes of. sites: with the trace in which their guards were decided.
    excused: writes that are known not to be made.
    """
    program = found.engine.program
    ran = list({id(trace): trace for trace in (*evaluated, *(t for _, t in sites))}.values())
    stored = stored_under(held)
    obligations: list[Obligation] = []
    blockers: list[str] = []
    facts = {f.attr: f for site, trace in sites if site.guard is not None
             for f in facts_behind(site.guard.origin, trace, program.text, held)}  # fmt: skip
    for fact in facts.values():
        checked = check(fact, held, ran, program.searches, stored)
        obligations.append(Obligation(
            f"{fact.attr} as set at {fact.path}:{fact.line}",
            tuple(f"{w.path}:{w.line}" for w in checked.sites), checked.why,
        ))  # fmt: skip
        blockers.extend(
            f"{w.path}:{w.line} may write {w.receiver or 'setattr'}.{fact.attr}"
            for w in checked.blockers
            if not excused(w)
        )
    blockers.extend(unread_files(found))
    loose = set().union(*(trace.loose for trace in ran))
    blockers.extend(f"{path}:{line} writes .{attr} of something unknown"
                    for attr, path, line in sorted(loose) if attr in facts)  # fmt: skip
    return Proof(tuple(obligations), tuple(blockers))


def unread_files(found: Evaluation) -> tuple[str, ...]:
    """Files of the tree that no search saw: they may call or write anything."""
    tree = found.engine.program.trees[0]
    return tuple(f"{path} cannot be read" for path in getattr(tree, "unreadable", ()))


def open_calls(found: Evaluation, step: Trace) -> list[str]:
    """What was not looked into in the step, where that could be or lead to a call of the target.

    A library function does not call the tree but for what it was handed. An attribute of
    something unknown that nothing in the tree is called is a library's.
    """
    return [
        f"{limit.path}:{limit.line} {limit.why}" if limit.line else limit.why
        for limit in step.limits.values()
        if not limit.path.startswith("<") and not _is_librarys(found, limit)
    ]


def _is_librarys(found: Evaluation, limit: Limit) -> bool:
    if limit.kind == "library":
        return True
    return limit.kind == "call" and bool(limit.name) and not _is_bound(found, limit.name)


def _is_bound(found: Evaluation, name: str) -> bool:
    """Whether the tree binds a name to anything but a local variable, as far as its text shows."""
    tree = found.engine.program.trees[0]
    bound = re.compile(
        rf"\bdef {name}\b|\.{name}\b\s*(?::[^=\n]+)?=(?!=)|^\s+{name}\s*[:=](?!=)"
        rf"|['\"]{name}['\"]".encode(),
        re.MULTILINE,
    )
    return any(bound.search(data) for data in _texts(tree) if name.encode() in data)


def _texts(tree: Any) -> Iterable[bytes]:
    for path in tree.files:
        if path.endswith(".py"):
            try:
                yield (tree.root / path).read_bytes()
            except OSError:
                continue


def _handed_over(step: Trace, name: str) -> list[str]:
    """Code outside the tree that was handed the target itself may call it."""
    return [
        f"{full} is handed to code that is not looked into"
        for full in sorted(step.escaped) if full.rpartition(".")[2] == name
    ]  # fmt: skip


def failures(step: Trace) -> list[str]:
    """Operations that fail on an alternative of the step: it may lead on where inputs fit."""
    raised = [
        part for refusal in step.refusals for part in refusal.raised.parts or (refusal.raised,)
        if not (part.explicit or part.possible)
    ]  # fmt: skip
    return list(dict.fromkeys(
        f"{r.path}:{r.pos[0] if r.pos else 0} fails on an alternative"
        for r in raised if r.path and not r.path.startswith("<")
    ))  # fmt: skip
