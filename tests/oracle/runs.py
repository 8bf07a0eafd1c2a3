"""Agreement with records of vLLM at work on a GPU: which lines ran, phase by phase.

No executed line is ``never``; every line that is called ``always`` for a phase and a kind of
batch was executed. The same for each step with the batch that it had, and the CUDA graph that was
taken for it. ``python -m oracle.runs [--version V] [--name NAME]`` from ``tests`` runs every
record; ``--batches`` the steps with their batches alone; ``--why`` says what was left open.
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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mlapath.app.analyze import read_tree
from mlapath.app.evaluate import evaluate
from mlapath.app.execution import Execution, execute
from mlapath.app.fires import firing_of
from mlapath.app.firing import Firing
from mlapath.app.outcome import outcome_of
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.engine.interp import run_deep
from mlapath.findings.fires import Batch, Phase
from mlapath.findings.model import Outcome
from mlapath.ir.load import KIND
from mlapath.resolve.outline import functions, spot
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.scenario.batch import parse_batch
from oracle.selection import SHARED
from oracle.steps import alike, recorded_steps
from support.realtree import real_tree

DEFAULTS: dict[str, Any] = {
    "load_format": "dummy", "skip_tokenizer_init": True, "max_model_len": 4096,
    "max_num_batched_tokens": 4096, "max_num_seqs": 16, "kv_cache_memory_bytes": 1073741824,
    "gpu_memory_utilization": 0.05, "async_scheduling": False, "enable_prefix_caching": False,
    "dtype": "bfloat16", "seed": 0,
}  # fmt: skip
MEASURED, CAPTURED = "2b:profile_cudagraph_memory", "5:capture_model"
WARMED, KERNELS = "4:compile_or_warm_up_model", "4a:kernel_warmup"
PHASES: dict[str, tuple[Phase, ...]] = {
    "0:import+args": (Phase.CONFIG, Phase.LOAD), "0b:LLM()": (Phase.CONFIG, Phase.LOAD),
    "1:load_model": (Phase.LOAD,), "2a:profile_run": (Phase.PROFILE, Phase.COMPILE),
    MEASURED: (Phase.LOAD, Phase.CAPTURE), "3:initialize_from_config": (Phase.LOAD,),
    WARMED: (Phase.WARMUP,), KERNELS: (Phase.WARMUP,),
    CAPTURED: (Phase.CAPTURE,),
}  # fmt: skip
PARTS = {CAPTURED: (MEASURED,), WARMED: (KERNELS,), KERNELS: (WARMED,)}
"""Phases of a record that another one completes."""
MLA = re.compile(r"(mla|deepseek_v2)[^/]*\.py$|/mla/")
ABSENT = ("vllm.vllm_flash_attn._vllm_fa2_C", "tokenspeed-mla")


def records() -> list[dict[str, Any]]:
    """The runs that came to an end on the unedited tree."""
    return [r for r in _unedited() if r["status"] == "ok"]


def failed_records() -> list[dict[str, Any]]:
    """The runs that ended in an error on the unedited tree."""
    return [r for r in _unedited() if r["status"] != "ok"]


def _unedited() -> list[dict[str, Any]]:
    with gzip.open(SHARED / "gpu_runs.jsonl.gz", "rt", encoding="utf-8") as stream:
        rows = [json.loads(line) for line in stream]
    return [r for r in rows if r["linesets"] and "prints" not in r]


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
    given: Counter[Verdict] = field(default_factory=Counter)
    steps: int = 0
    facts: int = 0
    why: Counter[str] = field(default_factory=Counter)

    @property
    def definite(self) -> float:
        """The share of lines of the MLA files that are always or never, by kinds of batches."""
        return share_definite(self.verdicts)

    @property
    def definite_given(self) -> float:
        """The same, of steps with their batches."""
        return share_definite(self.given)


def share_definite(verdicts: Counter[Verdict]) -> float:
    """The share of answers that are always or never."""
    sure = verdicts[Verdict.ALWAYS] + verdicts[Verdict.NEVER]
    return sure / verdicts.total() if verdicts else 0.0


@dataclass
class Phased:
    """A recorded phase: name, ours, kind of batch, file -> executed lines.

    before: what else ran in our phase, in another one of the record. counts: how often functions
    were entered in both, by file and name.
    """

    name: str
    phases: tuple[Phase, ...]
    batch: Batch | None
    lines: Lines
    before: Lines = field(default_factory=dict)
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)


def steps_of(record: dict[str, Any]) -> Iterator[Phased]:
    """The recorded phases.

    The steps of scenario ``-`` are a runner's own at its start. What measures the memory of CUDA
    graphs makes KV caches and captures some: that is a part of the capture, too; kernels are
    warmed up in a part of the warm-up.
    """
    tokens = record.get("uniform_decode_query_len") or 1
    last = ""
    of_part = {phase["phase"]: phase for phase in record["phases"]}
    for phase in record["phases"]:
        name = phase["phase"]
        lines = executed(record, phase)
        if name in PHASES:
            last = name
            parts = [of_part[p] for p in PARTS.get(name, ()) if p in of_part]
            before: Lines = {}
            for part in parts:
                for file, ran in executed(record, part).items():
                    before[file] = before.get(file, set()) | ran
            counts = (
                sum(map(counts_of, [phase, *parts]), Counter()) if name in PARTS else Counter()
            )
            yield Phased(name, PHASES[name], None, lines, before, counts)
        elif name.startswith("S:-:"):
            yield Phased(name, (*PHASES[last], Phase.WARMUP), None, lines)
        elif name.startswith("S:") and not name.endswith(":sample"):
            batch = batch_of(phase.get("details", {}), tokens)
            if batch is not None:
                yield Phased(name, (Phase.STEP,), batch, lines, counts=counts_of(phase))


def counts_of(phase: dict[str, Any]) -> Counter[tuple[str, str]]:
    """How often functions were entered in a phase, by file and name."""
    found: Counter[tuple[str, str]] = Counter()
    for key, count in phase.get("counts", {}).items():
        if "::" in key and "[dynamo" not in key:
            file, _, rest = key.partition("::")
            found[f"vllm/{file}", rest.partition("@")[0]] += count
    return found


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


def compare(record: dict[str, Any], *, kinds: bool = True, batches: bool = True) -> Found:
    """Hold a record against the answers: for kinds of batches, for the batches of its steps.

    One that ended in an error must be refused there: at the start, or in a step of that batch.
    """
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
    steps = given_steps(record) if batches else {}

    def ask() -> None:
        parsed = reading.flags.parse(scenario.flags).engine
        evaluation = evaluate(reading.engine(scenario, parsed), parsed, 0)
        if evaluation.stop is not None and record["status"] == "ok":
            found.never.append(f"the evaluation stops: {evaluation.stop}")
            return
        asked = tuple(parse_batch(batch) for batch in steps)
        execution = execute(evaluation, asked)
        if record["status"] != "ok" and not ends_as(record, execution):
            found.always.append("it ended in an error")
        firing = firing_of(replace(execution, given=()))
        statements = statements_of(record, execution)
        if kinds:
            judge(record, execution, firing, statements, found)
        for index, recorded in enumerate(steps.values()):
            own = execution.of_step(index)
            if record["status"] != "ok" and record["phases"][-1]["phase"] in recorded.names:
                continue  # it did not come to its end
            judge_step(own, firing_of(own, firing.absence), recorded, statements, found)

    run_deep(ask)
    return found


def ends_as(record: dict[str, Any], execution: Execution) -> bool:
    """Whether a run that ended in an error is said to end in that phase."""
    last = record["phases"][-1]["phase"]
    if last == CAPTURED:
        return execution.ends_at_capture
    if not last.startswith("S:"):
        return execution.refused
    runs = [given.first for kind in execution.kinds for given in kind.given[-1:]]
    stops = [run.stop for run in runs if run.stop is not None]
    return any(outcome_of(execution.found, (s,))[0] is Outcome.REFUSES for s in stops)


@dataclass
class Recorded:
    """Steps of like batches: names, modes of CUDA graphs, executed lines."""

    names: list[str]
    modes: set[str]
    lines: list[Lines]


def given_steps(record: dict[str, Any]) -> dict[str, Recorded]:
    """The steps of a record by their batches; of those alike, by the first one's."""
    phases = {phase["phase"]: phase for phase in record["phases"]}
    first: dict[Any, str] = {}
    found: dict[str, Recorded] = {}
    for name, batch, _ in recorded_steps(record):
        phase = phases[name]
        spec = first.setdefault(alike(record, batch), batch)
        into = found.setdefault(spec, Recorded([], set(), []))
        into.names.append(name)
        into.lines.append(executed(record, phase))
        into.modes |= {m[1] for text in phase.get("forward_contexts", {})
                       if (m := re.search(r"md=yes .*mode=(\w+)", text))}  # fmt: skip
    return found


def executed(record: dict[str, Any], phase: dict[str, Any]) -> Lines:
    """The executed lines of a phase, by file."""
    lines = {}
    for file, lineset in phase.get("lines", {}).items():
        spans = record["linesets"][lineset]["lines"]
        numbers = [range(x[0], x[1] + 1) if isinstance(x, list) else (x,) for x in spans]
        lines[f"vllm/{file}"] = {n for span in numbers for n in span}
    return lines


Lines = dict[str, set[int]]
"""File -> executed lines."""
Statements = dict[str, dict[int, tuple[int, int]]]
"""File -> line -> (line of its statement, line of the function around it)."""


def statements_of(record: dict[str, Any], execution: Execution) -> Statements:
    """The lines of the recorded MLA files that Python may run."""
    program = execution.found.engine.program
    files = sorted({f"vllm/{x['file']}" for x in record["linesets"].values()
                    if MLA.search(x["file"])})  # fmt: skip
    found: Statements = {}
    for path in files:
        module, source = program.load(path), program.lines(path)
        spots = [(number, spot(module, source, number)) for number in range(1, len(source) + 1)]
        found[path] = {number: (here.statement, here.function_line) for number, here in spots
                       if here.statement is not None and not here.kernel}  # fmt: skip
    return found


def judge_step(
    execution: Execution, firing: Firing, recorded: Recorded, statements: Statements, found: Found
) -> None:
    """Compare steps with the answers for their batch."""
    step = execution.given[0]
    found.steps += 1
    said = f"{recorded.names[0]} {step.batch.spec}"
    if step.graphs is not None and not recorded.modes <= step.graphs:
        found.never.append(f"{said}: graph {recorded.modes}, ours {set(step.graphs)}")
    program = execution.found.engine.program
    for path, numbers in statements.items():
        by_line = {f.line: f for f in functions(program.load(path))}
        runs = [_ran(numbers, lines.get(path, set())) for lines in recorded.lines]
        ever, every = set().union(*runs), set.intersection(*runs)
        for line, function in dict.fromkeys(numbers.values()):
            answer = firing.phase(path, line, by_line.get(function), Phase.STEP, step.kind)
            found.given[answer.fires] += 1
            found.facts += len(runs)
            if answer.fires in (Verdict.CONDITIONAL, Verdict.UNPROVEN):
                found.why[f"{answer.fires.value} {answer.because} [{path}:{line}]"] += 1
            if answer.fires is Verdict.NEVER and (line, function) in ever:
                found.never.append(f"{said}: {path}:{line} ran, though {answer.because}")
            if answer.fires is Verdict.ALWAYS and (line, function) not in every and function:
                found.always.append(f"{said}: {path}:{line} did not run")


def judge(
    record: dict[str, Any],
    execution: Execution,
    firing: Firing,
    statements: Statements,
    found: Found,
) -> None:
    """Compare each recorded phase, each of the same lines once."""
    program = execution.found.engine.program
    answers: dict[tuple[str, int, int], dict[tuple[Phase, Batch | None], Verdict]] = {}
    counted: dict[tuple[Phase, Batch | None, str, str], int] = {}
    for path, numbers in statements.items():
        by_line = {f.line: f for f in functions(program.load(path))}
        for line, around in dict.fromkeys(numbers.values()):
            phases = firing.phases(path, line, by_line.get(around))
            answers[path, line, around] = {(p.phase, p.batch): p.fires for p in phases}
            found.verdicts.update(p.fires for p in phases if p.phase is Phase.STEP)
            function = by_line.get(around)
            if function is not None:
                for p in phases:
                    if p.count is not None:
                        key = p.phase, p.batch, path, function.qualname
                        counted[key] = max(p.count, counted.get(key, 0))
    seen: set[tuple[Any, ...]] = set()
    for step in steps_of(record):
        name, phases, batch = step.name, step.phases, step.batch
        key = (phases, batch, tuple(sorted((f, tuple(sorted(x))) for f, x in step.lines.items())))
        if key in seen:
            continue
        seen.add(key)
        for path in step.lines.keys() & statements.keys():
            ran = _ran(statements[path], step.lines[path])
            for line, function in sorted(ran):
                verdicts = [answers[path, line, function][p, batch] for p in phases]
                if all(v is Verdict.NEVER for v in verdicts):
                    found.never.append(f"{name} ({batch}): {path}:{line} ran")
            if not is_whole(record, step):
                continue
            for (phase, kind, file, called), count in counted.items():
                times = step.counts[file, called]
                here = file == path and (phase, kind) == (phases[0], batch)
                if here and times not in (0, count):
                    found.always.append(f"{name}: {file} {called} ran {times}, not {count}")
            ran |= _ran(statements[path], step.before.get(path, set()))
            for (file, line, function), table in answers.items():
                sure = table[phases[0], batch] is Verdict.ALWAYS
                if file == path and sure and function and (line, function) not in ran:
                    found.always.append(f"{name} ({batch}): {path}:{line} did not run")


def is_whole(record: dict[str, Any], step: Phased) -> bool:
    """Whether all of one of our phases was recorded: not in parts, and not to an error."""
    parts = len(step.phases) > 1 or step.phases[0] in (Phase.LOAD, Phase.CONFIG)
    return not parts and step.name != record["phases"][-1]["phase"]


def _ran(numbers: dict[int, tuple[int, int]], lines: set[int]) -> set[tuple[int, int]]:
    return {numbers[n] for n in lines if n in numbers}


def main() -> int:
    """Every record; 1 if any disagrees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version")
    parser.add_argument("--name")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--batches", action="store_true")
    parser.add_argument("--why", type=int, default=0)
    given = parser.parse_args()
    chosen = [r for r in records() if given.version in (None, r["version"])
              and given.name in (None, r["name"])][given.first :: given.every]  # fmt: skip
    bad = steps = facts = 0
    total: Counter[Verdict] = Counter()
    for record in chosen:
        found = compare(record, kinds=not given.batches)
        bad += bool(found.never or found.always)
        steps, facts = steps + found.steps, facts + found.facts
        total += found.given
        name = f"{record['set']} {record['name']}"
        sys.stdout.write(
            f"{name}: {len(found.never)} never that ran, {len(found.always)} always that did not, "
            f"{found.definite:.0%} definite; {found.definite_given:.1%} in {found.steps} batches\n"
        )
        for text in (*dict.fromkeys(found.never), *dict.fromkeys(found.always)):
            sys.stdout.write(f"    {text}\n")
        for text, count in found.why.most_common(given.why):
            sys.stdout.write(f"    {count:4} {text}\n")
        sys.stdout.flush()
    sys.stdout.write(
        f"{len(chosen)} records, {bad} disagree; {steps} batches, {facts} facts of lines, "
        f"{share_definite(total):.1%} definite\n"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
