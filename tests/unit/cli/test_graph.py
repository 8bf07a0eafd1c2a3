import json

import pytest

from support import graph_samples as samples


@pytest.fixture
def asked(monkeypatch):
    requests = []

    def draw(request, _progress):
        requests.append(request)
        return samples.report()

    monkeypatch.setattr("mlapath.app.graph.graph", draw)
    return requests


def test_words_reach_the_request(run, glm5, asked):
    ran = run("graph", "--config", glm5, "--device", "h100", "--vllm", "0.16.0", "--all",
              "--target", "forward_mqa", "--batch", "37", "--", "--enforce-eager")  # fmt: skip
    assert ran.code == 0
    (request,) = asked
    assert request.whole
    assert request.tree.vllm == "0.16.0"
    assert request.scenario.targets == ("forward_mqa",)
    assert request.scenario.batch.spec == "37"
    assert request.scenario.flags == ("--enforce-eager",)
    assert json.loads(ran.out)["schema"] == "mlapath.graph/1"


def test_formats_and_files(run, glm5, asked, tmp_path):
    file = tmp_path / "a.dot"
    ran = run("graph", "--config", glm5, "--device", "h100", "--format", "mermaid",
              "--output", f"dot:{file}", "--output", "-")  # fmt: skip
    assert ran.out.startswith("flowchart")
    assert file.read_text("utf-8").startswith("digraph")


def test_one_deployment_at_a_time(run, glm5, asked):
    ran = run("graph", "--config", glm5, "--device", "h100", "--device", "b200")
    assert (ran.code, ran.out, asked) == (2, "", [])
    assert "h100" in ran.err
    assert "b200" in ran.err


def test_an_unknown_format(run, glm5, asked):
    ran = run("graph", "--config", glm5, "--device", "h100", "--format", "gml")
    assert ran.code == 2
    assert "graphml" in ran.err
