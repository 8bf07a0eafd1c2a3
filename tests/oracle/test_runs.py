"""A sample of the records of vLLM at work on a GPU; all of them: see the module."""

from __future__ import annotations

import sys

import pytest

from oracle.runs import compare, records
from oracle.selection import SHARED
from support.realtree import real_tree

SAMPLE = (
    *((version, name) for name in ("v3_default__cg", "v3_default__eager", "v32_default__cg")
      for version in ("0.22.1", "0.26.0")),
    ("0.22.1", "v3_mtp3_default__cg"), ("0.26.0", "v3_mla_disable__eager"),
    ("0.22.1", "v3_profilemem__cg"), ("0.26.0", "v2arch_default__cg"),
)  # fmt: skip

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
