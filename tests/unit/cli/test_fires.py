import json

import pytest

from support import firing_samples as samples


@pytest.fixture
def asked(monkeypatch):
    requests = []

    def answer(request, _progress):
        requests.append(request)
        return samples.report()

    monkeypatch.setattr("mlapath.app.fires.fires", answer)
    return requests


@pytest.fixture
def ask(run, glm5, asked):
    def fires(*words):
        return run("fires", *words, "--config", glm5, "--device", "h100")

    return fires


def test_places_and_flags_reach_the_request(run, glm5, asked):
    ran = run("fires", "a.py:1", "A.f", "--config", glm5, "--device", "h100",
              "--expect", "a.py:2=never", "--vllm", "0.16.0", "--", "--enforce-eager")  # fmt: skip
    assert ran.code == 0
    (request,) = asked
    assert request.places == ("a.py:1", "A.f", "a.py:2")
    assert request.scenario.flags == ("--enforce-eager",)
    assert request.tree.vllm == "0.16.0"
    assert "CONDITIONAL" in ran.out


def test_a_scenario_of_the_project_by_name(run, glm5, asked, tmp_path, monkeypatch):
    (tmp_path / "mlapath.toml").write_text(
        f"vllm = '0.16.0'\n[scenarios.prod]\nconfig = '{glm5}'\ndevice = 'b200'\n", "utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert run("fires", "a.py:1", "--config", "prod").code == 0
    (request,) = asked
    assert (request.scenario.device.name, request.tree.vllm) == ("b200", "0.16.0")


def test_json(ask):
    assert json.loads(ask("a.py:1", "--format", "json").out)["schema"] == "mlapath.fires/1"


def test_an_expectation_that_does_not_hold_exits_with_1(ask):
    ran = ask("--expect", "forward_mha=never")
    assert ran.code == 1
    assert "forward_mha is conditional, not never" in ran.err
    assert ask("--expect", "forward_mha=conditional").code == 0


def test_no_place_is_an_error(ask):
    ran = ask()
    assert ran.code == 2
    assert "which line?" in ran.err


def test_annotate(run, glm5, monkeypatch, tmp_path):
    requests = []

    def answer(request, _progress):
        requests.append(request)
        return samples.annotated()

    monkeypatch.setattr("mlapath.app.annotate.annotate", answer)
    page = tmp_path / "x.html"
    ran = run("annotate", "x.py", "--config", glm5, "--device", "h100", "--only-path",
              "--output", f"html:{page}", "--output", "-")  # fmt: skip
    assert ran.code == 0
    assert requests[0].file == "x.py"
    assert "… 2 lines that never run" in ran.out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    two = run("annotate", "x.py", "--config", glm5, "--device", "h100", "--device", "b200")
    assert two.code == 2
