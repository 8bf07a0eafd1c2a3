"""The checker has teeth: each of these bugs, put into the evaluator, is found by it.

A fixed set of small programs, and of programs of fixed seeds, passes as the evaluator is. With a
bug in it, those that rest on what it breaks must show a violation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from mlapath.engine import expr, fork, generators, guards, loops, matching, opaque, stmt, trycatch
from mlapath.engine.control import NORMAL
from mlapath.engine.interp import Engine
from mlapath.values import join, widen
from mlapath.values.truth import Truth
from mlapath.values.union import options
from mlapath.values.value import V
from soundness import observe
from soundness.check import evaluate, violations
from soundness.observe import Sample
from soundness.programs import program
from soundness.small_programs import small_programs

SEEDS = (66, 70, 71, 87)
RUNS = range(12)

Seed = Callable[[pytest.MonkeyPatch], None]


@cache
def subjects() -> dict[str, str]:
    """All programs, by name."""
    return {**small_programs(), **{f"seed {seed}": program(seed) for seed in SEEDS}}


@cache
def samples(name: str) -> tuple[Sample, ...]:
    """What CPython does with a program on several inputs."""
    runs = (observe.run(subjects()[name], seed) for seed in RUNS)
    return tuple(sample for sample in runs if sample is not None)


def problems(name: str) -> list[str]:
    """The violations that a program shows."""
    return violations(subjects()[name], evaluate(subjects()[name]), samples(name))


@dataclass(frozen=True)
class Bug:
    """A bug, how it is put in, and the programs that must show it."""

    name: str
    put_in: Seed
    shown_by: tuple[str, ...]


def _first_side(it: Any, fr: Any, guard: Any, run_a: Any, run_b: Any) -> Any:
    return run_a()


def _join_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(join, "join", lambda a, b: a)


def _union_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(join, "union", lambda values: V(options(values[-1])[0].d))


def _list_join_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(join, "_join_lists", lambda a, b, why_a, why_b: (a, why_a))


def _loop_never_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (loops, expr, generators):
        monkeypatch.setattr(module, "unknown_loop", lambda *args, **kwargs: None)


def _loop_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widen.Widening, "widen", lambda self, mark, *, hard: None)


def _widening_stops_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widen, "covers", lambda a, b: True)


def _no_havoc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opaque, "havoc", lambda it, value, why, seen=None: None)


def _no_havoc_of_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opaque, "ListObj", None)


def _guards_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    real = guards.guard

    def guard(it: Any, fr: Any, test: Any, value: V) -> Truth:
        truth = real(it, fr, test, value)
        return Truth.TRUE if truth is Truth.UNKNOWN else truth

    monkeypatch.setattr(Engine, "guard", guard)


def _no_else_side(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stmt, "fork", _first_side)


def _no_second_operand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guards, "fork", _first_side)


def _no_further_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "fork", _first_side)


def _libraries_never_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opaque, "may_raise", lambda it, fr, what: None)
    monkeypatch.setattr(Engine, "may_raise", lambda it, fr, what: None)


def _only_the_first_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opaque, "merge_state", lambda it, pending: None)


def _operations_never_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "may_raise_of", lambda it, names, argument: None)
    monkeypatch.setattr(Engine, "may_throw_key", lambda it, index: None)


def _pendings_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fork, "leave", lambda it, fr, pending: it.heap.close(pending.mark))


def _pendings_are_not_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    real = fork.combine

    def combine(
        it: Any, fr: Any, mark: Any, a: Any, da: Any, b: Any, guard: Any, **how: bool
    ) -> Any:
        return real(it, fr, mark, a, da if guard is not None else {}, b, guard, **how)

    monkeypatch.setattr(fork, "combine", combine)


def _only_what_changed_since(monkeypatch: pytest.MonkeyPatch) -> None:
    real = join.merge_current

    def merge(heap: Any, saved: Any) -> None:
        saved.stale.clear()
        real(heap, saved)

    monkeypatch.setattr(fork, "merge_current", merge)


def _finally_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_alternative(it: Any, fr: Any, pending: Any, outcome: Any, run: Any) -> Any:
        it.heap.release(pending)
        return fork.combine(it, fr, pending.mark, pending.outcome, pending.delta, outcome, None)

    monkeypatch.setattr(trycatch, "run_alternative", run_alternative)


def _refined_the_wrong_way(monkeypatch: pytest.MonkeyPatch) -> None:
    real = guards.refine
    monkeypatch.setattr(
        Engine, "refine", lambda it, fr, test, holds: real(it, fr, test, not holds)
    )


def _calls_are_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    def either(calls: list[list[Any]]) -> list[Any]:
        return [entry for entries in calls for entry in entries]

    monkeypatch.setattr("mlapath.engine.certainty._common", either)


def _one_callee(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Engine, "each", lambda it, found, run: run(found[0]))


def _too_many_are_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mlapath.values.union._widest", lambda kept: kept[0])


def _breaks_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    def left(it: Any, fr: Any, s: Any, first: int, outcome: Any) -> Any:
        for pending in fr.pending[first:][::-1]:
            if pending.outcome.kind == "break":
                fork.detach(pending)
                it.heap.discard(pending)
        return fork.resume(NORMAL if outcome.kind == "break" else outcome)

    monkeypatch.setattr(loops, "_left", left)


BUGS = (
    Bug("a join keeps one side", _join_drops,
        ("two values", "an attribute of two values", "seed 70")),
    Bug("a union keeps one value", _union_drops, ("two values", "seed 66")),
    Bug("a join of lists keeps one side", _list_join_drops, ("two lists", "seed 70")),
    Bug("loops of unknown length never run", _loop_never_runs,
        ("a loop of unknown length", "a comprehension over unknown items",
         "a generator over unknown items", "seed 70")),
    Bug("loops of unknown length run once", _loop_runs_once,
        ("a loop of unknown length", "a loop that goes through states", "seed 70")),
    Bug("widening stops early", _widening_stops_early,
        ("a loop that goes through states", "seed 70")),
    Bug("unknown calls write nothing", _no_havoc, ("a call of one of many functions",)),
    Bug("unknown calls write to no list", _no_havoc_of_lists,
        ("a call of one of many functions",)),
    Bug("unknown guards hold", _guards_hold,
        ("an unknown guard", "an unknown guard in an expression", "seed 66")),
    Bug("no else side", _no_else_side, ("an unknown guard", "seed 66")),
    Bug("no second operand", _no_second_operand,
        ("an unknown guard in an expression", "seed 66")),
    Bug("no further case", _no_further_case, ("cases", "seed 66")),
    Bug("libraries never raise", _libraries_never_raise, ("what a library raises",)),
    Bug("libraries raise once", _only_the_first_raise, ("what a library raises",)),
    Bug("operations never raise", _operations_never_raise, ("a key that may be missing",)),
    Bug("pendings are dropped", _pendings_are_dropped,
        ("an early return", "a break and an exception", "seed 70")),
    Bug("pendings are not joined", _pendings_are_not_joined, ("an early return", "seed 66")),
    Bug("what an alternative alone wrote is not merged", _only_what_changed_since,
        ("one place raises in two states",)),
    Bug("finally runs once", _finally_runs_once, ("code of a finally",)),
    Bug("refined the wrong way", _refined_the_wrong_way, ("what a guard says", "seed 70")),
    Bug("calls are certain", _calls_are_certain, ("an unknown guard", "seed 66")),
    Bug("one callee of several", _one_callee, ("a function of two",)),
    Bug("too many values are the first", _too_many_are_the_first, ("many values", "seed 66")),
    Bug("breaks are forgotten", _breaks_are_forgotten,
        ("a break and an exception", "seed 70")),
)  # fmt: skip


@pytest.mark.parametrize("name", subjects())
def test_passes_as_it_is(name: str) -> None:
    assert samples(name)
    assert problems(name) == []


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_is_found(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in bug.shown_by:
        samples(name)
    bug.put_in(monkeypatch)
    silent = [name for name in bug.shown_by if not problems(name)]
    assert not silent
