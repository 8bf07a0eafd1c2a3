"""``fires`` on random lines of the MLA files of several releases: no crash, no internal error.

``python -m oracle.lines [--lines N] [--seed S] [--vllm V] [--model M] [--device D]`` from
``tests`` prints a table of verdicts; all lines of one deployment are asked in one evaluation.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import traceback
from collections import Counter
from collections.abc import Sequence

from mlapath.app.analyze import read_tree
from mlapath.app.companions import Wish, companion_for
from mlapath.app.fires import fires_in
from mlapath.base.verdict import Verdict
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.findings.fires import FiresReport
from mlapath.ir.load import KIND
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import silent
from support.realtree import MODELS, real_tree

RELEASES = ("0.16.0", "0.20.0", "0.24.0", "0.28.0", "0.33.0")
CONFIGS = ("deepseek-v3", "deepseek-v3.2", "glm-5")
DEVICES = ("h100", "b200")
FILES = re.compile(r"^vllm/(?!third_party/).*(mla|deepseek_v2|deepseek_v32)[^/]*(/[^/]*)*\.py$")


def places_of(version: str, count: int, seed: int) -> tuple[str, ...]:
    """So many lines of the MLA files of a release, the same for the same seed."""
    tree, _ = real_tree(version)
    lines = [
        f"{path}:{number}"
        for path in sorted(tree.files) if FILES.match(path)
        for number in range(1, (tree.root / path).read_bytes().count(b"\n") + 1)
    ]  # fmt: skip
    return tuple(random.Random(f"{seed} {version}").sample(lines, count))


def ask(version: str, model: str, device: str, places: Sequence[str]) -> FiresReport:
    """The answers for places of one deployment, of a model with four layers."""
    tree, _ = real_tree(version)
    config = MODELS / f"{model}.json"
    model_type = json.loads(config.read_text("utf-8"))["model_type"]
    companion, _ = companion_for(tree, Wish(model_type), CacheDir.default(), silent)
    words = ScenarioWords(config=str(config), devices=(device,), sets=["num_hidden_layers=4"])
    (scenario,) = assemble(words)
    reading = read_tree(tree, companion, BlobStore(CacheDir.default(), KIND))
    return fires_in(reading, scenario, places)


def main() -> int:
    """Every deployment; 1 if any fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--vllm", action="append")
    parser.add_argument("--model", action="append")
    parser.add_argument("--device", action="append")
    given = parser.parse_args()
    failed = 0
    heads = "".join(f"{verdict.value:>12}" for verdict in Verdict)
    sys.stdout.write(f"{'release':8} {'model':14} {'device':7} {'outcome':9}{heads}\n")
    for version in given.vllm or RELEASES:
        places = places_of(version, given.lines, given.seed)
        for model in given.model or CONFIGS:
            for device in given.device or DEVICES:
                deployment = f"{version:8} {model:14} {device:7}"
                try:
                    report = ask(version, model, device, places)
                except Exception:  # noqa: BLE001 - any at all is what is looked for
                    failed += 1
                    sys.stdout.write(f"{deployment} FAILS\n{traceback.format_exc()}\n")
                    continue
                found = Counter(x.verdict for x in report.locations)
                table = "".join(f"{found[verdict]:12}" for verdict in Verdict)
                sys.stdout.write(f"{deployment} {report.outcome.value:9}{table}\n")
                sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
