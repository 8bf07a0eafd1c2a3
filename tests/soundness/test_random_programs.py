"""Whatever CPython does on some input, the evaluator has seen; what it calls certain, is.

A failing seed prints its program; ``soundness.shrink`` makes it small.
"""

from __future__ import annotations

import pytest

from soundness.check import check
from soundness.programs import program

CHUNK = 40


def failures(seeds: range) -> tuple[list[str], int]:
    """The reports of the programs that violate a property, and how many were looked at."""
    reports: list[str] = []
    checked = 0
    for seed in seeds:
        source = program(seed)
        try:
            compile(source, "subject.py", "exec")
        except SyntaxError:  # a name is nonlocal and unbound: the writer does not rule that out
            continue
        found = check(source)
        if found is None:
            continue
        checked += 1
        if found:
            reports.append("\n".join([f"seed {seed}:", *found[:5], source]))
    return reports, checked


@pytest.mark.parametrize("chunk", range(4))
def test_random_programs(chunk: int) -> None:
    reports, checked = failures(range(chunk * CHUNK, (chunk + 1) * CHUNK))
    assert not reports, reports[0]
    assert checked > CHUNK * 0.8


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(4, 30))
def test_more_random_programs(chunk: int) -> None:
    reports, _ = failures(range(chunk * CHUNK, (chunk + 1) * CHUNK))
    assert not reports, reports[0]
