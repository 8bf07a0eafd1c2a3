"""Hand-written results of a gate: one for each case that a renderer must tell apart.

The code they quote is made up.
"""

from __future__ import annotations

from mlapath.findings.gate import Checked, Finding, GateResult, Rule, Severity
from mlapath.findings.model import EvidenceKind, EvidenceStep

LAYER = "vllm/model_executor/layers/attention/mla_attention.py"
VERDICT = Rule(
    "MLA101",
    "verdict-changed",
    "A target's verdict differs from the baseline.",
    Severity.ERROR,
    "Read the first cause; if the change is wanted, write the baseline anew.",
)
DEFAULT = Rule(
    "MLA203",
    "default-changed",
    "A default that bears on attention differs from the baseline.",
    Severity.WARNING,
    "Set the value yourself if the deployment needs the old one.",
)
MOVED = Rule(
    "MLA301",
    "symbol-moved",
    "A function on the path has moved.",
    Severity.NOTE,
    "Adapt patches and imports that name it.",
)
HOSTILE = "x\x1b[31m\x00 %0A::error::p, a:b=c | <b>`y`</b>\r\n## z [l](u) {0} & \ud800\u202e"


def verdict_changed(scenario: str = "glm-5-h100", **changes: object) -> Finding:
    values: dict[str, object] = {
        "rule": VERDICT,
        "severity": Severity.ERROR,
        "scenario": scenario,
        "subject": "forward_mha",
        "message": "forward_mha was never, is conditional",
        "at": f"{LAYER}:551",
        "before": "never",
        "after": "conditional: a request of the step has more than 2048 tokens",
        "cause": "the class SparseMLAAttentionImpl is gone from the guard",
        "evidence": (
            EvidenceStep(None, "index_topk", "2048", EvidenceKind.CONFIG),
            EvidenceStep(
                f"{LAYER}:537",
                "is_sparse = self.impl.is_sparse",
                "True",
                EvidenceKind.ASSIGN,
                ("config:index_topk=2048",),
            ),
            EvidenceStep(f"{LAYER}:551", "num_mha_tokens > 0", None, EvidenceKind.GUARD),
        ),
    }
    return Finding(**{**values, **changes})  # type: ignore[arg-type]


def default_changed(scenario: str = "glm-5-h100") -> Finding:
    return Finding(
        DEFAULT,
        Severity.WARNING,
        scenario,
        "cudagraph_mode",
        "the default of cudagraph_mode was PIECEWISE, is FULL_AND_PIECEWISE",
        before="PIECEWISE",
        after="FULL_AND_PIECEWISE",
    )


def symbol_moved(scenario: str = "v3-b200") -> Finding:
    return Finding(
        MOVED,
        Severity.NOTE,
        scenario,
        "vllm.model_executor.layers.mla.MLAAttention",
        "MLAAttention has moved to vllm/models/deepseek_v32",
        at="vllm/models/deepseek_v32/attention.py:12",
    )


def mixed() -> GateResult:
    """Findings of all severities, a clean scenario, one that could not be checked."""
    return GateResult(
        "0.26.0",
        (
            Checked("glm-5-h100", (verdict_changed(), default_changed())),
            Checked("glm-5-a100"),
            Checked("v3-b200", (symbol_moved(),)),
            Checked("v3-cpu", error="models/v3.json: no such file"),
        ),
    )


def hostile() -> GateResult:
    """Text that means something to a format, in every place that quotes."""
    step = EvidenceStep("vllm/a b%,:`|.py:3", HOSTILE, HOSTILE, EvidenceKind.GUARD)
    finding = verdict_changed(
        HOSTILE,
        subject=HOSTILE,
        message=HOSTILE,
        at="vllm/a b%,:`|.py:3",
        before=HOSTILE,
        after=HOSTILE,
        cause=HOSTILE,
        evidence=(step,),
    )
    checked = Checked(HOSTILE, (finding,), error=HOSTILE)
    return GateResult(HOSTILE, (checked,), project="ci/my project%.toml")


def all_results() -> dict[str, GateResult]:
    return {
        "mixed": mixed(),
        "hostile": hostile(),
        "passed": GateResult("0.26.0", (Checked("glm-5-a100"), Checked("glm-5-h100"))),
        "empty": GateResult("0.26.0"),
    }
