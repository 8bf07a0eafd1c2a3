"""A sample of the recorded GPU runs, step by step; all of them: see the module."""

from __future__ import annotations

import pytest

from oracle.selection import SHARED
from oracle.steps import compare, records
from support.realtree import real_tree

SAMPLE = (
    ("0.22.1", "v3_chunk1024b__eager"),
    ("0.26.0", "v3_mtp1_default__eager"),
    ("0.26.0", "v32_chunk1024__eager"),
    ("0.26.0", "v3_prefixcache__eager"),
)
"""Chunks, speculation, the sparse limit, a hit in the prefix cache."""

pytestmark = [pytest.mark.network, pytest.mark.slow]


@pytest.mark.parametrize(("version", "name"), SAMPLE)
def test_a_sample_of_the_recorded_steps(version: str, name: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("NOT TESTED: the records of vLLM's runs are not beside the checkout")
    real_tree(version)
    sample = [r for r in records() if (r["version"], r["name"]) == (version, name)]
    wrong = compare(sample, verbose=False)
    assert sample
    assert [found for _, found in wrong] == []
