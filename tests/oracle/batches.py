"""Agreement with records of real attention layers, batch by batch: which of the methods ran.

``python -m oracle.batches [--version V] [--every N]`` from ``tests`` runs the records.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import Any

from mlapath.app.evaluate import StepResult, step
from mlapath.app.verdicts import judge, scene
from mlapath.base.verdict import Verdict
from mlapath.engine.control import PyRaise
from mlapath.engine.interp import Engine
from mlapath.scenario.batch import parse_batch
from oracle.layers import TARGETS, build, compare, records
from oracle.undo import undone

SPECS = {
    "prefill": "6",
    "decode": "1@8x3",
    "mixed": "1@8x2+4",
    "chunked_prefill_with_context": "4@16",
    "prefill_600": "600",
    "mixed_600": "1@8+1@4+600",
    "prefill_600_with_context_900": "600@900",
    "long_prefill_over_topk": "3000",
}
"""What the records' batches are on the command line."""


def built() -> list[dict[str, Any]]:
    """The records of layers whose constructor and metadata builder did not raise."""
    return [r for r in records() if "backend" in r and not r.get("builder_error")]


def ask(it: Engine, record: dict[str, Any]) -> list[str]:
    """Where our verdicts on the batches of a record differ from what ran."""
    try:
        found, layer = build(it, record)
    except PyRaise as raised:
        return [f"refused: {it.type_name(raised.exc)}: {it.message_of(raised.exc)}"]
    wrong: list[str] = []
    for name, spec in SPECS.items():
        real = record["batches"].get(name, {}).get("real")
        if real is None or real.get("error"):
            continue
        ran = {call[0] for call in real["calls"]}
        with undone(it):
            result = step(found, layer, parse_batch(spec))
            seen = scene(found, layer, result, {})
            for target in TARGETS:
                said = judge(seen, target)
                right = Verdict.ALWAYS if target in ran else Verdict.NEVER
                if right is Verdict.ALWAYS and _died_in_a_target(result):
                    continue
                if said.verdict is not right:
                    why = said.blockers or (said.condition and said.condition.program)
                    stop = result.stop and (result.stop.why or result.stop.raised)
                    wrong.append(f"{name}: {target} is {right.value}; ours {said.verdict.value}: "
                                 f"{stop or why or said.because!s:.300}")  # fmt: skip
    return wrong


def _died_in_a_target(result: StepResult) -> bool:
    """Whether the body of a method raised that the records have a recorder for: it ended there."""
    raised = result.stop.raised if result.stop is not None else None
    stack = raised.stack if raised is not None else ()
    return any(place.endswith(tuple(f".{target}" for target in TARGETS)) for place in stack)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    wanted = [r for r in built() if options.version in (None, r["version"])]
    wanted = wanted[options.first :: options.every]
    wrong = compare(wanted, ask=ask)
    print(f"{len(wanted) - len(wrong)} passed, {len(wrong)} failed")
    kinds = Counter((r["version"], r["record"], r["backend"], d[:400]) for r, ds in wrong
                    for d in ds)  # fmt: skip
    for kind, count in kinds.most_common(40):
        print(f"{count:5}  {kind}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
