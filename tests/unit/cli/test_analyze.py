import json
from dataclasses import replace

import pytest

from mlapath.base.errors import TreeError
from mlapath.base.verdict import Verdict
from mlapath.findings.model import Assumption
from mlapath.report.json_report import render_reports
from mlapath.scenario.batch import parse_batch
from support import samples


@pytest.fixture
def ask(run, analysis, glm5):
    def analyze(*words, device="h100"):
        return run("analyze", "--config", glm5, "--device", device, *words)

    return analyze


def test_the_words_reach_the_request(ask, analysis):
    ran = ask(
        "--vllm=0.16.0",
        "--python=py",
        "--no-cache",
        "--unset=index_topk",
        "--set=x=1",
        "--env=VLLM_A=1",
        "--with=deep_gemm==2.1",
        "--without=flashinfer",
        "--target=Impl.forward",
        "--batch=600+1@100x8",
        "--expect=forward_mqa=always",
        "--",
        "--kv-cache-dtype",
        "fp8",
        "--help",
    )
    assert ran.code == 0
    (request,) = analysis.requests
    assert (request.tree.vllm, request.tree.python, request.tree.use_cache) == (
        "0.16.0",
        "py",
        False,
    )
    scenario = request.scenario
    assert scenario.flags == ("--kv-cache-dtype", "fp8", "--help")
    assert scenario.config.edits == ("--unset index_topk", "--set x=1")
    assert scenario.env == {"VLLM_A": "1"}
    assert scenario.inherited_env == {}
    assert scenario.packages.present == {"deep_gemm": "2.1"}
    assert scenario.targets == ("Impl.forward", "forward_mqa")
    assert scenario.batch == parse_batch("600+1@100x8")


def test_the_callers_environment_counts_only_when_asked(ask, analysis, monkeypatch):
    monkeypatch.setenv("VLLM_FROM_OUTSIDE", "1")
    ask()
    ask("--inherit-env")
    without, with_ = (request.scenario.inherited_env for request in analysis.requests)
    assert without == {}
    assert with_["VLLM_FROM_OUTSIDE"] == "1"


def test_text_is_the_default_and_stdout_holds_nothing_else(ask):
    ran = ask()
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("GlmMoeDsaForCausalLM on h100 (cuda 9.0), vLLM 0.16.0\n")
    assert "forward_mha NEVER: a sparse implementation" in ran.out


def test_json_of_one_and_of_several(ask):
    assert ask("--format", "json").out == render_reports([samples.sparse()])
    several = json.loads(ask("--device", "b200", "--format", "json").out)
    assert several["schema"] == "mlapath.reports/1"
    assert len(several["reports"]) == 2


def test_several_devices_are_a_table(ask, analysis):
    ran = ask("--device", "b200", "--device", "H100")
    assert [r.scenario.device.name for r in analysis.requests] == ["h100", "b200"]
    assert "device  outcome  backend" in ran.out


def test_quiet_and_verbose(ask):
    assert "evidence" not in ask("-q").out
    assert "NEVER" in ask("-q").out
    assert "rests on" in ask("-v").out
    assert "rests on" not in ask().out


def test_outputs(ask, tmp_path):
    text, data, notes = tmp_path / "r.txt", tmp_path / "r.json", tmp_path / "r.md"
    ran = ask("--output", str(text), "--output", f"json:{data}", "--output", f"markdown:{notes}")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert text.read_text().startswith("GlmMoeDsaForCausalLM on h100")
    assert "\x1b" not in text.read_text()
    assert data.read_text() == render_reports([samples.sparse()])
    assert notes.read_text().startswith("## GlmMoeDsa")
    assert sorted(tmp_path.iterdir()) == sorted([text, data, notes])
    both = ask("--format", "json", "--output", str(data), "--output", "text:-")
    assert both.out.startswith("GlmMoeDsaForCausalLM")
    assert data.read_text() == render_reports([samples.sparse()])


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--expect=forward_mha=never"], 0),
        (["--expect=forward_mha=never", "--expect=forward_mqa=always"], 0),
        (["--expect=forward_mha=always"], 1),
        (["--expect=forward_mha=never", "--expect=forward_mqa=never"], 1),
        (["--strict"], 3),
        (["--strict", "--expect=forward_mha=never"], 3),
        (["--strict", "--expect=forward_mqa=never"], 1),
        (["--strict", "--expect=forward_mha=unproven"], 3),
    ],
)
def test_exit_codes_of_the_gates(ask, words, code):
    ran = ask(*words)
    assert ran.code == code
    assert bool(ran.err) == bool(code)
    assert all(line.startswith("mlapath: ") for line in ran.err.splitlines())
    assert ran.out


def test_strict_lets_a_confirmed_proof_stand(ask, analysis):
    report = samples.sparse()
    confirmed = tuple(Assumption(a.id, a.text, confirmed=True) for a in report.assumptions)
    analysis.report = lambda request: replace(report, assumptions=confirmed)
    assert ask("--strict", "--expect=forward_mha=never").code == 0


def test_strict_changes_the_report_too(ask):
    encoded = json.loads(ask("--strict", "--format", "json").out)
    target = encoded["attention"][0]["targets"][0]
    assert target["verdict"] == Verdict.UNPROVEN.value
    assert target["blockers"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--device", "h1000"], "unknown device 'h1000'; did you mean h100"),
        (["--format", "jsn"], "unknown format 'jsn'; did you mean json?"),
        (["--output", "yaml:x"], "unknown format 'yaml'"),
        (["--output", "none/x.json"], "there is no folder"),
        (["--expect", "forward_mha=nevr"], "did you mean never"),
        (["--target", "a-b"], "--target 'a-b'"),
        (["--env", "VLLM"], "--env 'VLLM'"),
        (["--with", "a=1"], "--with 'a=1'"),
        (["--unset", "indx_topk"], "did you mean index_topk"),
        (["--set", "x"], "--set 'x'"),
        (["--confg", "x"], "No such option: --confg"),
        (["stray"], "unexpected extra argument"),
        (["--device"], "requires an argument"),
        (["--", "vllm", "bench"], "only 'vllm serve' lines"),
    ],
)
def test_wrong_words_are_one_line_and_exit_2(ask, analysis, words, problem):
    ran = ask(*words)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("mlapath: ")
    assert problem in ran.err
    assert analysis.requests == []


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, "no such file"),
        (b"", "empty"),
        (b"{", "not valid JSON"),
        (b"[]", "expected a JSON object"),
        (b'{"a":' * 10_000, "nested deeper"),
        (b"\xff\xfe", "not UTF-8"),
        (b" " * (17 * 1024**2), "larger than"),
    ],
)
def test_wrong_configurations_are_one_line_and_exit_2(run, analysis, tmp_path, data, problem):
    file = tmp_path / "line\nbreak.json"
    if data is not None:
        file.write_bytes(data)
    ran = run("analyze", "--config", str(file), "--device", "h100")
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.count("\n") == 1
    assert problem in ran.err


def test_a_device_without_an_answer_does_not_hide_the_others(ask, analysis):
    def report(request):
        if request.scenario.device.name == "b200":
            raise TreeError("no such luck")
        return samples.sparse()

    analysis.report = report
    ran = ask("--device", "b200")
    assert ran.code == 2
    assert ran.out.startswith("GlmMoeDsaForCausalLM on h100")
    assert ran.err == "mlapath: b200: no such luck\n"


def test_what_ails_every_device_is_said_once(ask, analysis):
    def report(_request):
        raise TreeError("no such tree")

    analysis.report = report
    ran = ask("--device", "b200")
    assert (ran.code, ran.out, ran.err) == (2, "", "mlapath: no such tree\n")


@pytest.fixture
def project(tmp_path, models, monkeypatch):
    (tmp_path / "mlapath.toml").write_text(
        f"""
        vllm = "trees/mine"
        [scenarios.prod]
        config = {json.dumps(str(models / "glm-5.json"))}
        device = ["h100", "b200"]
        flags = "-tp 8"
        expect = {{ f = "never" }}
        """
    )
    inner = tmp_path / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    return tmp_path


def test_a_scenario_of_the_project_by_name(run, analysis, project):
    assert run("analyze", "--config", "prod").code == 0
    assert [r.scenario.device.name for r in analysis.requests] == ["h100", "b200"]
    assert {r.tree.vllm for r in analysis.requests} == {str(project / "trees" / "mine")}
    assert analysis.requests[0].scenario.targets == ("forward_mha", "forward_mqa", "f")


def test_options_add_to_the_named_scenario(run, analysis, project):
    words = (
        "--config=prod/b200",
        "--vllm=0.16.0",
        "--device=b200",
        "--target=g",
        "--",
        "--enforce-eager",
    )
    assert run("analyze", *words).code == 0
    (request,) = analysis.requests
    assert request.tree.vllm == "0.16.0"
    assert request.scenario.flags == ("-tp", "8", "--enforce-eager")
    assert request.scenario.targets == ("g", "f")
    (project / "mlapath.toml").write_text("")
    assert run("analyze", *words).code == 2


def test_a_name_that_nothing_has(run, analysis, project):
    ran = run("analyze", "--config", "prod/h10")
    assert ran.code == 2
    assert "no scenario of mlapath.toml is called so; did you mean prod/h100" in ran.err
