"""A sample of the records of vLLM's CPU build at work; all of them: see the module."""

from __future__ import annotations

import pytest

from oracle.cpu_runs import compare, records
from oracle.selection import SHARED
from support.realtree import real_tree

SAMPLE = (
    ("0.16.0", "dsv2"), ("0.28.0", "dsv2"), ("0.28.0", "minicpm3"), ("0.29.0", "dsv2-cpu_mla"),
    ("0.32.0", "dsv2-mixed"), ("0.32.0", "dsv2-kv_fp8"), ("0.32.0", "minicpm3"),
)  # fmt: skip
"""Refusals of each kind, layers that are not MLA, both backends."""

pytestmark = [pytest.mark.network, pytest.mark.slow]


@pytest.mark.parametrize(("version", "variant"), SAMPLE)
def test_a_sample_of_the_recorded_runs(version: str, variant: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("NOT TESTED: the records of vLLM's runs are not beside the checkout")
    real_tree(version)
    (record,) = [r for r in records() if (r["version"], r["variant"]) == (version, variant)]
    found = compare(record)
    assert (found.wrong, found.never, found.always) == ([], [], [])
    assert found.lines
    assert found.definite_given >= 0.9
