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
from pathlib import Path
from typing import Any

from mlapath.app.analyze import analyze_tree
from mlapath.app.companions import companion_for
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.findings.model import Outcome
from mlapath.ir.load import KIND
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import list_releases, open_tree, silent

MODELS = Path(__file__).resolve().parents[2] / "fixtures" / "models"
DEVICES = ("8.0", "8.9", "9.0", "10.0", "10.3", "12.0", "12.1")


def releases() -> list[str]:
    """The final releases in scope, oldest first."""
    from packaging.version import Version

    found = [str(v) for v in list_releases("vllm", cache=CacheDir.default())]
    first, last = Version("0.16.0"), Version("0.33.0")
    return sorted((v for v in found if first <= Version(v) <= last), key=Version)


def one(job: tuple[str, str, str]) -> tuple[tuple[str, str, str], dict[str, Any]]:
    """The summary of one scenario."""
    version, model, device = job
    start = time.perf_counter()
    try:
        cache = CacheDir.default()
        tree = open_tree(version, cache=cache)
        scenario = assemble(
            ScenarioWords(config=str(MODELS / f"{model}.json"), devices=(device,))
        )[0]
        model_type = scenario.config.values.get("model_type")
        companion, _ = companion_for(tree, model_type, cache, silent)
        report = analyze_tree(tree, companion, scenario, BlobStore(cache, KIND))
    except Exception as error:  # noqa: BLE001 - one crash is a finding, not the end
        where = traceback.extract_tb(error.__traceback__)[-1]
        return job, {
            "crash": f"{type(error).__name__}: {error} at {where.filename}:{where.lineno}"
        }
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
            for b in t.blockers
        ],
        "seconds": time.perf_counter() - start,
    }
    if report.outcome is Outcome.UNPROVEN:
        summary["why"] = [f.text for f in report.frontier][:3]
    return job, summary


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--versions")
    parser.add_argument("--models")
    parser.add_argument("--devices")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    versions = options.versions.split(",") if options.versions else releases()
    models = (
        options.models.split(",")
        if options.models
        else sorted(p.stem for p in MODELS.glob("*.json"))
    )
    devices = options.devices.split(",") if options.devices else list(DEVICES)
    jobs = [(v, m, d) for v in versions for m in models for d in devices]
    bad = 0
    outcomes: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        for job, said in pool.map(one, jobs):
            unproven = "crash" in said or said["outcome"] == "unproven" or said["blockers"]
            outcomes[said.get("outcome", "crash")] += 1
            bad += bool(unproven)
            if unproven or options.v:
                print(*job, said, flush=True)
    print(dict(outcomes))
    print(f"{len(jobs) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
