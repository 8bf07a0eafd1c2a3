"""One miniature tree for each era: what their READMEs say is what mlapath finds."""

from __future__ import annotations

import filecmp

import pytest

from mlapath.base.verdict import Verdict
from mlapath.findings.model import Outcome, Report
from mlapath.ir.lower import lower_module
from mlapath.resolve.program import Program
from mlapath.scenario.engine_flags import read_flag_table
from support.eras import ERAS, FIXTURES, era_report, era_tree, site

NEVER, ALWAYS, CONDITIONAL = Verdict.NEVER, Verdict.ALWAYS, Verdict.CONDITIONAL
PATHS = ("forward_mha", "forward_mqa")
OLD_PATHS = ("_forward_prefill", "_forward_decode")
OWN = frozenset(
    {
        "vllm/__init__.py",
        "vllm/config/attention.py",
        "vllm/model_executor/layers/attention/mla_attention.py",
        "vllm/model_executor/layers/mla.py",
        "vllm/model_executor/models/deepseek_v2.py",
        "vllm/model_executor/models/llama.py",
        "vllm/model_executor/models/registry.py",
        "vllm/platforms/cuda.py",
        "vllm/v1/attention/backend.py",
        "vllm/v1/attention/backends/flash_attn.py",
        "vllm/v1/attention/backends/mla/flashmla.py",
        "vllm/v1/attention/backends/mla/flashmla_sparse.py",
        "vllm/v1/attention/backends/mla/triton_mla.py",
        "vllm/v1/attention/backends/utils.py",
        "vllm/version.py",
    }
)
"""Files that some era has in a form of its own."""
MAX_LINES = 150


def paths(era: str) -> tuple[str, ...]:
    return OLD_PATHS if era == "0.15" else PATHS


def verdicts(report: Report, era: str) -> tuple[Verdict, ...]:
    group = next(g for g in report.attention if g.mla)
    found = {t.target: t.verdict for t in group.targets}
    return tuple(found[name] for name in paths(era))


def report(era: str, model: str, device: str, *flags: str, **words: tuple[str, ...]) -> Report:
    return era_report(era, model, device, flags, targets=paths(era), **words)


def test_what_eras_share_is_the_same() -> None:
    seen: dict[str, str] = {}
    for era in ERAS:
        for file in site(era).rglob("*.py"):
            name = file.relative_to(site(era)).as_posix()
            first = seen.setdefault(name, era)
            same = filecmp.cmp(file, site(first) / name, shallow=False)
            assert same or name in OWN, f"{name} differs between {first} and {era}"


def test_modules_are_small() -> None:
    for file in FIXTURES.rglob("*.py"):
        assert len(file.read_text("utf-8").splitlines()) <= MAX_LINES, file


@pytest.mark.parametrize("era", ERAS)
def test_every_era_has_a_page(era: str) -> None:
    text = (FIXTURES / "eras" / era / "README.md").read_text("utf-8")
    assert era in text.splitlines()[0]
    assert f"`{era}`" in (FIXTURES / "eras" / "README.md").read_text("utf-8")


@pytest.mark.parametrize("era", ERAS)
def test_flags(era: str) -> None:
    table = read_flag_table(Program([era_tree(era)], lower_module), era)
    assert table.skipped == ()
    named = {flag.dest for flag in table.flags}
    assert {each.name for each in table.fields} == named - {"host", "port"}
    parsed = table.parse(
        ["org/model", "-tp", "8", "--max-model-len", "4K", "--attention_config.backend=FLASHMLA",
         "--port", "80"]
    )  # fmt: skip
    assert parsed.model == "org/model"
    assert parsed.engine == {
        "max_model_len": 4096,
        "tensor_parallel_size": 8,
        "attention_config": {"backend": "FLASHMLA"},
    }


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("device", ["a100", "h100", "b200", "rtx-pro-6000"])
def test_dense(era: str, device: str) -> None:
    found = report(era, "deepseek-v3", device)
    (group,) = found.attention
    assert found.outcome is Outcome.RUNS
    backend, threshold = ("FLASHMLA", 128) if device == "h100" else ("TRITON_MLA", 1)
    assert (group.backend, group.reorder_batch_threshold) == (backend, threshold)
    assert group.sparse is False
    assert verdicts(found, era) == (CONDITIONAL, CONDITIONAL)


SPARSE = {
    "0.15": (NEVER, NEVER),
    "0.16": (NEVER, ALWAYS),
    "0.26": (CONDITIONAL, CONDITIONAL),
    "0.29": (CONDITIONAL, CONDITIONAL),
}


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("device", ["h100", "b200"])
@pytest.mark.parametrize("model", ["deepseek-v3.2", "glm-5"])
def test_sparse(era: str, model: str, device: str) -> None:
    found = report(era, model, device)
    group = found.attention[0]
    assert found.outcome is Outcome.RUNS
    assert (group.backend, group.sparse) == ("FLASHMLA_SPARSE", True)
    assert group.block_size == 64
    assert verdicts(found, era) == SPARSE[era]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("device", ["a100", "rtx-pro-6000"])
def test_sparse_has_no_backend_on_other_devices(era: str, device: str) -> None:
    found = report(era, "deepseek-v3.2", device)
    assert found.outcome is Outcome.REFUSES
    assert found.refusal is not None
    assert found.refusal.exception == "ValueError"
    assert "No valid attention backend found" in found.refusal.message
    assert found.refusal.at.startswith("vllm/platforms/cuda.py:")


@pytest.mark.parametrize("era", ["0.26", "0.29"])
def test_a_flag_keeps_sparse_from_mha(era: str) -> None:
    flag = '{"sparse_mla_force_mqa": true}'
    found = report(era, "deepseek-v3.2", "h100", "--attention-config", flag)
    mha, mqa = verdicts(found, era)
    assert mha is NEVER
    # that a batch without decodes then has tokens for MQA is arithmetic that is not followed
    assert mqa in (ALWAYS, CONDITIONAL)


def test_without_the_key_that_makes_it_sparse() -> None:
    found = report("0.16", "glm-5", "rtx-pro-6000", unsets=("index_topk",))
    assert found.attention[0].backend == "TRITON_MLA"
    assert verdicts(found, "0.16") == (CONDITIONAL, CONDITIONAL)
    found = report("0.29", "glm-5", "rtx-pro-6000", unsets=("index_topk",))
    assert found.refusal is not None
    assert found.refusal.exception == "AttributeError"
    assert found.refusal.at.startswith("vllm/models/deepseek_v32/model.py:")


@pytest.mark.parametrize("era", ERAS)
def test_a_constructor_refuses(era: str) -> None:
    flags = ("--kv-cache-dtype", "fp8", "--attention-backend", "TRITON_MLA")
    found = report(era, "deepseek-v3", "h100", *flags)
    assert found.refusal is not None
    assert found.refusal.exception == "NotImplementedError"
    assert found.refusal.at.startswith("vllm/v1/attention/backends/mla/triton_mla.py:")


@pytest.mark.parametrize("era", ERAS)
def test_a_missing_extension_and_a_variable_change_the_answer(era: str) -> None:
    found = report(era, "deepseek-v3", "h100", absent=("vllm._flashmla_C",))
    assert found.attention[0].backend == "TRITON_MLA"
    found = report(era, "deepseek-v3", "h100", env=("VLLM_MLA_DISABLE=1",))
    assert found.outcome is Outcome.REFUSES


@pytest.mark.parametrize(
    ("device", "words", "backend"),
    [
        ("b200", {}, "FLASH_ATTN"),
        ("b200", {"present": ("flashinfer-python",)}, "TRTLLM_RAGGED"),
        ("h100", {"present": ("flashinfer-python",)}, "FLASH_ATTN"),
    ],
)
def test_prefill_backends(device: str, words: dict[str, tuple[str, ...]], backend: str) -> None:
    found = report("0.29", "deepseek-v3", device, **words)
    assert found.attention[0].prefill_backend == backend


@pytest.mark.parametrize("era", ERAS)
def test_a_model_without_mla(era: str) -> None:
    found = report(era, "llama-3.1-8b", "h100")
    assert [(g.backend, g.mla) for g in found.attention] == [("FLASH_ATTN", False)]
