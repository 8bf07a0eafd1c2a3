"""mlapath against CPython, over whole miniature trees: no verdict that a run contradicts."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mlapath.base.verdict import Verdict
from mlapath.findings.model import Outcome
from support.eras import BATCHES, ERAS, Executed, era_report, execute, site

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="CPython finds the empty .so only on Linux"
)

DEVICES = {"a100": "8.0", "h100": "9.0", "b200": "10.0", "rtx-pro-6000": "12.0"}
TARGETS = (
    "forward_mha", "forward_mqa", "_forward_prefill", "_forward_decode", "forward_impl",
    "_use_sparse_mha", "_forward_chosen", "unified_mla_attention",
)  # fmt: skip


def targets(era: str) -> tuple[str, ...]:
    """The targets that the era's tree defines; at least a way in and two paths."""
    text = "".join(file.read_text("utf-8") for file in sorted(site(era).rglob("*.py")))
    found = tuple(name for name in TARGETS if f"def {name}(" in text)
    assert len(found) >= 3
    return found


@dataclass(frozen=True)
class Scenario:
    """One deployment, in mlapath's words and in the engine's."""

    model: str
    device: str
    flags: tuple[str, ...] = ()
    arguments: Mapping[str, object] = field(default_factory=dict)
    unset: tuple[str, ...] = ()


SCENARIOS = {
    "dense on 8.0": Scenario("deepseek-v3", "a100"),
    "dense on 9.0": Scenario("deepseek-v3", "h100"),
    "small on 10.0": Scenario("deepseek-v2-lite", "b200"),
    "sparse on 9.0": Scenario("deepseek-v3.2", "h100"),
    "sparse on 10.0": Scenario("glm-5", "b200"),
    "sparse on 12.0": Scenario("glm-5", "rtx-pro-6000"),
    "no longer sparse": Scenario("glm-5", "rtx-pro-6000", unset=("index_topk",)),
    "larger blocks": Scenario(
        "deepseek-v3.2", "h100", ("--block-size", "128"), {"block_size": 128}
    ),
    "quantized cache": Scenario(
        "deepseek-v3", "b200", ("--kv-cache-dtype", "fp8"), {"kv_cache_dtype": "fp8"}
    ),
    "forced backend": Scenario(
        "deepseek-v3", "a100", ("--attention-backend", "FLASHMLA"),
        {"attention_backend": "FLASHMLA"},
    ),
    "too long": Scenario("deepseek-v3", "h100", ("--max-model-len", "1m"),
                         {"max_model_len": 1_000_000}),
    "unknown architecture": Scenario("minicpm3-4b", "h100"),
}  # fmt: skip


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("name", SCENARIOS)
def test_as_cpython_runs_it(era: str, name: str, tmp_path: Path) -> None:
    s = SCENARIOS[name]
    ran = execute(era, s.model, DEVICES[s.device], tmp_path, s.arguments, s.unset)
    found = era_report(era, s.model, s.device, s.flags, targets=targets(era), unsets=s.unset)
    if ran.error is not None:
        assert found.outcome is Outcome.REFUSES
        assert found.refusal is not None
        assert found.refusal.exception == ran.error
        assert found.refusal.message.partition("{")[0] == _until_dict(ran)
        return
    assert found.outcome is Outcome.RUNS
    (group,) = found.attention
    assert group.backend == ran.backend
    assert set(ran.calls) == set(BATCHES)
    for target in group.targets:
        batches = {batch for batch, names in ran.calls.items() if target.target in names}
        if target.verdict is Verdict.NEVER:
            assert not batches, f"{target.target} is never, but ran in {sorted(batches)}"
        if target.verdict is Verdict.ALWAYS:
            assert batches == set(BATCHES), f"{target.target} is always, but not in {batches}"
        assert target.verdict is not Verdict.UNPROVEN, target.blockers


def _until_dict(ran: Executed) -> str:
    """The message up to where it lists a dictionary's keys."""
    return (ran.message or "").partition("dict_keys(")[0]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("name", ["dense on 9.0", "sparse on 9.0"])
def test_a_batch_as_cpython_runs_it(era: str, name: str, tmp_path: Path) -> None:
    s = SCENARIOS[name]
    ran = execute(era, s.model, DEVICES[s.device], tmp_path)
    assert ran.error is None
    for batch, requests in BATCHES.items():
        spec = "+".join(f"{query}@{context}" for query, context in requests)
        found = era_report(era, s.model, s.device, targets=targets(era), batch=spec)
        (group,) = found.attention
        for target in group.targets:
            wanted = Verdict.ALWAYS if target.target in ran.calls[batch] else Verdict.NEVER
            assert target.verdict is wanted, (batch, target.target, target.blockers)
