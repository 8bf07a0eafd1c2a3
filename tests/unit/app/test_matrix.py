"""Configurations x devices x trees, in one process or several."""

from __future__ import annotations

import pytest

from mlapath.app.matrix import Sweep, fill, trees_of
from mlapath.app.parallel import ask_all
from mlapath.app.request import AnalyzeRequest, TreeRequest
from mlapath.app.shard import Shard
from mlapath.base.errors import UsageError
from mlapath.findings.matrix import merged
from mlapath.report.json_report import render_matrix
from mlapath.scenario.assemble import ScenarioWords, assemble
from support.eras import site


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MLAPATH_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def sweep(models):
    words = ScenarioWords(config=str(models / "deepseek-v3.2.json"), devices=("h100", "b200"),
                          sets=("num_hidden_layers=4",))  # fmt: skip
    return Sweep(assemble(words), (str(site("0.16")), "nowhere", str(site("0.26"))))


def test_one_that_fails_does_not_stop_the_others(sweep):
    rows = fill(sweep, Shard(), jobs=1).rows
    assert [row.outcome == "error" for row in rows] == [False, False, True, True, False, False]
    assert "nowhere is neither a version" in rows[2].detail
    assert [row.number for row in rows] == list(range(6))
    assert all(row.kinds for row in rows if row.outcome == "runs")


def test_processes_shards_and_caches_change_nothing(sweep):
    whole = fill(sweep, Shard(), jobs=2)
    assert render_matrix(fill(sweep, Shard(), jobs=1)) == render_matrix(whole)
    parts = [fill(sweep, Shard(number, 3), jobs=1) for number in (1, 2, 3)]
    assert render_matrix(merged(parts)) == render_matrix(whole)


def test_a_crash_is_told_and_the_others_are_answered(sweep, monkeypatch):
    import mlapath.app.analyze as module

    real = module.analyze

    def crash(reading, scenario, progress):
        if scenario.device.name == "h100":
            raise AssertionError("boom")
        return real(reading, scenario, progress)

    monkeypatch.setattr(module, "analyze", crash)
    requests = [AnalyzeRequest(TreeRequest(str(site("0.16"))), x) for x in sweep.scenarios]
    first, second = ask_all(requests, jobs=1)
    assert first.error == "internal error: AssertionError: boom"
    assert second.answer is not None


def test_trees_by_commas_and_ranges(monkeypatch):
    import mlapath.app.matrix as module

    monkeypatch.setattr(
        module, "list_releases", lambda *_args, **_kwargs: ("0.9.0", "0.25.1", "0.26.0", "1.0")
    )
    assert trees_of([]) == (None,)
    assert trees_of(["0.16.0, ./site,0.16.0", "../x"]) == ("0.16.0", "./site", "../x")
    assert trees_of(["0.25..0.30,0.33.0"]) == ("0.25.1", "0.26.0", "0.33.0")
    for text in ("0.27..0.30", "a..b"):
        with pytest.raises(UsageError, match="--vllm"):
            trees_of([text])
