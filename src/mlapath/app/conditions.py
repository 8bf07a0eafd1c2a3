"""Guards as conditions: in the program's terms and in a user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mlapath.engine.control import Guard
from mlapath.findings.model import Condition

PREFILL_PATH = "forward_mha"
DECODE_PATH = "forward_mqa"


def condition_of(guards: Sequence[Guard], target: str, numbers: Mapping[str, int]) -> Condition:
    """The condition under which ``target`` runs; ``guards`` from the nearest to the farthest."""
    texts = [guard.text if guard.side else f"not ({guard.text})" for guard in guards[:3]]
    program = " and ".join(dict.fromkeys(texts)) or "something that is not known"
    return Condition(program, _meaning(target, program, numbers), dict(numbers))


def _meaning(target: str, program: str, numbers: Mapping[str, int]) -> str:
    threshold = numbers.get("reorder_batch_threshold")
    limit = numbers.get("index_topk")
    if not target:
        return f"if {program}"
    if threshold is None or target not in (PREFILL_PATH, DECODE_PATH):
        return f"in steps where {program}"
    tokens = "token" if threshold == 1 else "tokens"
    if target == PREFILL_PATH:
        text = f"a request of the step has more than {threshold} new {tokens}"
        if limit is not None:
            text += " and the sparse layer takes the MHA path for the step's prefill"
        return text
    text = f"a request of the step has at most {threshold} new {tokens}"
    if limit is not None:
        text += ", or the sparse layer takes the MQA path for the step's prefill"
    return text
