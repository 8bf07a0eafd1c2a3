"""Which of the two paths a step takes, by its batch: what runs on one H200 showed."""

from __future__ import annotations

import json

import pytest

from support.batches import paths

pytestmark = [pytest.mark.network, pytest.mark.slow]

SMALL = ("num_hidden_layers=4", "num_attention_heads=16", "num_key_value_heads=16")
"""The heads of the model that was run: the sparse threshold follows from their number."""

DENSE = {
    (): {
        "8": "Q", "100": "Q", "128": "Q", "129": "Q", "512": "Q", "513": "A", "37": "Q",
        "600": "A", "8+100+600+1500": "AQ", "100+50": "Q", "1@8+700": "AQ", "1@8x2+600": "AQ",
        "600+1@8x2": "AQ", "100@500": "Q", "600@900": "A", "1@100x8": "Q",
    },
    ("--attention-backend", "FLASHMLA"): {
        "8": "Q", "100": "Q", "128": "Q", "129": "A", "512": "A", "513": "A",
        "8+100+600+1500": "AQ", "100+50": "AQ", "1@8+700": "AQ", "100x2": "Q", "8+100": "AQ",
    },
    ("--attention-backend", "TRITON_MLA"): {
        "8": "A", "100": "A", "128": "A", "513": "A", "8+100+600+1500": "A", "1@8+700": "AQ",
        "1@100x8": "Q", "100@500": "A",
    },
}  # fmt: skip


@pytest.mark.parametrize("version", ["0.22.1", "0.26.0"])
@pytest.mark.parametrize("flags", DENSE, ids=lambda flags: flags[-1] if flags else "default")
def test_dense(version, flags):
    wanted = DENSE[flags]
    assert paths(version, "deepseek-v3", "h200", flags, list(wanted), sets=SMALL) == wanted


SPARSE = {
    ("0.22.1", ()): {"8": "Q", "600": "Q", "2049": "Q", "1@8x2+600": "Q", "1@8x4": "Q"},
    ("0.26.0", ()): {
        "8": "Q", "128": "Q", "129": "A", "2048": "A", "2049": "Q", "1@8x2+600": "AQ",
        "1024": "A", "1024@1024": "A", "452@2048": "Q", "1@8x4": "Q",
    },
    ("0.26.0", ("--attention-config", '{"sparse_mla_force_mqa": true}')): {
        "600": "Q", "1@8x2+600": "Q", "2049": "Q", "1@8x4": "Q",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("version", "flags"), SPARSE, ids=lambda x: x if isinstance(x, str) else None
)
def test_sparse(version, flags):
    wanted = SPARSE[version, flags]
    assert paths(version, "deepseek-v3.2", "h200", flags, list(wanted), sets=SMALL) == wanted


NGRAM = json.dumps({
    "method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 3, "prompt_lookup_min": 2,
})  # fmt: skip


@pytest.mark.parametrize(
    ("backend", "step"), [(None, "Q"), ("FLASHMLA", "Q"), ("TRITON_MLA", "A")]
)
def test_a_step_that_verifies_drafts(backend, step):
    flags = ["--speculative-config", NGRAM, "--enforce-eager"]
    flags += [] if backend is None else ["--attention-backend", backend]
    wanted = {"4@100x8": step, "1@100x8": "Q"}
    assert paths("0.22.1", "deepseek-v3", "h200", flags, list(wanted), sets=SMALL) == wanted


@pytest.mark.parametrize(
    ("backend", "prompt"), [(None, "Q"), ("FLASHMLA", "A"), ("TRITON_MLA", "A")]
)
def test_a_context_parallel_group(backend, prompt):
    flags = ["-tp", "2", "-dcp", "2"]
    flags += [] if backend is None else ["--attention-backend", backend]
    wanted = {"8": prompt, "1@100x8": "Q", "600": "A"}
    assert paths("0.22.1", "deepseek-v3", "h200", flags, list(wanted), sets=SMALL) == wanted


def test_many_requests():
    wanted = {"1@100x1000": "Q", "1@100x1000+600": "AQ"}
    assert paths("0.22.1", "deepseek-v3", "h200", (), list(wanted), sets=SMALL) == wanted
