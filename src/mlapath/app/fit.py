"""Whether a scheduler would put a given batch into one step of a given engine."""

from __future__ import annotations

from mlapath.app.evaluate import Evaluation
from mlapath.base.errors import UsageError
from mlapath.scenario.batch import Batch
from mlapath.values.value import V


def check_fit(found: Evaluation, batch: Batch | None) -> None:
    """Hold a batch against the limits that vLLM's own code resolved for this deployment.

    A limit that is not known is none.

    Raises:
        UsageError: no step of this engine has such a batch.
    """
    config = found.config
    if batch is None or found.stop is not None or config is None:
        return
    requests = sum(part.count for part in batch.requests)
    tokens = sum(part.query * part.count for part in batch.requests)
    longest = max(part.query + part.context for part in batch.requests)
    limits = (
        ("scheduler_config", "max_num_seqs", requests, "requests"),
        ("scheduler_config", "max_num_batched_tokens", tokens, "new tokens"),
        ("model_config", "max_model_len", longest, "tokens in one sequence"),
    )
    for owner, name, wanted, unit in limits:
        limit = _number(found, config, owner, name)
        if limit is not None and wanted > limit:
            raise UsageError(
                f"--batch {batch.spec!r}: {wanted} {unit} are more than a step of this deployment "
                f"can have ({name} is {limit})"
            )


def _number(found: Evaluation, config: V, owner: str, name: str) -> int | None:
    holder = found.engine.find_attr(config, owner)
    value = None if holder is None else found.engine.find_attr(holder, name)
    return value.d if value is not None and type(value.d) is int else None
