"""Agreement with vLLM's own selection code, row by row of the recorded answers.

``python -m oracle.selection [--every N] [--version V] [--shard I/N]`` (from ``tests``) runs the
rows and prints the disagreements; the test samples them.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from mlapath.app.build import MODEL_FOLDER, make_engine, make_program
from mlapath.app.evaluate import engine_arguments
from mlapath.app.selection import backend_name
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.engine.control import PyRaise
from mlapath.engine.interp import Engine, run_deep
from mlapath.ir.load import KIND, load_module
from mlapath.resolve.program import Program
from mlapath.scenario.devices import parse_device
from mlapath.scenario.facts import Facts
from mlapath.source import Companion, SourceTree, open_companion, open_tree
from mlapath.values.objects import ClassObj
from mlapath.values.truth import Truth
from mlapath.values.value import External, V
from oracle.undo import undone

SHARED = Path(__file__).resolve().parents[3] / "shared" / "oracle"
FILES = ("selection.jsonl.gz", "selection_extra.jsonl.gz")
TRANSFORMERS = "5.19.0"

ALL = ("flashinfer-python", "flashinfer-cubin", "tokenspeed-mla", "deep-gemm",
       "nvidia-cutlass-dsl", "quack-kernels", "tilelang", "nvidia-cudnn-frontend")  # fmt: skip
BARE = ("vllm._C", "vllm._C_stable_libtorch", "vllm.cumem_allocator", "vllm.spinloop",
        "vllm.fs_io_C", "vllm.vllm_flash_attn._vllm_fa2_C")  # fmt: skip
CONFIG: dict[str, Any] = {
    "hidden_size": 7168, "num_hidden_layers": 2, "q_lora_rank": 1536, "kv_lora_rank": 512,
    "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "n_routed_experts": 256,
    "first_k_dense_replace": 1, "max_position_embeddings": 4096, "torch_dtype": "bfloat16",
}  # fmt: skip


def rows() -> list[dict[str, Any]]:
    """Every recorded row, in the order of the files."""
    found: list[dict[str, Any]] = []
    for name in FILES:
        with gzip.open(SHARED / name, "rt", encoding="utf-8") as stream:
            found.extend(json.loads(line) for line in stream)
    return found


def model_config(row: dict[str, Any]) -> dict[str, Any]:
    """The model configuration of a row."""
    config = {**CONFIG, "num_attention_heads": row["num_heads"],
              "num_key_value_heads": row["num_heads"], **row.get("dims", {})}  # fmt: skip
    if row["use_sparse"]:
        return {
            "architectures": ["DeepseekV32ForCausalLM"],
            "model_type": "deepseek_v32",
            **config,
            "index_topk": 2048,
            "index_n_heads": 64,
            "index_head_dim": 128,
        }
    return {"architectures": ["DeepseekV3ForCausalLM"], "model_type": "deepseek_v3", **config}


def engine_flags(row: dict[str, Any]) -> dict[str, Any]:
    """The engine flags of a row."""
    flags: dict[str, Any] = {
        "load_format": "dummy",
        "dtype": row["dtype"],
        "max_model_len": 2048,
        "enforce_eager": True,
        "kv_cache_dtype": row["kv_cache_dtype"],
    }
    if row["block_size"] is not None:
        flags["block_size"] = row["block_size"]
    if row["forced_backend"] is not None:
        flags["attention_config"] = {"backend": row["forced_backend"]}
    return {**flags, **(row.get("engine_args") or {})}


@dataclass(frozen=True)
class World:
    """The machine of some rows."""

    version: str
    capability: str
    libs: str
    env: tuple[tuple[str, str], ...]

    @staticmethod
    def of(row: dict[str, Any]) -> World:
        """The world of a row."""
        env = tuple(sorted((row.get("env") or {}).items()))
        return World(row["version"], row["capability"], row["libs"], env)


def facts_of(world: World, tree: SourceTree) -> Facts:
    """The package facts that the records were made with."""
    everything = world.libs == "all"
    names = ["vllm", "torch", "transformers", "numpy", "pydantic", *(ALL if everything else ())]
    versions: dict[str, str | None] = dict.fromkeys(names, "99.0.0")
    versions.update(torch="2.13.0", transformers=TRANSFORMERS, vllm=world.version)
    for line in tree.requires:
        name = line.split(";")[0].split("[")[0].split("=")[0].split("<")[0].split(">")[0]
        name = name.split("!")[0].split("~")[0].strip()
        if name.lower() not in {*ALL, "deep_gemm"}:
            versions.setdefault(name, None)
    extensions = tree.extensions if everything else [e for e in tree.extensions if e in BARE]
    device = replace(
        parse_device(world.capability),
        product_name=f"NVIDIA Fake SM{world.capability.replace('.', '')}",
    )
    return Facts(device, dict(world.env), versions,
                 frozenset({*extensions, *BARE}),
                 absent=() if everything else ("nvcc", "ninja"), files={})  # fmt: skip


class Harness:
    """Trees and programs, opened once; one engine a world."""

    def __init__(self) -> None:
        self.cache = CacheDir.default()
        self.store = BlobStore(self.cache, KIND)
        self.trees: dict[str, tuple[SourceTree, Companion | None]] = {}
        self.programs: dict[str, Program] = {}

    def program(self, version: str) -> tuple[SourceTree, Program]:
        """The tree of a version and its program."""
        if version not in self.trees:
            tree = open_tree(version, cache=self.cache)
            companion = open_companion("transformers", f"=={TRANSFORMERS}", cache=self.cache)
            self.trees[version] = tree, companion
            self.programs[version] = make_program(
                tree, companion, lambda text, path: load_module(text, path, self.store)
            )
        return self.trees[version][0], self.programs[version]

    def engine(self, world: World, config: dict[str, Any]) -> Engine:
        """A new engine of a world."""
        tree, program = self.program(world.version)
        return make_engine(program, facts_of(world, tree), config)


def give_model(it: Engine, config: dict[str, Any]) -> None:
    """Let the model's folder hold this configuration from now on."""
    it.store["hf_config"] = config
    it.facts.files[f"{MODEL_FOLDER}/config.json"] = json.dumps(config)


def answer(it: Engine, row: dict[str, Any], config: V) -> V:
    """The backend class that the evaluated code selects."""
    driver = it.import_module("mlapath_drivers.select")
    dtype = V(External(f"torch.{row['dtype']}"))
    sparse, heads = V(row["use_sparse"]), V(row["num_heads"])
    if row["mode"] == "engine":
        size = V(row["head_size"])
        dims = row.get("dims")
        if dims:
            size = V(dims["kv_lora_rank"] + dims["qk_rope_head_dim"])
        return it.call(it.getattr(driver, "for_layer"), [config, size, dtype, heads, sparse], {})
    settings = it.heap.dict()
    for name, value in (
        ("head_size", V(576)), ("dtype", dtype), ("kv_cache_dtype", V(row["kv_cache_dtype"])),
        ("block_size", V(row["block_size"])), ("use_mla", V(True)), ("use_sparse", sparse),
    ):  # fmt: skip
        it.dict_set(settings, V(name), value)
    arguments = [config, V(row["forced_backend"]), V(settings), heads]
    return it.call(it.getattr(driver, "direct"), arguments, {})


def describe(it: Engine, backend: V) -> str:
    """``NAME`` of the selected backend, or what it is instead."""
    if type(backend.d) is not ClassObj:
        return f"undecided: {backend.d!r}"
    return backend_name(it, backend) or "unnamed"


CUT = 600
"""Recorded messages end after so many characters."""


def expected(row: dict[str, Any]) -> str:
    """The recorded answer."""
    return row["selected"] or row["error"]


def agrees(row: dict[str, Any], said: str) -> bool:
    """Whether an answer is the recorded one."""
    return said == expected(row) or len(expected(row)) == CUT and said[:CUT] == expected(row)


def run_world(harness: Harness, world: World, wanted: list[dict[str, Any]]) -> Iterator[Any]:
    """(row, answer) for rows of one world; every row runs in a fork that is undone."""
    it = harness.engine(world, model_config(wanted[0]))
    plain: dict[bool, V] = {}
    for row in wanted:
        plain_row = {**row, "dims": {}, "num_heads": 128}
        give_model(it, model_config(row if row["mode"] == "engine" else plain_row))
        direct = row["mode"] == "direct"
        try:
            with undone(it, keep=direct):
                flags = engine_flags(row if not direct else {
                    "dtype": "bfloat16", "kv_cache_dtype": "auto", "block_size": None,
                    "forced_backend": None})  # fmt: skip
                config = plain.get(row["use_sparse"]) if direct else None
                if config is None:
                    driver = it.import_module("mlapath_drivers.config")
                    arguments = engine_arguments(it, flags)
                    config = it.call(it.getattr(driver, "create"), [arguments], {})
                    if direct:
                        plain[row["use_sparse"]] = config
                said = describe(it, answer(it, row, config))
        except PyRaise as raised:
            said = f"{it.type_name(raised.exc)}: {it.message_of(raised.exc)}"
        yield row, said


def _answers(harness: Harness, world: World, wanted: list[dict[str, Any]]) -> list[Any]:
    return list(run_world(harness, world, wanted))


def compare(wanted: list[dict[str, Any]], *, verbose: bool = True) -> list[tuple[Any, str]]:
    """The rows whose answer differs, with ours."""
    harness = Harness()
    worlds: dict[World, list[dict[str, Any]]] = {}
    for row in wanted:
        worlds.setdefault(World.of(row), []).append(row)
    wrong: list[tuple[Any, str]] = []
    for world, members in worlds.items():
        for mode in ("engine", "direct"):
            chosen = [r for r in members if r["mode"] == mode]
            if not chosen:
                continue
            start = time.perf_counter()
            results = run_deep(partial(_answers, harness, world, chosen))
            bad = [(row, said) for row, said in results if not agrees(row, said)]
            wrong.extend(bad)
            if verbose:
                spent = time.perf_counter() - start
                print(
                    f"{world.version} {world.capability} {world.libs} {dict(world.env)} {mode}: "
                    f"{len(chosen) - len(bad)}/{len(chosen)} agree, {spent:.1f} s",
                    flush=True,
                )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--version")
    parser.add_argument("--mode")
    parser.add_argument("--shard", default="0/1")
    options = parser.parse_args()
    index, count = map(int, options.shard.split("/"))
    wanted = [
        r
        for r in rows()
        if options.version in (None, r["version"]) and options.mode in (None, r["mode"])
    ]
    wanted = wanted[:: options.every]
    keys = sorted({str(World.of(r)) for r in wanted})
    wanted = [r for r in wanted if keys.index(str(World.of(r))) % count == index]
    wrong = compare(wanted)
    print(f"{len(wanted) - len(wrong)} passed, {len(wrong)} failed")
    kinds = Counter((expected(r)[:150], said[:150]) for r, said in wrong)
    for (theirs, ours), number in kinds.most_common(25):
        print(f"{number:5}  recorded: {theirs}\n       ours:     {ours}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())


__all__ = ["Truth", "compare", "rows"]
