"""The properties: whatever CPython does on some input, the evaluator has seen."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mlapath.engine.budget import Budget, OutOfBudget
from mlapath.engine.control import PyRaise
from mlapath.engine.interp import Engine, run_deep
from mlapath.ir.lower import lower_module
from mlapath.models.libraries import LIBRARIES
from mlapath.models.registry import Models
from mlapath.resolve.program import Program
from mlapath.values.objects import ModuleObj
from mlapath.values.truth import Truth
from mlapath.values.union import union
from mlapath.values.value import Union, Unknown, V
from soundness import observe
from soundness.cover import names_covered
from soundness.observe import MODULE, PATH, Sample
from support.differential import FakeFacts, Sources

STEPS = 30_000
NAMED_CALLERS = sys.version_info >= (3, 11)


@dataclass
class Evaluated:
    """What the evaluator made of a program. ``raised``: the exception that certainly ends it."""

    engine: Engine
    module: ModuleObj
    raised: PyRaise | None


def evaluate(source: str) -> Evaluated:
    """Evaluate a program; raises OutOfBudget where it takes too long."""
    program = Program([Sources({PATH: source})], lower_module)
    facts = FakeFacts(modules={"outside": Truth.TRUE})
    engine = Engine(program, Models(LIBRARIES), facts, Budget(STEPS))
    kept: list[ModuleObj] = []
    raised: list[PyRaise] = []

    def task() -> None:
        try:
            engine.import_module(MODULE)
        except PyRaise as error:
            raised.append(error)

    load = engine.program.load

    def remember(path: str) -> Any:
        if MODULE in engine.modules and not kept:
            kept.append(engine.modules[MODULE])
        return load(path)

    engine.program.load = remember  # type: ignore[method-assign]
    run_deep(task)
    return Evaluated(engine, kept[0], raised[0] if raised else None)


def _is_known(value: V) -> bool:
    return type(value.d) not in (Unknown, Union)


def _error_names(engine: Engine, value: V) -> set[str] | None:
    """The classes that an exception may have; None: any."""
    if type(value.d) is Unknown:
        return None
    if type(value.d) is Union:
        names: set[str] = set()
        for option in value.d.options:
            found = _error_names(engine, option)
            if found is None:
                return None
            names |= found
        return names
    return {engine.type_name(value)}


def violations(source: str, found: Evaluated, samples: Iterable[Sample]) -> list[str]:
    """What the evaluator missed, or wrongly took for certain."""
    problems: list[str] = []
    trace = found.engine.trace
    edges = {(e.caller, e.pos[0] if e.pos else 0, e.callee) for e in trace.calls.values()}
    certain = {(e.caller, e.pos[0] if e.pos else 0, e.callee)
               for e in trace.calls.values() if e.certain}  # fmt: skip
    always = {e.callee for e in trace.calls.values() if e.covered}
    callees = {callee for _, _, callee in edges}
    for sample in samples:
        unseen = sample.lines - trace.lines.get(PATH, set())
        problems += [f"line {line} runs" for line in sorted(unseen)]
        missing = sample.entered - callees
        if NAMED_CALLERS:
            problems += [f"call {call} is made" for call in sorted(sample.calls - edges)]
            missing |= {callee for _, _, callee in sample.calls} - callees
        problems += [f"{name} is called" for name in sorted(missing)]
        if sample.error is None:
            problems += _completed(found, sample, certain, always)
        elif found.raised is not None and found.raised.explicit and found.raised.pos and (
            found.raised.pos[0] == sample.error_line):  # fmt: skip
            there = [r.raised.exc for r in trace.refusals if r.raised.pos == found.raised.pos]
            names = _error_names(found.engine, union([found.raised.exc, *there]))
            if names is not None and type(sample.error).__name__ not in names:
                problems.append(f"{sample.error!r} ends it, not {sorted(names)}")
    return problems


def _completed(
    found: Evaluated, sample: Sample, certain: set[observe.Call], always: set[str]
) -> list[str]:
    problems: list[str] = []
    if found.raised is not None:
        name = found.engine.type_name(found.raised.exc)
        return [f"it completes, but {name} was certain at {found.raised.pos}"]
    made = {callee for _, _, callee in sample.calls} | sample.entered
    problems += [f"{callee} is not called" for callee in sorted(always - made)]
    if NAMED_CALLERS:
        problems += [f"call {call} is not made" for call in sorted(certain - sample.calls)
                     if call[2] not in sample.entered and call[2] in made]  # fmt: skip
    return problems + names_covered(found.module.ns, sample.names)


def check(source: str, seeds: Iterable[int] = range(6)) -> list[str] | None:
    """The violations of a program; None where it is of no use (too long, nothing completes)."""
    samples = [s for s in (observe.run(source, seed) for seed in seeds) if s is not None]
    if not samples:
        return None
    try:
        found = evaluate(source)
    except OutOfBudget:
        return None
    return violations(source, found, samples)


__all__ = ["check", "evaluate", "violations"]
