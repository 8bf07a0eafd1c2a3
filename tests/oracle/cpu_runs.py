"""Agreement with records of vLLM's CPU build at work: outcome, backend, methods and lines.

Of each record: how it ended (exception, message), which backend and settings it had, which of the
two methods each kind of step called, and which lines ran in each of its phases: no executed line
is ``never``, and what is ``always`` ran. ``python -m oracle.cpu_runs [--version V]
[--variant NAME] [--every N]`` from ``tests`` runs every record.
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
from mlapath.app.evaluate import Evaluation, evaluate, step
from mlapath.app.execution import Execution, execute
from mlapath.app.fires import firing_of
from mlapath.app.firing import Firing
from mlapath.app.outcome import outcome_of
from mlapath.app.selection import backend_name
from mlapath.app.settings import settings_of
from mlapath.app.verdicts import judge, scene
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.engine.interp import run_deep
from mlapath.findings.fires import Batch, Phase
from mlapath.findings.model import Outcome
from mlapath.ir.load import KIND
from mlapath.resolve.outline import Function, Kind, functions, spot
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.scenario.batch import parse_batch
from mlapath.values.objects import Instance
from oracle.layers import TARGETS
from oracle.runs import MLA, share_definite
from oracle.selection import SHARED
from oracle.undo import undone
from support.realtree import real_tree

DEVICE = "cpu:amx"
"""The records' host has AMX."""
ENV = {"VLLM_ENABLE_V1_MULTIPROCESSING": "0", "VLLM_CPU_KVCACHE_SPACE": "1"}
"""Of every run, as its lines and its executor show."""
STARTING = (Phase.CONFIG, Phase.LOAD)
PHASES: dict[str, tuple[Phase, ...]] = {
    "import": STARTING,
    "init": (*STARTING, Phase.PROFILE, Phase.COMPILE, Phase.WARMUP, Phase.CAPTURE),
    "generate": (Phase.STEP,),
}
"""Phase of a record -> ours that it may be."""
FILES = re.compile(r"(mla|deepseek_v2|platforms/cpu|attention/selector|attention/attention"
                   r"|longcat_flash|openpangu|minicpm3)[^/]*\.py$|/mla/")  # fmt: skip
METADATA = re.compile(r"md\(num_decodes=(\d+),num_decode_tokens=(\d+),num_prefills=(\d+)\)")
Table = dict[tuple[Phase, Batch | None], Verdict]


def records() -> list[dict[str, Any]]:
    """Every recorded run."""
    with gzip.open(SHARED / "cpu_runs.jsonl.gz", "rt", encoding="utf-8") as stream:
        return [json.loads(line) for line in stream]


def flags_of(record: dict[str, Any]) -> list[str]:
    """The engine arguments of a record as a command line has them."""
    words: list[str] = []
    for name, value in record["engine_args"].items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            words.append(f"--{flag}" if value else f"--no-{flag}")
        else:
            words += [f"--{flag}", json.dumps(value) if isinstance(value, dict) else str(value)]
    return [w for w in words if w != "--no-enforce-eager"]


@dataclass
class Found:
    """What a record showed against the answers.

    skipped: files that are not the tree's. reached: whether a statement that ran in a step is
    always or conditional there, and not only unproven.
    """

    wrong: list[str] = field(default_factory=list)
    never: list[str] = field(default_factory=list)
    always: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    given: Counter[Verdict] = field(default_factory=Counter)
    reached: Counter[bool] = field(default_factory=Counter)
    lines: int = 0

    @property
    def bad(self) -> bool:
        """Whether the record disagrees."""
        return bool(self.wrong or self.never or self.always)

    @property
    def definite(self) -> float:
        """The share of answers for steps that are always or never, by kinds of batches."""
        return share_definite(self.verdicts)

    @property
    def definite_given(self) -> float:
        """The same of the MLA files, with the batches of steps; 1 where there was no step."""
        return share_definite(self.given) if self.given else 1.0


def compare(record: dict[str, Any]) -> Found:
    """Hold a record against the answers."""
    tree, companion = real_tree(record["version"])
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config.json"
        config.write_text(json.dumps(record["config"]), encoding="utf-8")
        (scenario,) = assemble(ScenarioWords(
            config=str(config), devices=[DEVICE], engine=tuple(flags_of(record)),
            env=[f"{k}={v}" for k, v in {**ENV, **record["env"]}.items()],
            absent=["vllm._C"] if record["shimmed"] else [],
        ))  # fmt: skip
    reading = read_tree(tree, companion, BlobStore(CacheDir.default(), KIND))
    found = Found()

    flags = reading.flags.parse(scenario.flags).engine

    def ask() -> None:
        asked = tuple(parse_batch(batch) for batch, _ in steps_of(record))
        execution = execute(evaluate(reading.engine(scenario, flags), flags), asked)
        whole = replace(execution, given=())
        firing = firing_of(whole)
        _judge_outcome(record, whole, found)
        _judge_layers(record, whole, found)
        lines = _lines_of(record, whole, found)
        _judge_lines(record, firing, lines, found)
        own = [execution.of_step(index) for index in range(len(execution.given))]
        steps = [(x.given[0].kind, firing_of(x, firing.absence)) for x in own]
        if steps:
            _judge_given(record, steps, lines, found)

    run_deep(ask)
    if any(steps_of(record)):
        run_deep(lambda: _judge_steps(record, evaluate(reading.engine(scenario, flags), flags),
                                      found))  # fmt: skip
    return found


def _judge_outcome(record: dict[str, Any], execution: Execution, found: Found) -> None:
    """How it ended. Of what ends a step, what is around the layers is not ours to say."""
    outcome, refusal = outcome_of(
        execution.found, [s for s in execution.stops() if s is not execution.found.stop]
    )
    ended = record["error"]
    stepped = "generate" in record["executed_by_phase"]
    if ended is None or stepped and outcome is Outcome.RUNS:
        if outcome is not Outcome.RUNS:
            found.wrong.append(f"it ran; ours: {outcome.value}: {refusal}")
        return
    kind, _, message = ended.partition(": ")
    if refusal is None or outcome is not Outcome.REFUSES:
        found.wrong.append(f"refused: {ended}; ours: {outcome.value}")
    elif refusal.exception != kind or not message.startswith(refusal.message[:60]):
        found.wrong.append(f"refused: {ended}; ours: {refusal}")
    else:
        path, _, line = refusal.at.rpartition(":")
        ran = record["executed"].get(path)
        if ran is not None and not {int(line), int(line) - 1, int(line) + 1} & set(ran):
            found.wrong.append(f"refused: {ended}; ours at {refusal.at}, which did not run")


def _judge_layers(record: dict[str, Any], execution: Execution, found: Found) -> None:
    it = execution.found.engine
    recorded = {name: layer["backend"] for name, layer in record["layers"].items()}
    ours = {layer.name: getattr(layer.backend and layer.backend.d, "full", None)
            for layer in execution.found.layers}  # fmt: skip
    if recorded and ours and recorded != ours and record["vllm_config"] is not None:
        found.wrong.append(f"layers {recorded}; ours {ours}")
    for name in set(recorded) & set(ours):
        impl = next(x for x in execution.found.layers if x.name == name).value.d.attrs.get("impl")
        mine = impl.d.cls.full if impl is not None and type(impl.d) is Instance else None
        if mine is not None and mine != record["layers"][name]["impl"]:
            found.wrong.append(f"{name}: impl {record['layers'][name]['impl']}; ours {mine}")
    if recorded and not ours and execution.found.layers:
        found.wrong.append(f"layers {recorded}; ours have {backend_name(it, None)}")
    config = record["vllm_config"]
    if config is not None:
        settings = settings_of(execution.found)
        mine_ = {"block_size": settings.block_size, "cache_dtype": settings.kv_cache_dtype,
                 "use_mla": settings.use_mla}  # fmt: skip
        theirs = {name: config[name] for name in mine_}
        if mine_ != theirs:
            found.wrong.append(f"settings {theirs}; ours {mine_}")


def steps_of(record: dict[str, Any]) -> Iterator[tuple[str, frozenset[str]]]:
    """(batch, methods that ran) of each kind of step: decodes, prefills, or both."""
    kinds: dict[tuple[int, int], set[str]] = {}
    for call in record["watched_calls"]:
        match = METADATA.search(call)
        if match is None or not call.startswith("generate"):
            continue
        ran = kinds.setdefault((int(match[1]), int(match[3])), set())
        ran |= {t for t in TARGETS if f".{t} " in call}
    for (decodes, prefills), methods in kinds.items():
        parts = [f"1@9x{decodes}"] * bool(decodes) + [f"4x{prefills}"] * bool(prefills)
        yield "+".join(parts), frozenset(methods)


def _judge_steps(record: dict[str, Any], evaluation: Evaluation, found: Found) -> None:
    it = evaluation.engine
    layer = next(x for x in evaluation.layers if x.mla)
    failed = record["error"] is not None
    for batch, ran in steps_of(record):
        with undone(it):
            seen = scene(evaluation, layer, step(evaluation, layer, parse_batch(batch)), {})
            for target in TARGETS:
                said = judge(seen, target).verdict
                right = Verdict.ALWAYS if target in ran else Verdict.NEVER
                if said is not right and not (failed and right is Verdict.NEVER):
                    found.wrong.append(f"{batch}: {target} is {right.value}; ours {said.value}")


def _fits(source: tuple[str, ...], executed: list[int]) -> bool:
    """Whether every executed line has code: the record's file may be another."""
    texts = [source[n - 1].strip() if n <= len(source) else "" for n in executed]
    return all(text and not text.startswith("#") for text in texts)


@dataclass(frozen=True)
class Lines:
    """The statements of a file: line -> (line of its statement, line of the function around it).

    functions: by the line of their ``def``.
    """

    statements: dict[int, tuple[int, int]]
    functions: dict[int, Function]

    @property
    def keys(self) -> tuple[tuple[int, int], ...]:
        """Each statement once."""
        return tuple(dict.fromkeys(self.statements.values()))


def _lines_of(record: dict[str, Any], execution: Execution, found: Found) -> dict[str, Lines]:
    """What Python may run of the recorded files."""
    program = execution.found.engine.program
    known: dict[str, Lines] = {}
    for path in sorted(p for p in record["executed"] if FILES.search(p)):
        module, source = program.load(path), program.lines(path)
        if not _fits(tuple(source), record["executed"][path]):
            found.skipped.append(path)
            continue
        spots = [(number, spot(module, source, number)) for number in range(1, len(source) + 1)]
        statements = {
            number: (here.statement, here.function_line) for number, here in spots
            if here.statement is not None and not here.kernel and here.kind is Kind.CODE
        }  # fmt: skip
        known[path] = Lines(statements, {f.line: f for f in functions(module)})
    return known


def _judge_lines(
    record: dict[str, Any], firing: Firing, lines: dict[str, Lines], found: Found
) -> None:  # fmt: skip
    """Compare the lines of each phase."""
    for path, known in lines.items():
        answers: dict[tuple[int, int], Table] = {}
        for line, function in known.keys:
            phases = firing.phases(path, line, known.functions.get(function))
            answers[line, function] = {(p.phase, p.batch): p.fires for p in phases}
            found.verdicts.update(p.fires for p in phases if p.phase is Phase.STEP)
        found.lines += len(answers)
        _judge_file(record, path, known.statements, answers, found)


def _judge_given(
    record: dict[str, Any], steps: list[tuple[Batch, Firing]], lines: dict[str, Lines],
    found: Found,
) -> None:  # fmt: skip
    """Compare what ran in steps with the answers for batches of so many requests.

    The requests' lengths and their cached tokens are not recorded, so what ran may be never here.
    """
    ran = record["executed_by_phase"].get("generate", {})
    for path, known in lines.items():
        stepped = {known.statements[n] for n in ran.get(path, ()) if n in known.statements}
        for line, function in known.keys:
            around = known.functions.get(function)
            said = Counter(firing.phase(path, line, around, Phase.STEP, kind).fires
                           for kind, firing in steps)  # fmt: skip
            if MLA.search(path):
                found.given += said
            surely = Verdict.ALWAYS in said and record["error"] is None
            if surely and function and (line, function) not in stepped:
                found.always.append(f"steps: {path}:{line} did not run")


def _judge_file(
    record: dict[str, Any], path: str, statements: dict[int, tuple[int, int]],
    answers: dict[tuple[int, int], Table], found: Found,
) -> None:  # fmt: skip
    phases = record["executed_by_phase"]
    ran = {
        name: {statements[n] for n in phases[name].get(path, ()) if n in statements}
        for name in phases
    }
    for name, keys in ran.items():
        for key in sorted(keys):
            verdicts = [v for (phase, _), v in answers[key].items() if phase in PHASES[name]]
            if name == "generate":
                found.reached[bool({Verdict.ALWAYS, Verdict.CONDITIONAL} & set(verdicts))] += 1
            if all(v is Verdict.NEVER for v in verdicts):
                found.never.append(f"{name}: {path}:{key[0]} ran")
    whole = set().union(*ran.values())
    started = ran.get("import", set()) | ran.get("init", set())
    for key, table in answers.items():
        starts = [p for p in PHASES["init"] if table[p, None] is Verdict.ALWAYS]
        if starts and key not in started and record["error"] is None:
            found.always.append(f"{starts[0].value}: {path}:{key[0]} did not run")
        stepped = table[Phase.STEP, Batch.MIXED] is Verdict.ALWAYS
        if stepped and key not in whole and record["error"] is None and key[1]:
            found.always.append(f"step: {path}:{key[0]} did not run")


def main() -> int:
    """Every record; 1 if any disagrees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version")
    parser.add_argument("--variant")
    parser.add_argument("--every", type=int, default=1)
    given = parser.parse_args()
    chosen = [r for r in records() if given.version in (None, r["version"])
              and given.variant in (None, r["variant"])][:: given.every]  # fmt: skip
    bad = lines = 0
    reached: Counter[bool] = Counter()
    for record in chosen:
        found = compare(record)
        bad += found.bad
        lines += found.lines
        reached += found.reached
        sys.stdout.write(
            f"{record['version']} {record['variant']}: {len(found.wrong)} wrong, "
            f"{len(found.never)} never that ran, {len(found.always)} always that did not, "
            f"{found.lines} statements, {found.definite:.0%} definite, "
            f"{found.definite_given:.1%} with batches, "
            f"{found.reached[True]} of {found.reached.total()} that ran in steps reached\n"
        )
        for text in (*found.wrong, *dict.fromkeys(found.never), *dict.fromkeys(found.always)):
            sys.stdout.write(f"    {text}\n")
        for path in found.skipped:
            sys.stdout.write(f"    skipped, another file: {path}\n")
        sys.stdout.flush()
    sys.stdout.write(
        f"{len(chosen)} records, {bad} disagree, {lines} statements, "
        f"{reached[True]} of {reached.total()} that ran in steps reached\n"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
