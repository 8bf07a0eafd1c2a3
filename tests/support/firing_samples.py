"""Hand-written answers of ``fires``: one for each kind of line. The code they quote is made up."""

from __future__ import annotations

from mlapath.base.verdict import Verdict
from mlapath.findings.annotated import AnnotatedFile, AnnotatedLine
from mlapath.findings.fires import (
    Batch,
    Effect,
    FiresReport,
    LocationFiring,
    Phase,
    PhaseFiring,
    PrintEffect,
)
from mlapath.findings.model import Condition, EvidenceKind, EvidenceStep, Outcome, Place
from support.samples import LAYER, TREE, scenario

IMPL = "vllm.model_executor.layers.attention.mla_attention.MLACommonImpl"
MORE = Condition("q.size(0) - n > 0", "a request of the step has more than 512 new tokens",
                 {"reorder_batch_threshold": 512})  # fmt: skip


def conditional() -> LocationFiring:
    return LocationFiring(
        "forward_mha", f"{LAYER}:2380", f"{IMPL}.forward_mha", "code", Verdict.CONDITIONAL,
        (
            PhaseFiring(Phase.LOAD, None, Verdict.NEVER, "nothing calls it there"),
            PhaseFiring(Phase.STEP, Batch.PREFILL, Verdict.CONDITIONAL, f"when {MORE.meaning}",
                        "per layer per step", "worker", MORE),
            PhaseFiring(Phase.STEP, Batch.DECODE, Verdict.NEVER, "a CUDA graph is replayed"),
        ),
        PrintEffect(Effect.PRINTS, "in steps: prefill (conditional)"), f"when {MORE.meaning}",
        (), (Place(f"{LAYER}:618", f"{IMPL}.forward_impl", "runs per layer per step"),),
        ("a prompt of at most 512 tokens counts as a decode here",),
    )  # fmt: skip


def never() -> LocationFiring:
    step = EvidenceStep(
        f"{LAYER}:533", "isinstance(self.impl, Sparse)", "True", EvidenceKind.GUARD
    )
    return LocationFiring(
        "mla_attention.py:540", f"{LAYER}:540", f"{IMPL}.forward", "code", Verdict.NEVER,
        (PhaseFiring(Phase.PROFILE, None, Verdict.NEVER, "is true (x.py:1)"),),
        PrintEffect(Effect.ABORTS, "torch.compile traces it as one graph"), "is true (x.py:1)",
        (step,),
    )  # fmt: skip


def unproven() -> LocationFiring:
    return LocationFiring(
        "execute_model", "vllm/v1/worker/gpu_model_runner.py:3960", "vllm.v1.R.execute_model",
        "code", Verdict.UNPROVEN,
        (PhaseFiring(Phase.PROFILE, None, Verdict.UNPROVEN, "not reached, but not excluded"),
         PhaseFiring(Phase.PROFILE, None, Verdict.ALWAYS, "made up", "per layer", count=4)),
        PrintEffect(Effect.UNPROVEN, "whether the line runs is not known"),
        "not reached, but not excluded", blockers=("named at a.py:1", "b", "c", "d"),
    )  # fmt: skip


def comment() -> LocationFiring:
    why = "a comment line: there is nothing for Python to run"
    return LocationFiring("x.py:1", "vllm/x.py:1", None, "comment", Verdict.NEVER, (),
                          PrintEffect(Effect.SILENT, why), why)  # fmt: skip


def report(*locations: LocationFiring) -> FiresReport:
    return FiresReport(TREE, scenario(), Outcome.RUNS,
                       locations or (conditional(), never(), unproven(), comment()),
                       notes=("said once",))  # fmt: skip


def annotated() -> AnnotatedFile:
    lines = (
        AnnotatedLine(1, "import x", Verdict.ALWAYS, ("config",)),
        AnnotatedLine(2, "", None),
        AnnotatedLine(3, "if <x>:", Verdict.CONDITIONAL, ("prefill?",), "True (index_topk=2048)"),
        AnnotatedLine(4, "    a\x1b[31m = 1", Verdict.NEVER),
        AnnotatedLine(5, "    # aside", None),
        AnnotatedLine(6, "\tb = 1", Verdict.UNPROVEN),
        AnnotatedLine(7, "c = 1", Verdict.NEVER, ("compiled",)),
    )
    return AnnotatedFile("vllm/x.py", TREE, scenario(), Outcome.RUNS, lines, ("a note",))
