"""A sample of the records of vLLM at work on a GPU; all of them: see the module."""

from __future__ import annotations

import sys

import pytest

from oracle.runs import compare, failed_records, records
from oracle.selection import SHARED
from support.realtree import real_tree

SAMPLE = (
    ("0.22.1", "v3_default__eager"), ("0.26.0", "v3_default__cg"), ("0.26.0", "v32_default__cg"),
    ("0.22.1", "v3_mtp3_default__cg"), ("0.26.0", "v3_mla_disable__eager"),
    ("0.22.1", "v3_profilemem__cg"), ("0.26.0", "v2arch_default__cg"),
)  # fmt: skip

FAILED = ("v3_dimsD_nope64_v64__eager", "v3_ngram3_TRITON_MLA__cg", "v3_FLASH_ATTN__eager")
"""Runs that ended in an error: in a step, at a capture, at the selection."""

pytestmark = [pytest.mark.network, pytest.mark.slow]


@pytest.mark.parametrize(("version", "name"), SAMPLE)
def test_what_ran_is_not_never_and_what_is_always_ran(version: str, name: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("NOT TESTED: the records of vLLM's runs are not beside the checkout")
    real_tree(version)
    chosen = [r for r in records() if (r["version"], r["name"]) == (version, name)]
    assert chosen
    found = compare(chosen[0])
    assert (found.never, found.always) == ([], [])
    sys.stdout.write(f"{version} {name}: {found.definite_given:.1%} definite\n")
    assert found.definite > 0.5
    assert found.definite_given >= 0.9


@pytest.mark.parametrize("name", FAILED)
def test_a_run_that_ended_in_an_error_is_refused_there(name: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("NOT TESTED: the records of vLLM's runs are not beside the checkout")
    chosen = [r for r in failed_records() if r["name"] == name]
    assert chosen
    for record in chosen:
        real_tree(record["version"])
        found = compare(record)
        assert (found.never, found.always) == ([], [])
