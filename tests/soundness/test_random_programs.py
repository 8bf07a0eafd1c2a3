"""Random programs, evaluated and run by CPython: the evaluator misses nothing."""

from __future__ import annotations

import pytest

from soundness.check import check
from soundness.programs import program

SEEDS = range(1000, 1060)
OPEN = {
    1007: "a line after an alternative that leaves",
    1008: "__exit__ of a class where only an alternative raises",
    1009: "a name that an alternative leaves unbound",
    1017: "__exit__ of a class where only an alternative raises",
    1020: "a call taken for certain",
    1023: "a call taken for certain",
    1026: "a name that an alternative leaves unbound",
    1036: "__exit__ of a class where only an alternative raises",
    1044: "a call taken for certain",
    1058: "__exit__ of a class where only an alternative raises",
}
"""Seeds that show a fault of the evaluator which is not mended yet, and its kind."""


@pytest.mark.parametrize("seed", [
    pytest.param(seed, marks=pytest.mark.xfail(reason=OPEN[seed], strict=True))
    if seed in OPEN else seed
    for seed in SEEDS
])  # fmt: skip
def test_cpython_does_nothing_that_the_evaluator_has_not_seen(seed: int) -> None:
    assert not check(program(seed))
