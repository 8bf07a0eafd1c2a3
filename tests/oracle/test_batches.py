"""A sample of the recorded layers, batch by batch; all of them: see the module."""

from __future__ import annotations

import pytest

from oracle.batches import ask, built
from oracle.layers import compare
from oracle.selection import SHARED
from support.realtree import real_tree

EVERY = 13
"""A prime."""

pytestmark = [pytest.mark.network, pytest.mark.slow]


@pytest.mark.parametrize("version", ["0.16.0", "0.22.1", "0.26.0", "0.33.0"])
def test_a_sample_of_the_recorded_batches(version: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("NOT TESTED: the records of vLLM's layers are not beside the checkout")
    real_tree(version)
    sample = [r for r in built() if r["version"] == version][::EVERY]
    wrong = compare(sample, verbose=False, ask=ask)
    assert sample
    assert [found for _, found in wrong] == []
