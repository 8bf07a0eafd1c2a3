"""The closure of ``never``: no place in the tree that names the target can call it.

A proof that needs nothing of what the evaluation of the step saw. Each function that names the
target is evaluated alone, on the layer or its implementation, with arguments that nobody knows:
if guards keep it from the call even so, then no caller, known or not, can bring it there. What
those guards rest on must be stable (``query.closure``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mlapath.app.evaluate import Evaluation, StepResult, alone
from mlapath.engine.trace import Trace
from mlapath.query.sites import PassedBy, passed_by
from mlapath.resolve.references import Reference
from mlapath.values.objects import BoundMethod, FuncObj, Instance
from mlapath.values.value import V

TOLERATED = frozenset({"call", "library", "write"})
"""Limits after which all that is known is still so: what they may change is held against facts."""


@dataclass(frozen=True)
class Closed:
    """Every reference to the target, and the guards before them with the runs that decided so."""

    references: tuple[Reference, ...]
    sites: tuple[tuple[PassedBy, Trace], ...]


def closed(found: Evaluation, name: str, holders: Sequence[Instance]) -> Closed | None:
    """The places that keep every reference to ``name`` from being a call; None: not proven.

    holders: the layer and its implementation.
    """
    mentions = found.engine.program.searches.references(name)
    sites: list[tuple[PassedBy, Trace]] = []
    functions = {(r.path, r.owner, r.function) for r in mentions if r.function != name}
    for path, owner, function in sorted(functions):
        here = [
            r.line for r in mentions if (r.path, r.owner, r.function) == (path, owner, function)
        ]
        methods = _methods(holders, path, owner, function)
        if not methods:
            return None
        for method in methods:
            result = alone(found, method)
            passed = [
                site for site in passed_by(result.trace, found.engine.program, name)
                if site.path == path and site.guard is not None
            ]  # fmt: skip
            if _is_incomplete(result) or not {site.line for site in passed}.issuperset(here):
                return None
            sites.extend((site, result.trace) for site in passed)
    return Closed(mentions, tuple(sites))


def callers_passed_by(
    found: Evaluation, trace: Trace, name: str, holders: Sequence[Instance]
) -> list[PassedBy]:
    """Where the methods that call ``name`` were passed by: none of them ran.

    Only sites in methods of the holders, with the guards that decided so.
    """
    mentions = found.engine.program.searches.references(name)
    callers = {
        r.function for r in mentions
        if r.function != name and _methods(holders, r.path, r.owner, r.function)
    }  # fmt: skip
    classes = {c.full for holder in holders for c in holder.cls.mro}
    return [
        site for caller in sorted(callers)
        for site in passed_by(trace, found.engine.program, caller)
        if site.guard is not None and site.function.rpartition(".")[0] in classes
    ]  # fmt: skip


def _methods(holders: Sequence[Instance], path: str, owner: str, function: str) -> list[V]:
    """The method of that class on each holder that inherits from it, overridden there or not."""
    found: list[V] = []
    for holder in holders:
        for c in holder.cls.mro:
            raw = c.ns.get(function) if (c.name, c.path) == (owner, path) else None
            if raw is not None and type(raw.d) is FuncObj and not raw.d.node.scope.is_generator:
                found.append(V(BoundMethod(raw.d, V(holder))))
    return found


def _is_incomplete(result: StepResult) -> bool:
    """Whether the run ended early, or may have missed something of the function itself."""
    if result.stop is not None:
        return True
    failed = any(
        not (part.explicit or part.possible)
        for refusal in result.trace.refusals
        for part in refusal.raised.parts or (refusal.raised,)
    )
    return failed or any(x.kind not in TOLERATED for x in result.trace.limits.values())
