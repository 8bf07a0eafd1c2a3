"""What the recorded runs showed of configurations: backends, thresholds, refusals."""

from __future__ import annotations

import pytest

from mlapath.base.verdict import Verdict
from mlapath.findings.model import AttentionGroup, Outcome, Report
from support.realtree import release_report, verdict

pytestmark = [pytest.mark.network, pytest.mark.slow]

TWO = "num_hidden_layers=2"
FEW_HEADS = ("num_attention_heads=16", "num_key_value_heads=16")
"""The heads of the models that were run: the sparse threshold follows from their number."""
SPARSE_KEYS = ("index_topk=2048", "index_n_heads=64", "index_head_dim=128")
OLD, NEW = "0.22.1", "0.26.0"


def report(version: str, model: str, *flags: str, sets: tuple[str, ...] = (),
           device: str = "h200", **words: tuple[str, ...]) -> Report:  # fmt: skip
    return release_report(version, model, device, flags, sets=(TWO, *sets), **words)


def latent(found: Report) -> AttentionGroup:
    return next(group for group in found.attention if group.mla)


DENSE = [
    ((), (), "FLASH_ATTN_MLA", 512),
    (("--dtype", "float16"), (), "FLASH_ATTN_MLA", 512),
    ((), ("q_lora_rank=null",), "FLASH_ATTN_MLA", 512),
    ((), ("kv_lora_rank=256",), "FLASH_ATTN_MLA", 512),
    ((), ("qk_nope_head_dim=192", "v_head_dim=256"), "FLASH_ATTN_MLA", 512),
    (("--block-size", "16"), (), "FLASH_ATTN_MLA", 512),
    (("--block-size", "128"), (), "FLASH_ATTN_MLA", 512),
    (("--kv-cache-dtype", "fp8"), (), "FLASHMLA", 128),
    (("--attention-backend", "TRITON_MLA"), (), "TRITON_MLA", 1),
]


@pytest.mark.parametrize("version", [OLD, NEW])
@pytest.mark.parametrize(("flags", "sets", "backend", "threshold"), DENSE)
def test_dense(version, flags, sets, backend, threshold):
    group = latent(report(version, "deepseek-v3", *flags, sets=sets))
    assert (group.backend, group.reorder_batch_threshold) == (backend, threshold)


@pytest.mark.parametrize(
    ("version", "flags", "backend", "threshold", "cache"),
    [
        (OLD, (), "FLASHMLA_SPARSE", None, "auto"),
        (NEW, (), "FLASH_ATTN_MLA_SPARSE", 128, "auto"),
        (OLD, ("--kv-cache-dtype", "fp8"), "FLASHMLA_SPARSE", None, "fp8_ds_mla"),
        (NEW, ("--kv-cache-dtype", "fp8"), "FLASHMLA_SPARSE", 128, "fp8_ds_mla"),
    ],
)
def test_sparse(version, flags, backend, threshold, cache):
    group = latent(report(version, "deepseek-v3.2", *flags, sets=FEW_HEADS))
    assert (group.backend, group.kv_cache_dtype) == (backend, cache)
    if threshold is not None:
        assert group.reorder_batch_threshold == threshold


@pytest.mark.parametrize("version", [OLD, NEW])
def test_the_key_decides_and_not_the_architecture(version):
    found = report(version, "deepseek-v3", sets=(*SPARSE_KEYS, *FEW_HEADS))
    assert latent(found).sparse is True
    refused = report(version, "deepseek-v3.2", unsets=("index_topk",))
    assert refused.outcome is Outcome.REFUSES
    assert refused.refusal is not None
    assert refused.refusal.evidence[-1].text == "assert is_v32"


@pytest.mark.parametrize("version", [OLD, NEW])
def test_without_mla(version):
    (group,) = report(version, "deepseek-v3", env=("VLLM_MLA_DISABLE=1",)).attention
    assert (group.backend, group.mla) == ("FLASH_ATTN", False)


SMALL_HEADS = ("qk_nope_head_dim=64", "v_head_dim=64")


def test_dimensions_without_a_kernel_end_the_first_long_prompt():
    """A short one is served; the error comes out of the compiled operator."""
    short = report(OLD, "deepseek-v3", sets=SMALL_HEADS, batch="100")
    assert short.outcome is Outcome.RUNS
    assert verdict(short, "forward_mha").verdict is Verdict.NEVER
    long = report(OLD, "deepseek-v3", sets=SMALL_HEADS, batch="600")
    assert long.refusal is not None
    assert (long.refusal.exception, long.refusal.stage) == ("RuntimeError", "step")
    assert verdict(long, "forward_mha").verdict is Verdict.ALWAYS


def test_a_head_size_that_the_first_step_refuses():
    found = report(OLD, "deepseek-v3", sets=("qk_rope_head_dim=32",), batch="8")
    assert latent(found).backend == "TRITON_MLA"
    assert found.refusal is not None
    assert (found.refusal.exception, found.refusal.stage) == ("ValueError", "step")


@pytest.mark.parametrize("sets", [SMALL_HEADS, ("qk_rope_head_dim=32",)])
def test_the_newer_release_refuses_them_at_the_start(sets):
    found = report(NEW, "deepseek-v3", sets=sets)
    assert found.refusal is not None
    assert found.refusal.stage == "load"
    assert "No valid MLA prefill backend" in found.refusal.message


@pytest.mark.parametrize("version", ["0.26.0", "0.30.0", "0.33.0"])
def test_what_is_selected_may_refuse_to_be_made(version):
    flags = ("--attention-backend", "TRITON_MLA", "--kv-cache-dtype", "fp8")
    found = report(version, "deepseek-v3", *flags, device="a100")
    assert found.refusal is not None
    assert found.refusal.at.startswith("vllm/v1/attention/backends/mla/triton_mla.py:")


@pytest.mark.parametrize(
    ("version", "device", "exception", "backend"),
    [
        ("0.27.1", "cpu:amx", "NotImplementedError", None),
        ("0.28.0", "cpu:amx", "ImportError", None),
        ("0.29.0", "cpu:amx", None, "AMX_MLA"),
        ("0.29.0", "cpu:avx512", None, "CPU_MLA"),
    ],
)
def test_a_cpu(version, device, exception, backend):
    found = report(version, "deepseek-v3", device=device, unsets=("quantization_config",))
    assert (found.refusal and found.refusal.exception) == exception
    assert (latent(found).backend if backend else None) == backend


NGRAM = '{"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_max": 3}'


@pytest.mark.parametrize(
    ("flags", "mode"),
    [
        ((), "FULL_AND_PIECEWISE"),
        (("--compilation-config", '{"cudagraph_mode": "FULL"}'), "FULL_AND_PIECEWISE"),
        (("--compilation-config", '{"mode": 0}'), "NONE"),
        (("--compilation-config", '{"mode": 0, "cudagraph_mode": "FULL"}'), "FULL_DECODE_ONLY"),
        (("--attention-backend", "TRITON_MLA", "--speculative-config", NGRAM), "PIECEWISE"),
    ],
)
def test_what_graphs_are_captured(flags, mode):
    """The tree's own configuration and what the backend supports decide it."""
    assert report(NEW, "deepseek-v3", *flags).settings.cudagraph_mode == mode


@pytest.mark.parametrize("version", [OLD, NEW])
def test_a_forced_backend_does_not_reach_the_model_that_drafts(version):
    mtp = '{"method": "mtp", "num_speculative_tokens": 1}'
    flags = ("--attention-backend", "TRITON_MLA", "--enforce-eager", "--speculative-config", mtp)
    found = report(version, "deepseek-v3", *flags)
    backends = [(group.draft, group.backend) for group in found.attention]
    assert backends == [(False, "TRITON_MLA"), (True, "FLASH_ATTN_MLA")]


@pytest.mark.parametrize(("model", "runner"), [("deepseek-v2", "v2"), ("deepseek-v3", "v1")])
def test_the_model_runner(model, runner):
    assert report(NEW, model).settings.model_runner == runner
