"""Gates by hand: one result with every kind of finding, and a diff."""

from __future__ import annotations

from dataclasses import replace

from mlapath.ci import rules
from mlapath.findings.diff import ChainDiff, ChainRow, Diff, Mark, ScenarioDiff, TreeDiff
from mlapath.findings.gate import Checked, Finding, GateResult
from support import samples

CAUSE = "no longer on the way: isinstance(self.impl, SparseMLAAttentionImpl) → True"
OPEN = samples.dense().attention[0].targets[0].evidence[0]


def verdict() -> Finding:
    return Finding(
        rules.VERDICT, rules.VERDICT.severity, "prod/h100", "forward_mha (model.layers.*.attn)",
        "forward_mha: never -> conditional", OPEN.at, "never", "conditional", CAUSE,
        (*samples.SPARSE_CHAIN[:2], OPEN),
    )  # fmt: skip


def refusal() -> Finding:
    return Finding(
        rules.REFUSAL, rules.REFUSAL.severity, "prod/h100", "refusal",
        "vLLM refuses for another reason", f"{samples.CUDA}:347", "ValueError: a\x1b[31m",
        "KeyError: " + "b" * 300,
    )  # fmt: skip


def note() -> Finding:
    return Finding(
        rules.INPUT_NEW, rules.INPUT_NEW.severity, "prod/h100", "env:VLLM_X",
        "the path depends on env:VLLM_X", after="env:VLLM_X",
    )  # fmt: skip


def gate() -> GateResult:
    return GateResult(
        "0.26.0",
        (
            Checked("prod/h100", (verdict(), refusal(), note())),
            Checked("prod/b200"),
            Checked("notes", (replace(note(), scenario="notes"),)),
            Checked("lost", error="the process ended early"),
        ),
    )


def rows() -> tuple[ChainRow, ...]:
    chain = samples.SPARSE_CHAIN
    return (
        ChainRow(Mark.SAME, chain[0], chain[0]),
        ChainRow(Mark.SAME, chain[0], chain[0]),
        ChainRow(Mark.REWORDED, chain[1], replace(chain[1], text="self.is_v32 = x")),
        ChainRow(Mark.GONE, chain[2], None, first=True),
        ChainRow(Mark.CHANGED, chain[4], OPEN),
        ChainRow(Mark.NEW, None, OPEN),
    )


def step(before: str = "0.25.1", after: str = "0.26.0") -> TreeDiff:
    chain = ChainDiff("forward_mha (model.layers.*.attn)", "never", "conditional", rows())
    return TreeDiff(
        before,
        after,
        (
            ScenarioDiff("glm-5 on h100", (verdict(), note()), (CAUSE,), (chain,)),
            ScenarioDiff("glm-5 on b200"),
            ScenarioDiff("glm-5 on cpu", error="vLLM 0.26.0: no engine flag --x"),
        ),
    )


def diff() -> Diff:
    return Diff((step(),))


def walk() -> Diff:
    quiet = TreeDiff("0.26.0", "0.27.0", (ScenarioDiff("glm-5 on h100", (note(),)),))
    return Diff((step(), quiet, TreeDiff("0.27.0", "0.28.0", ())), walked=True)
