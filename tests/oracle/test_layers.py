"""A sample of the records of real attention layers; all of them: see the module."""

from __future__ import annotations

import pytest

from oracle.layers import compare, records
from oracle.selection import SHARED
from support.realtree import real_tree

EVERY = 23
"""Of the layers that were built; a prime."""

pytestmark = [pytest.mark.network, pytest.mark.slow]


@pytest.mark.parametrize("version", ["0.16.0", "0.22.1", "0.26.0", "0.33.0"])
def test_a_sample_of_the_recorded_layers(version: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("NOT TESTED: the records of vLLM's layers are not beside the checkout")
    real_tree(version)
    sample = [r for r in records() if r["version"] == version and "backend" in r][::EVERY]
    wrong = compare(sample, verbose=False)
    assert sample
    assert [found for _, found in wrong] == []
