"""Agreement with records of vLLM at work on a GPU: which lines ran, phase by phase.

No executed line is ``never``; every line that is called ``always`` for a phase and a kind of
batch was executed. ``python -m oracle.runs [--version V] [--name NAME]`` from ``tests`` runs every
record.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlapath.app.analyze import read_tree
from mlapath.app.execution import Execution
from mlapath.app.fires import with_execution
from mlapath.app.firing import Firing
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.findings.fires import Batch, LocationFiring, Phase
from mlapath.ir.load import KIND
from mlapath.resolve.outline import functions, spot
from mlapath.scenario.assemble import ScenarioWords, assemble
from oracle.selection import SHARED
from support.realtree import real_tree

DEFAULTS: dict[str, Any] = {
    "load_format": "dummy", "skip_tokenizer_init": True, "max_model_len": 4096,
    "max_num_batched_tokens": 4096, "max_num_seqs": 16, "kv_cache_memory_bytes": 1073741824,
    "gpu_memory_utilization": 0.05, "async_scheduling": False, "enable_prefix_caching": False,
    "dtype": "bfloat16", "seed": 0,
}  # fmt: skip
PHASES: dict[str, tuple[Phase, ...]] = {
    "0:import+args": (Phase.CONFIG, Phase.LOAD), "0b:LLM()": (Phase.CONFIG, Phase.LOAD),
    "1:load_model": (Phase.LOAD,), "2a:profile_run": (Phase.PROFILE, Phase.COMPILE),
    "2b:profile_cudagraph_memory": (Phase.CAPTURE,), "3:initialize_from_config": (Phase.LOAD,),
    "4:compile_or_warm_up_model": (Phase.WARMUP,), "4a:kernel_warmup": (Phase.WARMUP,),
    "5:capture_model": (Phase.CAPTURE,),
}  # fmt: skip
MLA = re.compile(r"(mla|deepseek_v2)[^/]*\.py$|/mla/")
ABSENT = ("vllm.vllm_flash_attn._vllm_fa2_C",)


def records() -> list[dict[str, Any]]:
    """The runs that came to an end on the unedited tree."""
    with gzip.open(SHARED / "gpu_runs.jsonl.gz", "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    return [r for r in rows if r["status"] == "ok" and r["linesets"] and "prints" not in r]


def flags_of(record: dict[str, Any]) -> list[str]:
    """The engine arguments of a record as a command line has them."""
    words: list[str] = []
    for name, value in {**DEFAULTS, **record["engine_args"]}.items():
        flag = name.replace("_", "-")
        if value == "__unset__":
            continue
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            words += [f"--{flag}", json.dumps(value) if isinstance(value, dict) else str(value)]
    return [w for w in words if w != "--no-enforce-eager"]


@dataclass
class Found:
    """What a record showed against the answers."""

    never: list[str] = field(default_factory=list)
    always: list[str] = field(default_factory=list)
    verdicts: Counter[Verdict] = field(default_factory=Counter)

    @property
    def definite(self) -> float:
        """The share of lines of the MLA files that are always or never."""
        total = sum(self.verdicts.values())
        sure = self.verdicts[Verdict.ALWAYS] + self.verdicts[Verdict.NEVER]
        return sure / total if total else 0.0


def steps_of(record: dict[str, Any]) -> Iterator[tuple[str, tuple[Phase, ...], Batch | None, Any]]:
    """The recorded phases: (name, ours, kind of batch, file -> executed lines)."""
    tokens = record.get("uniform_decode_query_len") or 1
    for phase in record["phases"]:
        name = phase["phase"]
        lines = {}
        for file, lineset in phase.get("lines", {}).items():
            spans = record["linesets"][lineset]["lines"]
            numbers = [range(x[0], x[1] + 1) if isinstance(x, list) else (x,) for x in spans]
            lines[f"vllm/{file}"] = {n for span in numbers for n in span}
        if name in PHASES:
            yield name, PHASES[name], None, lines
        elif name.startswith("S:") and not name.endswith(":sample"):
            batch = batch_of(phase.get("details", {}), tokens)
            if batch is not None:
                yield name, (Phase.STEP,), batch, lines


def batch_of(details: dict[str, Any], tokens: int) -> Batch | None:
    """The kind of batch that the scheduler made."""
    for text in details:
        match = re.search(r"num_scheduled_tokens=\[([\d, ]+)\] spec=\{\}", text)
        if match is not None:
            counts = {int(n) for n in match[1].split(",")}
            if counts == {tokens}:
                return Batch.DECODE
            return Batch.MIXED if min(counts) <= tokens else Batch.PREFILL
    return None


def compare(record: dict[str, Any]) -> Found:
    """Hold a record against the answers."""
    tree, companion = real_tree(record["version"])
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config.json"
        config.write_text(json.dumps(record["config"]), encoding="utf-8")
        flashinfer = "flashinfer" in record["set"]
        env = {k: v for k, v in record["env"].items() if v != "<path>"}
        words = ScenarioWords(
            config=str(config), devices=["h200"], engine=tuple(flags_of(record)),
            env=[f"{k}={v}" for k, v in {"VLLM_USE_FLASHINFER_SAMPLER": "0", **env}.items()],
            present=[], absent=[*ABSENT, *(() if flashinfer else ("flashinfer-python",))],
        )  # fmt: skip
        (scenario,) = assemble(words)
    reading = read_tree(tree, companion, BlobStore(CacheDir.default(), KIND))
    found = Found()

    def answer(execution: Execution, firing: Firing) -> tuple[LocationFiring, ...]:
        if execution.found.stop is not None:
            found.never.append(f"the evaluation stops: {execution.found.stop}")
            return ()
        judge(record, execution, firing, found)
        return ()

    with_execution(reading, scenario, (), answer)
    return found


def judge(record: dict[str, Any], execution: Execution, firing: Firing, found: Found) -> None:
    """Compare each recorded phase, each of the same lines once."""
    program = execution.found.engine.program
    answers: dict[tuple[str, int, int], dict[tuple[Phase, Batch | None], Verdict]] = {}
    files = sorted({f"vllm/{x['file']}" for x in record["linesets"].values()
                    if MLA.search(x["file"])})  # fmt: skip
    statements: dict[str, dict[int, tuple[int, int]]] = {}
    for path in files:
        module, source = program.load(path), program.lines(path)
        by_line = {f.line: f for f in functions(module)}
        statements[path] = {}
        for number in range(1, len(source) + 1):
            here = spot(module, source, number)
            if here.statement is None or here.kernel:
                continue
            statements[path][number] = (here.statement, here.function_line)
            key = (path, here.statement, here.function_line)
            if key not in answers:
                function = by_line.get(here.function_line)
                phases = firing.phases(path, here.statement, function)
                answers[key] = {(p.phase, p.batch): p.fires for p in phases}
                found.verdicts.update(p.fires for p in phases if p.phase is Phase.STEP)
    seen: set[tuple[Any, ...]] = set()
    for name, phases, batch, lines in steps_of(record):
        key = (phases, batch, tuple(sorted((f, tuple(sorted(x))) for f, x in lines.items())))
        if key in seen:
            continue
        seen.add(key)
        for path, executed in lines.items():
            if path not in statements:
                continue
            ran = {statements[path][n] for n in executed if n in statements[path]}
            for line, function in sorted(ran):
                verdicts = [answers[path, line, function][p, batch] for p in phases]
                if all(v is Verdict.NEVER for v in verdicts):
                    found.never.append(f"{name} ({batch}): {path}:{line} ran")
            if len(phases) > 1 or phases[0] in (Phase.LOAD, Phase.CONFIG):
                continue  # recorded in parts
            for (file, line, function), table in answers.items():
                sure = table[phases[0], batch] is Verdict.ALWAYS
                if file == path and sure and function and (line, function) not in ran:
                    found.always.append(f"{name} ({batch}): {path}:{line} did not run")


def main() -> int:
    """Every record; 1 if any disagrees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version")
    parser.add_argument("--name")
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    chosen = [r for r in records() if given.version in (None, r["version"])
              and given.name in (None, r["name"])][:: given.every]  # fmt: skip
    bad = 0
    for record in chosen:
        found = compare(record)
        bad += bool(found.never or found.always)
        name = f"{record['set']} {record['name']}"
        sys.stdout.write(f"{name}: {len(found.never)} never that ran, {len(found.always)} always "
                         f"that did not, {found.definite:.0%} definite\n")  # fmt: skip
        for text in (*dict.fromkeys(found.never), *dict.fromkeys(found.always)):
            sys.stdout.write(f"    {text}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{len(chosen)} records, {bad} disagree\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
