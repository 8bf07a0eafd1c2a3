"""AMD's devices: what the release's own platform selects there."""

from __future__ import annotations

import pytest

from mlapath.findings.model import Outcome, Report
from support.realtree import release_report

pytestmark = [pytest.mark.network, pytest.mark.slow]

BOTH = ("aiter", "flash-attn")
AITER = ("VLLM_ROCM_USE_AITER=1",)


def report(version: str, model: str, **words: tuple[str, ...]) -> Report:
    return release_report(version, model, "mi300x", (), sets=("num_hidden_layers=2",), **words)


def backends(found: Report) -> list[str | None]:
    return [group.backend for group in found.attention if group.mla]


@pytest.mark.parametrize("version", ["0.22.1", "0.33.0"])
def test_without_aiter_a_dense_model_takes_triton(version):
    found = report(version, "deepseek-v3", present=BOTH)
    assert (found.outcome, backends(found)) == (Outcome.RUNS, ["TRITON_MLA"])


@pytest.mark.parametrize(
    ("model", "backend"),
    [("deepseek-v3", "ROCM_AITER_MLA"), ("deepseek-v3.2", "ROCM_AITER_MLA_SPARSE")],
)
def test_with_aiter_both_kinds_take_its_kernels(model, backend):
    found = report("0.22.1", model, env=AITER, present=BOTH)
    assert (found.outcome, backends(found)) == (Outcome.RUNS, [backend])


def test_a_sparse_model_needs_aiter():
    found = report("0.22.1", "deepseek-v3.2", present=BOTH)
    assert found.outcome is Outcome.REFUSES
    assert found.refusal is not None
    assert "VLLM_ROCM_USE_AITER=1" in found.refusal.message


def test_whether_the_packages_are_there_is_not_known_and_said():
    found = report("0.22.1", "deepseek-v3", env=AITER)
    assert found.outcome is Outcome.UNPROVEN
    assert "A14" in [assumption.id for assumption in found.assumptions]
