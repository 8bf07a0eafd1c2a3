"""The flags of real vLLM releases, read from their own command-line code."""

from __future__ import annotations

from functools import lru_cache

import pytest

from mlapath.base.errors import NetworkError, UsageError
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.ir.load import KIND, load_module
from mlapath.resolve.program import Program
from mlapath.scenario.engine_flags import FlagTable, read_flag_table
from mlapath.source import list_releases, open_tree

pytestmark = pytest.mark.network

VERSIONS = ("0.16.0", "0.20.2", "0.26.0", "0.29.0", "0.33.0")
WITHOUT_FLAG = {
    "model_weights", "_api_process_count", "_api_process_rank", "quantization_config",
    "enable_mm_processor_stats", "mamba_config",
}  # fmt: skip
"""Fields of the engine's arguments that some release offers no flag for."""


@lru_cache(maxsize=32)
def table(version: str) -> FlagTable:
    cache = CacheDir.default()
    store = BlobStore(cache, KIND)
    try:
        tree = open_tree(version, cache=cache)
    except NetworkError as error:
        pytest.skip(f"NOT TESTED, the package index cannot be reached: {error}")
    program = Program([tree], lambda text, path: load_module(text, path, store))
    return read_flag_table(program, version)


def check_whole(version: str) -> None:
    """Everything was read, and every field has its flag."""
    found = table(version)
    assert found.skipped == ()
    assert len(found.flags) > 200
    named = {flag.dest for flag in found.flags}
    assert {each.name for each in found.fields} - named <= WITHOUT_FLAG
    assert sum(not flag.engine for flag in found.flags) > 40


@pytest.mark.parametrize("version", VERSIONS)
def test_everything_is_read(version: str) -> None:
    check_whole(version)


@pytest.mark.slow
def test_everything_is_read_in_every_release() -> None:
    try:
        releases = list_releases(cache=CacheDir.default())
    except NetworkError as error:
        pytest.skip(f"NOT TESTED, the package index cannot be reached: {error}")
    for version in releases[releases.index("0.16.0") :]:
        check_whole(version)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("tokens", "engine"),
    [
        (["-tp", "8"], {"tensor_parallel_size": 8}),
        (["--tensor_parallel_size=8"], {"tensor_parallel_size": 8}),
        (["--kv-cache-dtype", "fp8"], {"kv_cache_dtype": "fp8"}),
        (["--block-size", "64"], {"block_size": 64}),
        (["--enforce-eager"], {"enforce_eager": True}),
        (["--no-enable-prefix-caching"], {"enable_prefix_caching": False}),
        (["--max-num-batched-tokens", "8k"], {"max_num_batched_tokens": 8000}),
        (["--max-model-len", "4K"], {"max_model_len": 4096}),
        (["--max-model-len", "auto"], {"max_model_len": -1}),
        (["--attention-backend", "FLASHMLA"], {"attention_backend": "FLASHMLA"}),
        (["-O0"], {"optimization_level": "0"}),
        (["-dcp", "2", "-dp", "4", "-ep"],
         {"decode_context_parallel_size": 2, "data_parallel_size": 4,
          "enable_expert_parallel": True}),
        (["--hf-overrides", '{"index_topk": null}'], {"hf_overrides": {"index_topk": None}}),
        (["--speculative-config", '{"method": "mtp", "num_speculative_tokens": 1}'],
         {"speculative_config": {"method": "mtp", "num_speculative_tokens": 1}}),
        (["--compilation-config", '{"cudagraph_mode": "NONE"}'],
         {"compilation_config": {"cudagraph_mode": "NONE"}}),
        (["-cc.mode", "3", "--compilation-config.pass_config.fuse_norm_quant=true"],
         {"compilation_config": {"pass_config": {"fuse_norm_quant": True}}}),
        (["--attention-config.backend", "FLASHMLA"],
         {"attention_config": {"backend": "FLASHMLA"}}),
        (["--kv-transfer-config", '{"kv_connector": "C", "kv_role": "kv_both"}'],
         {"kv_transfer_config": {"kv_connector": "C", "kv_role": "kv_both"}}),
        (["--cudagraph-capture-sizes", "1", "2", "4"], {"cudagraph_capture_sizes": [1, 2, 4]}),
    ],
)  # fmt: skip
def test_flags(version: str, tokens: list[str], engine: dict[str, object]) -> None:
    parsed = table(version).parse(tokens)
    assert parsed.engine == engine
    assert parsed.frontend == {}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_whole_server_line(version: str) -> None:
    parsed = table(version).parse(
        ["org/model", "--port", "8001", "--served-model-name", "a", "b", "--api-server-count", "2",
         "--compilation-config", "{}"]
    )  # fmt: skip
    assert parsed.model == "org/model"
    assert parsed.engine == {"served_model_name": ["a", "b"], "compilation_config": {}}
    assert parsed.frontend == {"api_server_count": 2, "port": 8001}
    assert parsed.config_classes == {
        "compilation_config": "vllm.config.compilation.CompilationConfig"
    }


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["--enforce-eagre"], "has no engine flag --enforce-eagre; did you mean --enforce-eager"),
        (["--block-size", "x"], "--block-size 'x': "),
        (["--dtype", "fp8"], "--dtype 'fp8': choose from auto, bfloat16, "),
        (["--compilation-config", '{"mod": 3}'], "CompilationConfig has no field 'mod'"),
        (["--speculative-config", "{"], "--speculative-config '{': not JSON"),
        (["--tensor-parallel-size"], "expected one argument"),
    ],
)
def test_mistakes(version: str, tokens: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        table(version).parse(tokens)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_each_release_has_its_own() -> None:
    old, new = table("0.16.0"), table("0.33.0")
    assert old.parse(["--swap-space", "4"]).engine == {"swap_space": 4.0}
    with pytest.raises(UsageError, match="vLLM 0.33.0 has no engine flag --swap-space"):
        new.parse(["--swap-space", "4"])
    with pytest.raises(UsageError, match="choose from auto, bfloat16, fp8, fp8_ds_mla"):
        old.parse(["--kv-cache-dtype", "int8"])
    assert new.parse(["--disable-prefix-caching"]).engine == {"enable_prefix_caching": False}
    with pytest.raises(UsageError, match="has no engine flag --disable-prefix-caching"):
        old.parse(["--disable-prefix-caching"])
    number = ["--compilation-config.max_cudagraph_capture_size", "1k"]
    assert new.parse(number).engine == {"compilation_config": {"max_cudagraph_capture_size": 1000}}
    assert old.parse(number).engine == {"compilation_config": {"max_cudagraph_capture_size": "1k"}}
