"""The laws of Kleene's three-valued logic, and that it agrees with Python's where all is known."""

from __future__ import annotations

import itertools

import pytest

from mlapath.values.truth import Truth, both, either, negate

ALL = tuple(Truth)
KNOWN = (True, False)
MEANING = {Truth.TRUE: {True}, Truth.FALSE: {False}, Truth.UNKNOWN: {True, False}}


@pytest.mark.parametrize("flag", KNOWN)
def test_known_flags_are_known_truths(flag: bool) -> None:
    assert MEANING[Truth.of(flag)] == {flag}


def test_a_truth_is_not_taken_for_a_flag() -> None:
    for truth in ALL:
        with pytest.raises(TypeError):
            bool(truth)


@pytest.mark.parametrize("a", ALL)
def test_negation(a: Truth) -> None:
    assert MEANING[negate(a)] == {not flag for flag in MEANING[a]}
    assert negate(negate(a)) is a


@pytest.mark.parametrize(("a", "b"), list(itertools.product(ALL, ALL)))
def test_both_and_either_are_exactly_what_is_possible(a: Truth, b: Truth) -> None:
    pairs = list(itertools.product(MEANING[a], MEANING[b]))
    assert MEANING[both(a, b)] == {x and y for x, y in pairs}
    assert MEANING[either(a, b)] == {x or y for x, y in pairs}


@pytest.mark.parametrize(("a", "b"), list(itertools.product(ALL, ALL)))
def test_commutative_and_de_morgan(a: Truth, b: Truth) -> None:
    assert both(a, b) is both(b, a)
    assert either(a, b) is either(b, a)
    assert negate(both(a, b)) is either(negate(a), negate(b))


@pytest.mark.parametrize(("a", "b", "c"), list(itertools.product(ALL, ALL, ALL)))
def test_associative_absorbing_distributive(a: Truth, b: Truth, c: Truth) -> None:
    assert both(both(a, b), c) is both(a, both(b, c))
    assert either(either(a, b), c) is either(a, either(b, c))
    assert both(a, either(a, b)) is a
    assert both(a, either(b, c)) is either(both(a, b), both(a, c))


@pytest.mark.parametrize("a", ALL)
def test_idempotent_with_units(a: Truth) -> None:
    assert both(a, a) is either(a, a) is a
    assert both(a, Truth.TRUE) is either(a, Truth.FALSE) is a
    assert both(a, Truth.FALSE) is Truth.FALSE
    assert either(a, Truth.TRUE) is Truth.TRUE
