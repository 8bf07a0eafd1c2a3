"""The cases of this folder: what the evaluator says of small programs, and that CPython agrees."""

from __future__ import annotations

from typing import Any

import pytest

from mlapath.graph.build import build
from mlapath.query.reach import reach
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.union import options
from mlapath.values.value import ABSENT, Unknown, V
from soundness import observe
from soundness.check import Evaluated, evaluate, violations
from soundness.observe import MODULE, Sample
from support.literate import MARK, UNBOUND, UNKNOWN, Case, read_cases, shown

RUNS = range(40)
ALL = list(read_cases())


def params() -> list[Any]:
    """The cases; those that show a known fault must go on failing."""
    return [
        pytest.param(case, id=case.id, marks=[
            pytest.mark.xfail(strict=True, reason=case.fault, raises=AssertionError)
        ] if case.fault else [])
        for case in ALL
    ]  # fmt: skip


def said(value: V | None) -> set[str]:
    """The values that a name may have, as a case writes them down."""
    if value is None:
        return {UNBOUND}
    found = set()
    for option in options(value):
        if option.d is ABSENT:
            found.add(UNBOUND)
        elif type(option.d) is Unknown:
            found.add(UNKNOWN)
        else:
            try:
                found.add(repr(to_py(option)))
            except NotConcrete:
                found.add(UNKNOWN)
    return found


def runs_of(found: Evaluated, number: int) -> str:
    """Whether a marked statement runs."""
    return reach(build(found.engine.trace), f"{MODULE}.{MARK}{number}").verdict.value


def executed(case: Case) -> list[Sample]:
    """What CPython does with the program: once, or on several inputs."""
    samples = [observe.run(case.marked, seed) for seed in (RUNS if not case.known else (0,))]
    assert all(sample is not None for sample in samples), "it takes too long"
    return [sample for sample in samples if sample is not None]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in ALL])
def test_cpython_agrees_with_the_case(case: Case) -> None:
    samples = executed(case)
    if case.raises:
        assert {type(sample.error).__name__ for sample in samples} == {case.raises}
        return
    assert [sample.error for sample in samples if sample.error] == []
    for name, wanted in case.values.items():
        seen = {
            repr(sample.names[name]) if name in sample.names else UNBOUND for sample in samples
        }  # fmt: skip
        expected = {shown(value) for value in wanted}
        assert seen <= expected if UNKNOWN not in expected else len(seen) > 1, (name, seen)
        assert UNKNOWN in expected or seen == expected, (name, seen)
    for number, wanted in case.lines.items():
        mark = f"{MODULE}.{MARK}{number}"
        times = sum(any(call[2] == mark for call in sample.calls) for sample in samples)
        part = "never" if not times else "always" if times == len(samples) else "conditional"
        assert part == wanted, f"line {number} runs in {times} of {len(samples)}"


@pytest.mark.parametrize("case", params())
def test_the_evaluator_says_so(case: Case) -> None:
    found = evaluate(case.marked)
    if case.raises:
        assert found.raised is not None
        assert found.engine.type_name(found.raised.exc) == case.raises
        return
    assert found.raised is None, found.engine.type_name(found.raised.exc)
    values = {name: said(found.module.ns.get(name)) for name in case.values}
    assert values == {name: set(map(shown, wanted)) for name, wanted in case.values.items()}
    assert {number: runs_of(found, number) for number in case.lines} == case.lines
    assert violations(case.marked, found, executed(case)) == []
