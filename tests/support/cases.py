"""Questions with known answers (``fixtures/cases``): asked of mlapath, compared field by field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlapath.findings.model import Report
from support.realtree import release_report

CASES = Path(__file__).resolve().parents[2] / "fixtures" / "cases"
TARGETS = ("forward_mha", "forward_mqa")


@dataclass(frozen=True)
class Case:
    """A scenario and what must come out, by the names of ``fixtures/cases/README.md``."""

    id: str
    vllm: str
    model: str
    device: str
    expect: Mapping[str, Any]
    set: Mapping[str, Any] = field(default_factory=dict)
    unset: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


def read_cases() -> list[Case]:
    """All cases, in the order of their files."""
    lines = [
        json.loads(line)
        for file in sorted(CASES.glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
    ]
    return [
        Case(
            id=line["id"], vllm=line["vllm"], model=line["model"], device=line["device"],
            expect=line["expect"], set=line.get("set", {}), unset=tuple(line.get("unset", ())),
            flags=tuple(line.get("flags", ())), env=line.get("env", {}),
            present=tuple(line.get("with", ())), absent=tuple(line.get("without", ())),
        )
        for line in lines
    ]  # fmt: skip


def ask(case: Case) -> Report:
    """The report of the case's scenario on the real release."""
    return release_report(
        case.vllm, case.model, case.device, case.flags,
        sets=[f"{key}={json.dumps(value)}" for key, value in case.set.items()],
        unsets=case.unset, env=[f"{name}={value}" for name, value in case.env.items()],
        present=case.present, absent=case.absent,
    )  # fmt: skip


def answer(report: Report, names: Mapping[str, Any]) -> dict[str, Any]:
    """What the report says of each of ``names``. Without MLA layers no target ever runs."""
    own = [group for group in report.attention if group.mla and not group.draft]
    group = own[0] if own else None
    drafts = [group for group in report.attention if group.mla and group.draft]
    found: dict[str, Any] = {
        "outcome": report.outcome.value,
        "use_mla": report.settings.use_mla,
        "cudagraph_mode": report.settings.cudagraph_mode,
        "model_runner": report.settings.model_runner,
        "unread_env": [unread.name for unread in report.unread_env],
        "kv_cache_dtype": report.settings.kv_cache_dtype,
        "block_size": report.settings.block_size,
        "exception": report.refusal and report.refusal.exception,
        "at": report.refusal and report.refusal.at,
        "file": report.refusal and report.refusal.at.rpartition(":")[0],
        "backend": group and group.backend,
        "prefill_backend": group and group.prefill_backend,
        "threshold": group and group.reorder_batch_threshold,
        "draft_backend": drafts[0].backend if drafts else None,
        "draft_threshold": drafts[0].reorder_batch_threshold if drafts else None,
    }
    for target in TARGETS:
        verdicts = [t.verdict.value for g in own for t in g.targets if t.target == target]
        found[target] = verdicts[0] if verdicts else "never"
    if group is not None:
        found["kv_cache_dtype"] = group.kv_cache_dtype
        found["block_size"] = group.block_size
    return {name: sorted(found[name]) if name == "unread_env" else found[name] for name in names}


def expected(case: Case) -> dict[str, Any]:
    """The facts to compare with, in the form of :func:`answer`."""
    return {k: sorted(v) if isinstance(v, list) else v for k, v in case.expect.items()}
