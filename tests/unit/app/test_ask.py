"""A question is answered once; its answer is the same, found or evaluated."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from mlapath.app.ask import ask
from mlapath.app.request import AnalyzeRequest, TreeRequest
from mlapath.scenario.assemble import ScenarioWords, assemble
from support.eras import site


@pytest.fixture
def era(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MLAPATH_CACHE_DIR", str(tmp_path / "cache"))
    return Path(shutil.copytree(site("0.26"), tmp_path / "site"))


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    import mlapath.app.analyze as module

    calls: list[object] = []
    real = module.analyze

    def counted(*args: object) -> object:
        calls.append(args)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "analyze", counted)
    return calls


def request(root: Path, models: Path, *flags: str, use_cache: bool = True) -> AnalyzeRequest:
    words = ScenarioWords(config=str(models / "deepseek-v3.2.json"), devices=("h100",),
                          sets=("num_hidden_layers=4",), engine=flags)  # fmt: skip
    return AnalyzeRequest(TreeRequest(str(root), use_cache=use_cache), assemble(words)[0])


def test_found_evaluated_and_uncached_answers_are_equal(era, models, evaluated):
    first, again = (ask(request(era, models)) for _ in range(2))
    assert len(evaluated) == 1
    assert first == again
    assert ask(request(era, models, use_cache=False)) == first
    assert len(evaluated) == 2


def test_another_scenario_or_another_tree_is_evaluated(era, models, evaluated):
    ask(request(era, models))
    ask(request(era, models, "--enforce-eager"))
    file = next((era / "vllm").rglob("mla_attention.py"))
    file.write_text(file.read_text("utf-8") + "\n# changed\n", "utf-8")
    ask(request(era, models))
    assert len(evaluated) == 3


def test_a_scenario_that_names_a_file_is_not_kept(era, models, evaluated, tmp_path):
    named = request(era, models)
    named = replace(named, scenario=replace(named.scenario, flags=("--dtype", str(tmp_path))))
    for _ in range(2):
        with pytest.raises(Exception, match="dtype"):
            ask(named)
    assert len(evaluated) == 2
