"""Questions about upgrades (``fixtures/cases``): what ``diff`` says of the two releases, and why.

What changed was read out of the trees; see the questions for where.
"""

from __future__ import annotations

import json

import pytest

from mlapath.app.diff import diff, diff_scenarios
from mlapath.app.fires import FiresRequest, fires
from mlapath.app.gate import Context
from mlapath.app.request import TreeRequest
from mlapath.base.verdict import Verdict
from mlapath.findings.diff import ScenarioDiff
from mlapath.findings.gate import Severity
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.scenario.scenario import Scenario
from support.cases import Case, read_cases
from support.realtree import MODELS, real_tree, report_of

CASES = {case.id: case for case in read_cases()}

pytestmark = [pytest.mark.network, pytest.mark.slow]


def scenario(case: Case) -> Scenario:
    words = ScenarioWords(
        config=str(MODELS / f"{case.model}.json"), devices=(case.device,), engine=case.flags,
        sets=[f"{key}={json.dumps(value)}" for key, value in case.set.items()],
        unsets=case.unset, env=[f"{name}={value}" for name, value in case.env.items()],
        present=case.present, absent=case.absent,
    )  # fmt: skip
    return assemble(words)[0]


def upgraded(before: str, after: str) -> ScenarioDiff:
    """The second case's scenario on both cases' releases."""
    old, new = CASES[before], CASES[after]
    for case in (old, new):
        real_tree(case.vllm)
    asked = [(new.id, scenario(new))]
    (step,) = diff([old.vllm, new.vllm], asked, TreeRequest(), jobs=1).steps
    (found,) = step.scenarios
    assert found.error is None
    return found


def graver(found: ScenarioDiff, severity: Severity = Severity.ERROR) -> dict[str, str | None]:
    return {f.message: f.cause for f in found.findings if f.severity is severity}


def test_a_model_type_that_is_spelled_otherwise_loses_mla() -> None:
    found = upgraded("cfg-009b", "cfg-009a")
    cause = "use_mla: true -> false"
    assert graver(found) == {
        "forward_mha: conditional -> never": cause,
        "forward_mqa: conditional -> never": cause,
        "backend: FLASH_ATTN_MLA -> FLASH_ATTN": cause,
    }
    assert found.causes == (cause,)


def test_a_causal_flag_takes_mla_away() -> None:
    found = upgraded("cfg-005b", "cfg-005a")
    assert found.causes == ("use_mla: true -> false",)


def test_a_block_size_that_was_ignored_is_obeyed() -> None:
    found = upgraded("blk-001b", "blk-001a")
    assert "backend: FLASHINFER_MLA -> TRITON_MLA" in graver(found)
    assert len(found.causes) == 1
    assert found.causes[0].startswith("FLASHINFER_MLA was: chosen; is: block_size not supported")


@pytest.mark.parametrize(
    ("before", "after", "exception"),
    [("dcp-001a", "dcp-001b", "AssertionError"), ("reg-002a", "reg-002b", "ValueError")],
)
def test_what_was_refused_runs(before: str, after: str, exception: str) -> None:
    found = upgraded(before, after)
    cause = graver(found)[f"vLLM runs; before, it refuses ({exception})"]
    assert cause is not None
    assert cause.startswith(f"no longer: {exception}")


def test_an_override_of_the_architecture_brings_the_old_class_back() -> None:
    plain, changed = CASES["ovr-003b"], CASES["ovr-003a"]
    real_tree(plain.vllm)
    pair = (("plain", scenario(plain)), ("changed", scenario(changed)))
    (step,) = diff_scenarios([pair], TreeRequest(plain.vllm), jobs=1).steps
    (found,) = step.scenarios
    assert graver(found) == {}
    warned = graver(found, Severity.WARNING)
    assert (
        "layer class: vllm.models.deepseek_v32.attention.DeepseekV32Attention -> "
        "vllm.model_executor.layers.attention.mla_attention.MLAAttention"
    ) in warned


def test_another_prefill_method_is_the_default() -> None:
    """Although the backend is the same, and the verdicts are."""
    found = upgraded("upg-009a", "upg-009b")
    warned = graver(found, Severity.WARNING)
    old, new = (f"_run_prefill_new_tokens_{name}" for name in ("trtllm_ragged", "fa"))
    cause = warned[f"prefill backend: {old} -> {new}"]
    assert cause is not None
    assert f"self._run_prefill_new_tokens = self.{new}" in cause


def test_a_switch_of_the_prefill_is_gone() -> None:
    case = CASES["upg-009c"]
    real_tree("0.22.1")
    asked = [(case.id, scenario(case))]
    (step,) = diff([case.vllm, "0.22.1"], asked, TreeRequest(), jobs=1).steps
    (found,) = step.scenarios
    assert found.error is not None
    assert "has no field 'use_trtllm_ragged_deepseek_prefill'" in found.error


@pytest.mark.parametrize(
    ("patch", "there", "gone", "nearest"),
    [
        (
            "vllm.model_executor.model_loader.gguf_loader:GGUFModelLoader.load_weights",
            "0.23.0",
            "0.24.0",
            None,
        ),
        (
            "vllm.model_executor.layers.mla:MultiHeadLatentAttention.forward",
            None,
            "0.16.0",
            "MultiHeadLatentAttentionWrapper",
        ),
        (
            "vllm.v1.attention.backend:SparseMLAAttentionImpl",
            "0.25.1",
            "0.26.0",
            None,
        ),
    ],
)
def test_what_a_deployment_patches_is_gone(
    patch: str, there: str | None, gone: str, nearest: str | None
) -> None:
    for version, expected in ((there, True), (gone, False)):
        if version is not None:
            real_tree(version)
            targets = Context(TreeRequest(version)).patches
            assert targets.exists(patch) is expected
    if nearest is not None:
        assert any(nearest in near for near in targets.suggestions(patch))


PLACES = (
    "vllm.model_executor.layers.mla.MultiHeadLatentAttentionWrapper.__init__",
    "vllm.models.deepseek_v32.attention.DeepseekV32Attention.__init__",
)


@pytest.mark.parametrize(
    ("version", "expected"), [("0.28.0", (True, False)), ("0.33.0", (False, True))]
)
def test_the_class_that_is_made_is_another_one(version: str, expected: tuple[bool, ...]) -> None:
    """A replacement of the wrapper, or a print in the new package, works on one side only."""
    real_tree(version)
    case = CASES["ovr-003b"]
    found = fires(FiresRequest(TreeRequest(version), scenario(case), PLACES))
    made = {location.asked: location.verdict for location in found.locations}
    runs = (Verdict.ALWAYS, Verdict.CONDITIONAL)
    assert tuple(made[place] in runs for place in PLACES) == expected


def test_the_variable_that_chose_a_backend_up_to_0_14():
    """Case upg-003: ``attention_config`` replaced it, and says so where it is still read."""
    tree, companion = real_tree("0.14.1")
    words = {"env": ["VLLM_ATTENTION_BACKEND=TRITON_MLA"]}
    report = report_of(tree, companion, "deepseek-v3", "h100", **words)
    assert report.attention[0].backend == "TRITON_MLA"
    assert report.unread_env == ()
    after, companion = real_tree("0.16.0")
    later = report_of(after, companion, "deepseek-v3", "h100", **words)
    assert later.attention[0].backend != "TRITON_MLA"
    assert [x.name for x in later.unread_env] == ["VLLM_ATTENTION_BACKEND"]
