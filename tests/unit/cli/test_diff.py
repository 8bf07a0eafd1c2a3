"""diff on miniature trees: what is no difference, and what a one-line edit gives."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from mlapath.source import folder
from support.eras import site
from support.schemas import validate_output

LAYER = "vllm/model_executor/layers/attention/mla_attention.py"
MODEL = "vllm/model_executor/models/deepseek_v2.py"


@pytest.fixture
def ask(run, models):
    def ask_main(before, after, *words, model="deepseek-v3.2"):
        return run(
            "diff", str(before), str(after), "--config", str(models / f"{model}.json"),
            "--device=h100", "--set=num_hidden_layers=4", "--jobs=1", *words,
        )  # fmt: skip

    return ask_main


@pytest.fixture
def edited(tmp_path):
    """A copy of an era's tree with edits: (path, old, new), or a function over all its files."""

    def make(era, *edits):
        root = Path(shutil.copytree(site(era), tmp_path / "site"))
        for path, old, new in edits:
            file = root / path
            text = file.read_text("utf-8")
            assert text.count(old) == 1, f"{path} has {text.count(old)} times {old!r}"
            file.write_text(text.replace(old, new), "utf-8")
        return root

    return make


def only_scenario(ran):
    encoded = json.loads(ran.out)
    validate_output(encoded)
    ((scenario,),) = [step["scenarios"] for step in encoded["steps"]]
    return scenario


def rules(scenario):
    return [finding["rule"] for finding in scenario["findings"]]


def test_two_eras(ask):
    ran = ask(site("0.16"), site("0.26"))
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "vLLM 0.16.0 to 0.26.0"
    assert "DIFFERS: 2 errors" in lines[2]
    assert "no longer on the way: isinstance(self.impl, SparseMLAAttentionImpl) → True" in lines[3]
    assert any(line.lstrip().startswith("- set      num_mha_tokens = 0") for line in lines)
    assert any("+ branch   num_mha_tokens > 0 → unknown until the step" in line for line in lines)


def test_the_same_tree(ask):
    ran = ask(site("0.16"), site("0.16"))
    assert ran.out.splitlines()[-1].endswith("NO DIFFERENCE")
    assert only_scenario(ask(site("0.16"), site("0.16"), "--format=json"))["chains"] == []


def test_layout_comments_and_docstrings_are_no_difference(ask, edited):
    root = edited(
        "0.16",
        (
            LAYER,
            "        if isinstance(self.impl, SparseMLAAttentionImpl):",
            """
        # a comment
        if isinstance(  # another
            self.impl,
            SparseMLAAttentionImpl,
        ):""",
        ),
        (LAYER, "    def forward_impl(self,",
         "    def unrelated(self):\n        return 1\n\n    def forward_impl(self,"),
    )  # fmt: skip
    for file in root.rglob("vllm/**/*.py"):
        text = file.read_text("utf-8")
        head = '"""Another docstring.\n\nOf several lines.\n"""\n# moved\n\n\n'
        if "__future__" not in text and not text.startswith(('"', "'")):
            file.write_text(re.sub(r"(?m)^(\s*)(return .*)$", r"\1# here\n\1\2", head + text))
    scenario = only_scenario(ask(site("0.16"), root, "--format=json"))
    assert (scenario["error"], scenario["findings"], scenario["causes"]) == (None, [], [])


@pytest.mark.parametrize(
    ("edit", "model", "cause"),
    [
        (
            (LAYER, "        if isinstance(self.impl, SparseMLAAttentionImpl):",
             "        if not isinstance(self.impl, SparseMLAAttentionImpl):"),
            "deepseek-v3",
            "new on the way: not isinstance(self.impl, SparseMLAAttentionImpl) → True",
        ),
        (
            (LAYER, "            num_mha_tokens = 0\n", "            num_mha_tokens = 1\n"),
            "deepseek-v3.2",
            "was: num_mha_tokens = 0 → 0; is: num_mha_tokens = 1 → 1",
        ),
        (
            (LAYER, "        if num_mha_tokens > 0:", "        if num_mha_tokens < 0:"),
            "deepseek-v3",
            "was: q.size(0) - num_mqa_tokens > 0 → unknown until the step; is: q.size(0) - ",
        ),
    ],
)  # fmt: skip
def test_an_edit_of_one_line_has_one_first_cause(ask, edited, edit, model, cause):
    scenario = only_scenario(ask(site("0.16"), edited("0.16", edit), "--format=json", model=model))
    assert {"MLA201", "MLA203", "MLA206"} & set(rules(scenario))
    (found,) = scenario["causes"]
    assert found.startswith(cause)
    firsts = [row for chain in scenario["chains"] for row in chain["rows"] if row["first"]]
    assert any(row["after"]["at"].startswith(LAYER) for row in firsts if row["after"])


def test_an_edit_off_the_chain_says_where_the_chain_notices(ask, edited):
    """Another backend is chosen: candidates, classes and the chain follow from that."""
    root = edited("0.16", (MODEL, 'hasattr(config, "index_topk")', "False"))
    scenario = only_scenario(ask(site("0.16"), root, "--format=json"))
    assert "MLA204" in rules(scenario)
    assert "MLA203" in rules(scenario)
    (cause,) = scenario["causes"]
    assert cause.startswith("FLASH")


def test_markdown_and_files(ask, tmp_path):
    file = tmp_path / "d.md"
    ran = ask(site("0.16"), site("0.26"), f"--output=markdown:{file}", "--output=json:-")
    assert file.read_text("utf-8").startswith("## vLLM 0.16.0 to 0.26.0\n")
    assert json.loads(ran.out)["schema"] == "mlapath.diff/1"


def test_every_release_between(ask, monkeypatch):
    eras = {"0.16.0": "0.16", "0.26.0": "0.26", "0.29.0": "0.29"}
    monkeypatch.setattr("mlapath.app.matrix.list_releases", lambda *_, **__: tuple(eras))

    def opened(spec, **_options):
        return folder.folder_tree(site(eras[spec]))

    monkeypatch.setattr("mlapath.app.gate.open_tree", opened)
    monkeypatch.setattr("mlapath.app.ask.open_tree", opened)
    ran = ask("0.16.0", "0.29.0", "--all-between")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "vLLM 0.16.0 to 0.29.0: 2 steps"
    releases = [line.split()[0] for line in lines if re.match(r"\d|0\.", line)]
    assert releases == sorted(releases)
    assert any("forward_mha: never -> conditional" in x for x in lines if x.startswith("0.26.0"))
    assert any("layer class" in x for x in lines if x.startswith("0.29.0"))
    ran = ask("0.26.0", "0.26.0", "--all-between")
    assert (ran.code, ran.out) == (2, "")


def test_scenarios_go_by_their_names(run, models, tmp_path, monkeypatch):
    (tmp_path / "mlapath.toml").write_text(
        f"""
        [scenarios.prod]
        config = {json.dumps(str(models / "deepseek-v3.2.json"))}
        set.num_hidden_layers = 4
        matrix.kv = {{ a = {{ device = "h100" }}, b = {{ device = "b200" }} }}
        """
    )
    monkeypatch.chdir(tmp_path)
    ran = run("diff", str(site("0.16")), str(site("0.16")), "--config=prod", "--jobs=1")
    assert ran.out.splitlines()[2:] == ["prod/a NO DIFFERENCE", "prod/b NO DIFFERENCE"]
    words = ("--config=prod/a", "--device=h100", "--device=h200", "--jobs=1")
    ran = run("diff", str(site("0.16")), str(site("0.16")), *words)
    names = [line.partition(" NO")[0] for line in ran.out.splitlines()[2:]]
    assert names == ["prod/a on h100", "prod/a on h200"]


def test_a_tree_that_does_not_take_the_flags(ask, edited):
    root = edited("0.16")
    ran = ask(site("0.16"), root, "--", "--no-such-flag")
    assert ran.code == 2
    assert "NOT COMPARED" in ran.out
    assert "no engine flag --no-such-flag" in ran.err


def test_two_scenarios_on_one_tree(run, models, tmp_path, monkeypatch):
    (tmp_path / "mlapath.toml").write_text(
        f"""
        vllm = {json.dumps(str(site("0.26")))}
        [scenarios.dense]
        config = {json.dumps(str(models / "deepseek-v3.json"))}
        set.num_hidden_layers = 4
        device = "h100"
        [scenarios.sparse]
        extends = "dense"
        config = {json.dumps(str(models / "deepseek-v3.2.json"))}
        [scenarios.both]
        extends = "dense"
        device = ["h100", "h200"]
        """
    )
    monkeypatch.chdir(tmp_path)
    ran = run("diff", "dense", "sparse", "--jobs=1")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "vLLM 0.26.0"
    assert lines[2].startswith("dense to sparse DIFFERS: 1 error")
    assert "FLASHMLA was: chosen; is: sparse not supported" in lines[3]
    ran = run("diff", "dense", "sparse", "--jobs=1", "--format=json")
    found = only_scenario(ran)
    assert (found["against"], found["scenario"]) == ("dense", "sparse")
    assert "MLA204" in rules(found)
    step = json.loads(ran.out)["steps"][0]
    assert step["before"] == step["after"]
    assert run("diff", "both", "both", "--jobs=1").out.count("NO DIFFERENCE") == 2
    ran = run("diff", "dense", "both")
    assert (ran.code, ran.out) == (2, "")
    assert "dense makes 1 scenarios and both 2" in ran.err


def test_two_configurations_on_one_tree(run, models):
    words = ("--device=h100", f"--vllm={site('0.26')}", "--set=num_hidden_layers=4", "--jobs=1")
    dense, sparse = str(models / "deepseek-v3.json"), str(models / "deepseek-v3.2.json")
    ran = run("diff", dense, sparse, *words)
    assert (ran.code, ran.err) == (0, "")
    assert f"{dense} on h100 to {sparse} on h100 DIFFERS" in ran.out
    ran = run("diff", dense, dense, *words, "--", "--no-such-flag")
    assert (ran.code, "NOT COMPARED" in ran.out) == (2, True)
    assert "no engine flag --no-such-flag" in ran.err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("0.25.1", "0.26.0"), "two vLLMs are compared with --config"),
        (("a", "b"), "a"),
        (("a", "b", "--all-between"), "name a configuration with --config"),
        (("0.25.1", "0.26.0", "--config=x.json", "--vllm=0.27.0"), "A and B are the vLLMs"),
    ],
)
def test_what_cannot_be_compared(run, words, problem):
    ran = run("diff", *words, "--device=h100")
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err


def test_a_summary_is_one_line_for_each_change(ask):
    ran = ask(site("0.16"), site("0.26"), "--device=h200", "--summary")
    assert (ran.code, ran.err) == (0, "")
    lines = [line for line in ran.out.splitlines() if line.startswith("0.26.0")]
    mha = [line for line in lines if "forward_mha: never -> conditional" in line]
    assert len(mha) == 1
    assert "on h100, " in mha[0]
    assert "no longer on the way: isinstance(self.impl, SparseMLAAttentionImpl)" in mha[0]
    assert not any("belongs to the path" in line or "moved" in line for line in lines)
    ran = ask(site("0.16"), site("0.16"), "--summary")
    said = [line.strip() for line in ran.out.splitlines()[2:]]
    assert said == ["Nothing of this kind changed in", "0.16.0"]
