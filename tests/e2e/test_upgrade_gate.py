"""The gate on real releases: the how-to's five commands, and what changed at known releases."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from mlapath.cli.main import main
from support.examples import Example, first_difference
from support.realtree import MODELS, real_tree

PAGE = Path(__file__).resolve().parents[2] / "docs" / "upgrade-gate.md"

pytestmark = [pytest.mark.network, pytest.mark.slow]


def test_the_five_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PAGE.read_text("utf-8")
    commands = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)[0].splitlines()[1:]
    shown = re.findall(r"```text\n(.*?)```", text, re.DOTALL)[0].splitlines()
    for version in ("0.25.1", "0.26.0"):
        real_tree(version)
    shutil.copy(MODELS / "deepseek-v3.2.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    codes = [main(shlex.split(command)[1:]) for command in commands[:-1]]
    assert codes == [0, 0, 0]
    assert capsys.readouterr().out.splitlines()[-1] == "deepseek-v3.2 OK"
    last = tuple(shlex.split(commands[-1])[1:])
    assert main(last) == 1
    assert first_difference(Example(last, tuple(shown)), capsys.readouterr().out) is None


SET = """
vllm = "0.25.1"

[scenarios.few]
abstract = true
config = "deepseek-v3.json"
set = { num_hidden_layers = 4 }

[scenarios."v3.2"]
extends = "few"
config = "deepseek-v3.2.json"
device = ["h100", "b200"]

[scenarios.v3]
extends = "few"
device = ["h100", "a100", "b200", "12.0"]

[scenarios.glm]
extends = "few"
config = "glm-4.7-flash.json"
device = "b200"
"""
NEW = ("0.26.0", "0.29.0", "0.33.0")
MODELS_USED = ("deepseek-v3", "deepseek-v3.2", "glm-4.7-flash")
SPARSE = ("v3.2/h100", "v3.2/b200")
DENSE = ("v3/h100", "v3/a100", "v3/b200", "v3/12.0", "glm")

Found = dict[str, dict[str, dict[str, Any]]]
"""By release and scenario: the findings that are more than notes, by rule and message."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    folder = tmp_path_factory.mktemp("gate")
    for version in ("0.25.1", *NEW):
        real_tree(version)
    for model in MODELS_USED:
        shutil.copy(MODELS / f"{model}.json", folder)
    project = folder / "mlapath.toml"
    project.write_text(SET, "utf-8")
    assert main(["baseline", "write", f"--project={project}", "-q"]) == 0
    checked: Found = {}
    for version in NEW:
        out = folder / f"{version}.json"
        words = [f"--project={project}", f"--vllm={version}", f"--output=json:{out}", "-q"]
        assert main(["check", *words]) == 1
        checked[version] = {
            scenario["scenario"]: {
                f"{f['rule']} {f['message'].partition(' (')[0]}": f
                for f in scenario["findings"] if f["severity"] != "note"
            }
            for scenario in json.loads(out.read_text("utf-8"))["scenarios"]
        }  # fmt: skip
    return checked


# What the trees say (paths below vllm/):
# - 0.26.0 has no SparseMLAAttentionImpl; model_executor/layers/attention/mla_attention.py lets
#   sparse layers take the MHA path, in MLACommonBaseImpl, where MLACommonImpl inherits it from.
# - The builders of both sparse backends had the threshold 1, and have a table of it by heads:
#   v1/attention/backends/mla/flashattn_mla_sparse.py {128: 256}, flashmla_sparse.py {128: 1024}
#   on capabilities 10.x.
# - v1/attention/backends/mla/prefill/flash_attn.py: FlashAttention 4, which is that of capability
#   10.x, no longer takes (192, 64, 256); from 0.29.0 on TRTLLM_RAGGED is asked first for these.
# - model_executor/models/registry.py of 0.29.0 sends DeepseekV32ForCausalLM to
#   vllm.models.deepseek_v32, whose layers are of models/deepseek_v32/attention.py.
# - config/vllm.py of 0.29.0 takes the second model runner for all that it can run.
MHA, MQA = "MLA203 forward_mha: never -> conditional", "MLA203 forward_mqa: always -> conditional"
HEADS = "MLA207 reorder_batch_threshold: 1 -> "
THRESHOLD = {"v3.2/h100": f"{HEADS}256", "v3.2/b200": f"{HEADS}1024"}
MOVED = (
    "MLA302 forward_mha moved from mla_attention.MLACommonImpl to mla_attention.MLACommonBaseImpl"
)
PREFILL = "MLA205 prefill backend: FLASH_ATTN -> TRTLLM_RAGGED"
LAYER = (
    "MLA301 layer class: vllm.model_executor.layers.attention.mla_attention.MLAAttention -> "
    "vllm.models.deepseek_v32.attention.DeepseekV32Attention"
)
MODEL = (
    "MLA301 model class: vllm.model_executor.models.deepseek_v2.DeepseekV3ForCausalLM -> "
    "vllm.models.deepseek_v32.nvidia.model.DeepseekV32ForCausalLM"
)
RUNNER = "MLA208 model_runner: v1 -> v2"
GRAPHS = (
    "MLA211 may fail later under another condition: AssertionError: Maximum cudagraph size should "
    "be greater than or equal to 1 when using cuda graph."
)
MQA_MOVED = (
    "MLA302 forward_mqa moved from "
    "vllm.v1.attention.backends.mla.flashattn_mla_sparse.FlashAttnMLASparseImpl to "
    "vllm.model_executor.layers.attention.sparse_mla_attention.SparseMLACommonImpl"
)


def expected(version: str, scenario: str) -> set[str]:
    later = version != "0.26.0"
    if scenario in SPARSE:
        moved = {MQA_MOVED} if version == "0.33.0" and scenario == "v3.2/h100" else set()
        return (
            {MHA, MQA, THRESHOLD[scenario]} | moved | ({LAYER, MODEL, RUNNER} if later else set())
        )
    return (
        {MOVED}
        | ({PREFILL} if scenario == "glm" else set())
        | ({RUNNER} if later else set())
        | ({GRAPHS} if later and scenario == "v3/12.0" else set())
    )


@pytest.mark.parametrize("version", NEW)
@pytest.mark.parametrize("scenario", [*SPARSE, *DENSE])
def test_what_really_changed(found: Found, version: str, scenario: str) -> None:
    said = {name for name in found[version][scenario] if not name.startswith("MLA303 ")}
    assert said == expected(version, scenario)


@pytest.mark.parametrize("version", NEW)
@pytest.mark.parametrize("scenario", SPARSE)
def test_the_guard_that_is_gone_is_the_cause(found: Found, version: str, scenario: str) -> None:
    guard = "is_sparse_impl = isinstance(self.impl, SparseMLAAttentionImpl) → True"
    causes = {found[version][scenario][name]["cause"] for name in (MHA, MQA)}
    assert causes == {f"no longer on the way: {guard}"}


def test_a_prefill_backend_has_its_cause(found: Found) -> None:
    cause = found["0.26.0"]["glm"][PREFILL]["cause"]
    assert cause.startswith("FLASH_ATTN was: chosen; is: Model does not have supported MLA dim")
    assert found["0.29.0"]["glm"][PREFILL]["cause"] == "TRTLLM_RAGGED is a new candidate (chosen)"


def test_a_release_of_transformers_is_the_cause(capsys: pytest.CaptureFixture[str]) -> None:
    """Its class for LongCat makes two attention layers of each, or not."""
    for version in ("0.30.0", "0.31.0"):
        real_tree(version)
    config = str(MODELS / "longcat-flash.json")
    words = ["--config", config, "--device=h100", "--format=json", "--jobs=1"]
    assert main(["diff", "0.30.0", "0.31.0", *words]) == 0
    ((scenario,),) = [s["scenarios"] for s in json.loads(capsys.readouterr().out)["steps"]]
    causes = {f["rule"]: f["cause"] for f in scenario["findings"] if f["severity"] != "note"}
    releases = {f["rule"]: (f["before"], f["after"]) for f in scenario["findings"]}["MLA404"]
    assert causes["MLA209"] == f"transformers {releases[0]} -> {releases[1]}"
