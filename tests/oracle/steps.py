"""Agreement with records of GPU runs, step by step: which of the two methods ran.

``python -m oracle.steps [--version V] [--name N] [--every N]`` from ``tests`` runs the eager
records that served.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from mlapath.app.build import make_engine, make_facts, make_program
from mlapath.app.evaluate import evaluate, step
from mlapath.app.verdicts import judge, scene
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.engine.interp import run_deep
from mlapath.ir.load import KIND, load_module
from mlapath.resolve.program import Program
from mlapath.scenario.batch import parse_batch
from mlapath.scenario.devices import parse_device
from mlapath.scenario.packages import PackageFacts
from mlapath.source import Companion, SourceTree, open_companion, open_tree
from oracle.layers import TARGETS
from oracle.selection import SHARED
from oracle.undo import undone

TRANSFORMERS = "5.17.0"
BASE: dict[str, Any] = {
    "load_format": "dummy", "skip_tokenizer_init": True, "max_model_len": 4096,
    "max_num_batched_tokens": 4096, "max_num_seqs": 16, "kv_cache_memory_bytes": 1073741824,
    "gpu_memory_utilization": 0.05, "async_scheduling": False, "enable_prefix_caching": False,
    "dtype": "bfloat16", "seed": 0,
}  # fmt: skip
UNSET = "__unset__"
FLASHINFER = ("flashinfer-python", "flashinfer-cubin")
FA2 = "vllm.vllm_flash_attn._vllm_fa2_C"
ABSENT = {"0.22.1": (FA2, "vllm._moe_C", "vllm._moe_C_stable_libtorch"), "0.26.0": (FA2,)}
SCHEDULED = re.compile(r"sched num_scheduled_tokens=(\[[\d, ]*\])")


def records() -> list[dict[str, Any]]:
    """The eager records that served and have steps of unchanged code."""
    with gzip.open(SHARED / "gpu_runs.jsonl.gz", "rt", encoding="utf-8") as stream:
        found = [json.loads(line) for line in stream]
    return [
        r for r in found
        if r["status"] == "ok" and r["engine_args"].get("enforce_eager") and r["use_mla"]
        and not r["name"].startswith(("print_", "warm_")) and any(recorded_steps(r))
    ]  # fmt: skip


def recorded_steps(record: dict[str, Any]) -> Iterator[tuple[str, str, frozenset[str]]]:
    """(name, batch, methods that ran) of each step of a record.

    Not those of scenario ``-``, which are a runner's own at its start. How many tokens of a
    request are cached is counted up from the steps before: a scheduler lists running requests
    before new ones.
    """
    scenario, contexts = "", []
    arrivals = {
        s["name"]: [a[-1] if isinstance(a, list) else a for a in s["arrivals"]]
        for s in record.get("scenarios", ())
    }
    cached = record["engine_args"].get("enable_prefix_caching")
    for phase in record["phases"]:
        _, *words = phase["phase"].split(":")
        if not phase["phase"].startswith("S:") or len(words) != 2 or words[0] == "-":
            continue
        if words[0] != scenario:
            scenario, contexts, waiting = words[0], [], list(arrivals.get(words[0], ()))
        match = next((m for text in phase["details"] if (m := SCHEDULED.match(text))), None)
        if match is None:
            continue
        queries = ast.literal_eval(match[1])
        del contexts[: max(0, len(contexts) - len(queries))]
        for query in queries[len(contexts) :]:
            prompt = waiting.pop(0) if waiting else query
            hit = prompt - query if cached and prompt <= _most(record) else 0
            contexts.append(hit)
        batch = "+".join(f"{q}@{c}" for q, c in zip(queries, contexts, strict=True))
        ran = frozenset(t for t in TARGETS for text in phase["details"] if text.startswith(t))
        contexts = [c + q for c, q in zip(contexts, queries, strict=True)]
        yield phase["phase"], batch, ran


def alike(record: dict[str, Any], batch: str) -> tuple[tuple[int, bool, bool], ...]:
    """Equal for batches that differ in cached tokens only, as far as these do not decide."""
    topk = record["config"].get("index_topk", 0)
    parts = [part.split("@") for part in batch.split("+")]
    return tuple((int(q), int(c) > 0, int(q) + int(c) > topk) for q, c in parts)


def _different(record: dict[str, Any]) -> list[tuple[str, str, frozenset[str]]]:
    """The steps of a record; of those that differ in cached tokens only, the first."""
    first: dict[Any, tuple[str, str, frozenset[str]]] = {}
    for name, batch, ran in recorded_steps(record):
        first.setdefault((alike(record, batch), ran), (name, batch, ran))
    return list(first.values())


def _most(record: dict[str, Any]) -> int:
    given = record["engine_args"].get("max_num_batched_tokens")
    return int(given or BASE["max_num_batched_tokens"])


@cache
def _tree(version: str) -> tuple[SourceTree, Companion | None, Program]:
    store = CacheDir.default()
    tree = open_tree(version, cache=store)
    companion = open_companion("transformers", f"=={TRANSFORMERS}", cache=store)
    lowered = BlobStore(store, KIND)
    return tree, companion, make_program(
        tree, companion, lambda text, path: load_module(text, path, lowered))  # fmt: skip


def differences(record: dict[str, Any]) -> list[str]:
    """Where our verdicts on the steps of a record differ from what ran."""
    tree, companion, program = _tree(record["version"])
    flags = {k: v for k, v in {**BASE, **record["engine_args"]}.items() if v != UNSET}
    env = {"VLLM_USE_FLASHINFER_SAMPLER": "0",
           **{k: v for k, v in record["env"].items() if v != "<path>"}}  # fmt: skip
    has_flashinfer = record["set"].endswith("flashinfer")
    packages = PackageFacts(
        present=dict.fromkeys(FLASHINFER) if has_flashinfer else {},
        absent=(*ABSENT[record["version"]], *(() if has_flashinfer else FLASHINFER)),
    )
    facts = make_facts(tree, companion, parse_device("h200"), env, packages, record["config"],
                       None, flags.get("tensor_parallel_size", 1))  # fmt: skip
    engine = make_engine(program, facts, record["config"], ())
    found = evaluate(engine, flags)
    if found.stop is not None:
        raised = found.stop.raised
        said = found.stop.why if raised is None else engine.message_of(raised.exc)
        return [f"stopped in {found.stop.stage}: {said!s:.300}"]
    layer = next(x for x in found.layers if x.mla)
    wrong = []
    for name, batch, ran in _different(record):
        with undone(engine):
            result = step(found, layer, parse_batch(batch))
            seen = scene(found, layer, result, {})
            for target in TARGETS:
                said = judge(seen, target)
                right = Verdict.ALWAYS if target in ran else Verdict.NEVER
                if said.verdict is not right:
                    why = said.blockers or (said.condition and said.condition.program)
                    wrong.append(
                        f"{name} {batch}: {target} is {right.value}; ours {said.verdict.value}: "
                        f"{why or said.because!s:.300}"
                    )
    return wrong


def compare(wanted: list[dict[str, Any]], *, verbose: bool = True) -> list[tuple[Any, list[str]]]:
    """The records that disagree, each with its differences."""
    wrong = []
    for record in wanted:
        found = run_deep(lambda record=record: differences(record))
        if verbose:
            print(
                f"{record['version']} {record['set']} {record['name']}: {len(found)}", flush=True
            )
            print(*(f"    {line}" for line in found[:6]), sep="\n")
        if found:
            wrong.append((record["name"], found))
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version")
    parser.add_argument("--name")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    wanted = [
        r for r in records()
        if options.version in (None, r["version"]) and options.name in (None, r["name"])
    ]  # fmt: skip
    wanted = wanted[options.first :: options.every]
    wrong = compare(wanted)
    print(f"{len(wanted) - len(wrong)} passed, {len(wrong)} failed")
    kinds = Counter(line for _, found in wrong for line in found)
    for kind, count in kinds.most_common(25):
        print(f"{count:5}  {kind}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
