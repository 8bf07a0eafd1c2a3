"""Every release x model x capability: no crash, no unproven selection; prints the exceptions.

``python -m oracle.sweep [--versions A,B] [--models X,Y] [--devices D,E] [--jobs N]`` from
``tests``. Each line of the output is a scenario that did not come out definite.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from mlapath.app.analyze import analyze_tree, make_report
from mlapath.app.build import make_engine, make_facts, make_program
from mlapath.app.companions import companion_for, wish_of
from mlapath.app.evaluate import evaluate
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.engine.budget import Budget
from mlapath.engine.interp import Engine, run_deep
from mlapath.engine.trace import Trace
from mlapath.findings.model import Outcome, Report
from mlapath.ir.load import KIND, load_module
from mlapath.models.vllm_unset import UNSET
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import list_releases, open_tree, silent
from oracle.undo import undone

MODELS = Path(__file__).resolve().parents[2] / "fixtures" / "models"
PER_SCENARIO = ("kept", "stage", "notes", "env_reads")
"""What an evaluation leaves on an engine beside its heap."""
DEVICES = ("8.0", "8.9", "9.0", "10.0", "10.3", "12.0", "12.1")


def releases() -> list[str]:
    """The final releases in scope, oldest first."""
    from packaging.version import Version

    found = [str(v) for v in list_releases("vllm", cache=CacheDir.default())]
    first, last = Version("0.16.0"), Version("0.33.0")
    return sorted((v for v in found if first <= Version(v) <= last), key=Version)


@dataclass(frozen=True)
class Job:
    """The models to analyse on one release and device; ``shared``: on one engine."""

    version: str
    device: str
    models: tuple[str, ...]
    layers: int | None
    shared: bool


Said = tuple[tuple[str, str, str], dict[str, Any]]


def run(job: Job) -> list[Said]:
    """The summaries of the job's scenarios."""
    cache = CacheDir.default()
    engines: dict[str, Engine] = {}
    said: list[Said] = []
    for model in job.models:
        start = time.process_time()
        summary = _tried(job, model, cache, engines)
        if job.shared and not _definite(summary):  # perhaps only for what the others left
            engines.clear()
            summary = _tried(replace(job, shared=False), model, cache, engines)
        summary["seconds"] = round(time.process_time() - start, 1)
        said.append(((job.version, model, job.device), summary))
    return said


def _definite(summary: dict[str, Any]) -> bool:
    return summary.get("outcome", "unproven") != "unproven" and not summary["blockers"]


def _tried(job: Job, model: str, cache: CacheDir, engines: dict[str, Engine]) -> dict[str, Any]:
    try:
        return _summary(_report(job, model, cache, engines))
    except Exception as error:  # noqa: BLE001 - one crash is a finding, not the end
        where = traceback.extract_tb(error.__traceback__)[-1]
        return {"crash": f"{type(error).__name__}: {error} at {where.filename}:{where.lineno}"}


def _report(job: Job, model: str, cache: CacheDir, engines: dict[str, Engine]) -> Report:
    sets = () if job.layers is None else (f"num_hidden_layers={job.layers}",)
    scenario = assemble(
        ScenarioWords(config=str(MODELS / f"{model}.json"), devices=(job.device,), sets=sets)
    )[0]
    tree = open_tree(job.version, cache=cache)
    companion, _ = companion_for(tree, wish_of(scenario), cache, silent)
    store = BlobStore(cache, KIND)
    if not job.shared:
        return analyze_tree(tree, companion, scenario, store)
    facts = make_facts(tree, companion, scenario.device, {}, scenario.packages,
                       scenario.config.values, scenario.config.hf_quant_config)  # fmt: skip
    key = str(companion.root) if companion is not None else ""
    if key not in engines:
        program = make_program(tree, companion, lambda text, path: load_module(text, path, store))
        engines[key] = make_engine(program, facts, scenario.config.values)
    it = engines[key]
    it.facts = facts
    for name in PER_SCENARIO:
        it.store.pop(name, None)
    it.store["hf_config"] = dict(scenario.config.values)
    it.store[UNSET] = scenario.config.removed
    it.trace = Trace()
    it.budget = Budget()

    def task() -> Report:
        with undone(it):
            return make_report(tree, companion, scenario, {}, evaluate(it, {}))

    report: Report = run_deep(task)
    return report


def _summary(report: Report) -> dict[str, Any]:
    groups = [g for g in report.attention if g.mla]
    refused = report.refusal
    summary: dict[str, Any] = {
        "outcome": report.outcome.value,
        "refusal": None
        if refused is None
        else f"{refused.exception}: {refused.message[:120]} at {refused.at}",
        "backends": [g.backend for g in groups],
        "prefill": [g.prefill_backend for g in groups],
        "thresholds": [g.reorder_batch_threshold for g in groups],
        "verdicts": [[t.verdict.value for t in g.targets] for g in groups],
        "blockers": [
            b
            for g in groups
            for t in g.targets
            if t.verdict is Verdict.UNPROVEN
            for b in t.blockers or ("no reason given",)
        ],
    }
    if report.outcome is Outcome.UNPROVEN:
        summary["why"] = [f.text for f in report.frontier][:3]
    return summary


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--versions")
    parser.add_argument("--models")
    parser.add_argument("--devices")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--layers", type=int, help="layers of each model; all by default")
    parser.add_argument("--apart", action="store_true", help="an engine for each scenario")
    parser.add_argument("--shard", type=int, default=0)
    parser.add_argument("--of", type=int, default=1, help="run one job of so many")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    versions = options.versions.split(",") if options.versions else releases()
    models = (
        options.models.split(",")
        if options.models
        else sorted(p.stem for p in MODELS.glob("*.json"))
    )
    devices = options.devices.split(",") if options.devices else list(DEVICES)
    jobs = [Job(v, d, tuple(models), options.layers, not options.apart)
            for v in versions for d in devices]  # fmt: skip
    jobs = [job for at, job in enumerate(jobs) if at % options.of == options.shard]
    total = 0
    bad = 0
    outcomes: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        for where, said in chain.from_iterable(pool.map(run, jobs)):
            total += 1
            outcomes[said.get("outcome", "crash")] += 1
            bad += not _definite(said)
            if options.v or not _definite(said):
                print(*where, said, flush=True)
    print(dict(outcomes))
    print(f"{total - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
