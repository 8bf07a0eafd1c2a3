"""init, baseline write and check on miniature trees: the whole way, offline."""

from __future__ import annotations

import json
import shutil

import pytest

from mlapath.ci.formats import FORMATS as CI_FORMATS
from mlapath.ci.lock import parse_lock
from mlapath.cli.gate_formats import FORMATS
from support.eras import site
from support.schemas import validate_output

PROJECT = """
[scenarios.prod]
config = "deepseek-v3.2.json"
device = "h100"
set = { num_hidden_layers = 4 }
"""


@pytest.fixture
def project(tmp_path, models, monkeypatch):
    shutil.copy(models / "deepseek-v3.2.json", tmp_path)
    monkeypatch.chdir(tmp_path)

    def write(text=PROJECT, era="0.16"):
        tree = json.dumps(str(site(era)))
        (tmp_path / "mlapath.toml").write_text(f"vllm = {tree}\n{text}", "utf-8")
        return tmp_path

    return write


@pytest.fixture
def gate(run):
    return lambda *words: run(*words, "--jobs", "1")


def new(era="0.26"):
    return f"--vllm={site(era)}"


def findings(ran):
    encoded = json.loads(ran.out)
    validate_output(encoded)
    return [
        (checked["scenario"], finding["rule"], finding["subject"].partition(" ")[0])
        for checked in encoded["scenarios"]
        for finding in checked["findings"]
    ]


def test_from_init_to_a_failing_check(gate, run, tmp_path, models, monkeypatch):
    shutil.copy(models / "deepseek-v3.2.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    line = "VLLM_LOGGING_LEVEL=DEBUG vllm serve org/DeepSeek-V3.2 --kv-cache-dtype auto"
    ran = run("init", "--device", "h100", "--vllm", str(site("0.16")), "--", line)
    assert ran.code == 0
    assert "name the model's config.json" in ran.err
    text = (tmp_path / "mlapath.toml").read_text("utf-8")
    (tmp_path / "mlapath.toml").write_text(text.replace("config.json", "deepseek-v3.2.json"))
    ran = gate("baseline", "write")
    assert (ran.code, ran.err) == (0, "")
    assert "mlapath.lock: 1 scenario, vLLM 0.16.0" in ran.out
    ran = gate("check")
    assert (ran.code, ran.out.splitlines()[-1], ran.err) == (0, "deepseek-v3.2 OK", "")
    ran = gate("check", new())
    assert ran.code == 1
    assert ran.err == "mlapath: check failed: 2 findings\n"
    assert "MLA203 verdict-changed: forward_mha: never -> conditional" in ran.out
    assert "cause: no longer on the way: isinstance(self.impl, SparseMLAAttentionImpl)" in ran.out


def test_check_writes_nothing_and_needs_no_baseline(gate, project):
    folder = project(PROJECT + 'expect = { forward_mha = "never", outcome = "runs" }\n')
    before = sorted(folder.iterdir())
    ran = gate("check")
    assert ran.code == 0
    assert "there is no mlapath.lock: only expectations" in ran.err
    assert sorted(folder.iterdir()) == before
    ran = gate("check", new(), "--format=json")
    assert (ran.code, findings(ran)) == (1, [("prod", "MLA101", "forward_mha")])
    ran = gate("check", "--baseline=none.lock")
    assert (ran.code, ran.out) == (2, "")
    assert "there is no baseline" in ran.err


def test_what_fails_can_be_chosen(gate, project):
    folder = project()
    assert gate("baseline", "write", "-q").out == ""
    lock = (folder / "mlapath.lock").read_bytes()
    for words, code in (
        (["--fail-on=never"], 0),
        (["--fail-on=MLA402"], 0),
        (["--fail-on=verdict-changed"], 1),
        (["--fail-on=never", "--fail-on=note"], 1),
    ):
        assert gate("check", new(), *words).code == code
    assert (folder / "mlapath.lock").read_bytes() == lock
    ran = gate("check", "--fail-on=eror")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean error" in ran.err
    project('fail-on = ["never"]\n' + PROJECT)
    assert gate("check", new()).code == 0
    assert gate("check", new(), "--fail-on=error").code == 1


def test_scenarios_that_come_change_and_go(gate, project):
    folder = project()
    assert gate("baseline", "write").code == 0
    project(PROJECT.replace("scenarios.prod", "scenarios.new"))
    ran = gate("check", "--format=json")
    assert findings(ran) == [("new", "MLA106", "scenario"), ("prod", "MLA107", "scenario")]
    ran = gate("baseline", "write")
    assert "the project no longer has prod (--prune drops it)" in ran.err
    kept = parse_lock((folder / "mlapath.lock").read_text("utf-8"), "x")
    assert list(kept.scenarios) == ["new", "prod"]
    assert gate("baseline", "write", "--prune").err == ""
    kept = parse_lock((folder / "mlapath.lock").read_text("utf-8"), "x")
    assert list(kept.scenarios) == ["new"]
    project(PROJECT.replace("scenarios.prod", "scenarios.new").replace("= 4", "= 5"))
    found = findings(gate("check", "--format=json"))
    assert found == [
        ("new", "MLA108", "scenario"), ("new", "MLA209", "model.layers.*.self_attn.attn"),
    ]  # fmt: skip


def test_a_part_of_the_scenarios(gate, project):
    folder = project(PROJECT + '[scenarios.more]\nextends = "prod"\ndevice = ["h100", "b200"]\n')
    assert gate("baseline", "write", "--scenario=more/*").code == 0
    kept = parse_lock((folder / "mlapath.lock").read_text("utf-8"), "x")
    assert list(kept.scenarios) == ["more/b200", "more/h100"]
    ran = gate("check", "--scenario=more/h100", "--format=json")
    assert findings(ran) == []
    assert [c["scenario"] for c in json.loads(ran.out)["scenarios"]] == ["more/h100"]
    assert "did you mean more/h100" in gate("check", "--scenario=more/h10").err


def test_patches_flags_and_targets_that_are_gone(gate, project):
    project(
        PROJECT
        + """
patches = [
    "vllm.model_executor.layers.attention.mla_attention:MLAAttention.forward_impl",
    "vllm.model_executor.layers.attention.mla_attention:MLAAttention.forward_gone",
    "vllm.no.such:f",
]
[scenarios.flags]
extends = "prod"
flags = "--no-such-flag 3"
[scenarios.env]
extends = "prod"
env = { VLLM_NO_SUCH = "1" }
"""
    )
    ran = gate("check", "--format=json")
    patches = [
        "vllm.model_executor.layers.attention.mla_attention:MLAAttention.forward_gone",
        "vllm.no.such:f",
    ]
    found = findings(ran)
    assert [(s, r) for s, r, _ in found if r != "MLA102"] == [
        ("flags", "MLA103"), ("env", "MLA104"),
    ]  # fmt: skip
    for name in ("prod", "flags", "env"):
        assert [subject for s, r, subject in found if (s, r) == (name, "MLA102")] == patches
    assert ran.code == 1


def test_a_scenario_without_an_answer_is_no_passed_gate(gate, project, monkeypatch):
    from mlapath.app import gate as module
    from mlapath.app.parallel import Told
    from mlapath.base.errors import ExitCode

    folder = project()
    told = Told(None, "the process ended early", ExitCode.INTERNAL)
    monkeypatch.setattr(module, "ask_all", lambda requests, *_: [told for _ in requests])
    ran = gate("check")
    assert ran.code == 2
    assert "prod NOT CHECKED: the process ended early" in ran.out
    ran = gate("baseline", "write")
    assert (ran.code, ran.err) == (2, "mlapath: prod: the process ended early\n")
    assert not (folder / "mlapath.lock").exists()


def test_formats(gate, project, tmp_path):
    assert tuple(sorted(FORMATS)) == tuple(sorted(("text", "json", *CI_FORMATS)))
    project(PROJECT + 'expect = { forward_mha = "always" }\n')
    words = [f"--output={name}:{tmp_path / name}" for name in FORMATS]
    assert gate("check", *words).code == 1
    assert json.loads((tmp_path / "sarif").read_text("utf-8"))["version"] == "2.1.0"
    for name in FORMATS:
        assert "forward_mha" in (tmp_path / name).read_text("utf-8")


def test_strict(gate, project):
    project()
    assert gate("check").code == 0
    assert gate("check", "--strict").code == 3


@pytest.mark.parametrize("command", [("check",), ("baseline", "write")])
def test_no_project_no_scenarios_and_a_broken_baseline(gate, project, tmp_path, command):
    (tmp_path / "empty").mkdir()
    ran = gate(*command, "--project", str(tmp_path / "empty"))
    assert (ran.code, ran.out) == (2, "")
    project("")
    assert "has no scenarios" in gate(*command).err
    folder = project()
    (folder / "mlapath.lock").write_text("<<<<<<< ours\n")
    ran = gate(*command)
    assert (ran.code, ran.out) == (2, "")
    assert "mlapath.lock: not valid JSON" in ran.err
    assert (folder / "mlapath.lock").read_text() == "<<<<<<< ours\n"


def test_the_same_inputs_give_the_same_bytes(gate, project):
    folder = project()
    texts = set()
    for words in ((), ("--no-cache",)):
        assert gate("baseline", "write", *words).code == 0
        texts.add((folder / "mlapath.lock").read_bytes())
    assert len(texts) == 1
    out = {gate("check", new(), "--format=json", *w).out for w in ((), ("--no-cache",))}
    assert len(out) == 1
    assert str(folder) not in out.pop()


def test_the_baseline_knows_which_transformers_was_read(gate, project, tmp_path):
    folder = project(era="0.26")
    assert gate("baseline", "write").code == 0
    kept = parse_lock((folder / "mlapath.lock").read_text("utf-8"), "x")
    was = kept.scenarios["prod"].answer.companions["transformers"]
    root = shutil.copytree(site("0.26"), tmp_path / "env")
    (info,) = root.glob("transformers-*.dist-info")
    text = (info / "METADATA").read_text("utf-8")
    (info / "METADATA").write_text(text.replace(f"Version: {was}", "Version: 99.0"), "utf-8")
    info.rename(root / "transformers-99.0.dist-info")
    ran = gate("check", f"--vllm={root}", "-v")
    assert ran.code == 0
    assert f"MLA404 companion-changed: transformers: {was} -> 99.0" in ran.out
