"""A sample of the recorded answers of vLLM's own selection code; all of them: see the module."""

from __future__ import annotations

import pytest

from oracle.selection import SHARED, compare, expected, rows
from support.realtree import real_tree

EVERY = 211
"""A prime, so that the sample walks through every dimension of the records."""

pytestmark = [pytest.mark.network, pytest.mark.slow]


@pytest.mark.parametrize("version", ["0.16.0", "0.22.1", "0.26.0", "0.33.0"])
def test_a_sample_of_the_recorded_selections(version: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("NOT TESTED: the records of vLLM's selection are not beside the checkout")
    real_tree(version)
    sample = [row for row in rows() if row["version"] == version][::EVERY]
    wrong = compare(sample, verbose=False)
    assert sample
    assert [(expected(row), said) for row, said in wrong] == []
