"""Which transformers is read along with a tree."""

from __future__ import annotations

from typing import Any

import pytest

from mlapath.app import companions
from mlapath.app.companions import Wish, companion_for, wish_of
from mlapath.base.errors import NetworkError
from mlapath.cache import CacheDir
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import Companion, SourceTree, open_tree, silent

TABLE = companions.TABLES[0]


@pytest.fixture
def tree(tmp_path: Any) -> SourceTree:
    (tmp_path / "vllm").mkdir()
    (tmp_path / "vllm" / "__init__.py").write_text("")
    return open_tree(tmp_path, cache=CacheDir(tmp_path / "cache"))


@pytest.fixture
def index(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Releases 1.0, which a tree asks for and which knows "old", and 2.0, which knows "new"."""
    asked: list[str] = []

    def opened(package: str, of: SourceTree | str, **_: object) -> Companion:
        version = "1.0" if isinstance(of, SourceTree) else of.removeprefix("==")
        asked.append(version)
        root = tmp_path / version
        (root / TABLE).parent.mkdir(parents=True, exist_ok=True)
        known = '"old"' if version == "1.0" else '"old", "new"'
        (root / TABLE).write_text(f"CONFIG = [{known}]\n")
        return Companion(package, root, None, package, version)

    monkeypatch.setattr(companions, "open_companion", opened)
    monkeypatch.setattr(companions, "list_releases", lambda *_, **__: ("1.0", "2.0"))
    return asked


def chosen(tree: SourceTree, wish: Wish, tmp_path: Any) -> tuple[str | None, tuple[str, ...]]:
    found, notes = companion_for(tree, wish, CacheDir(tmp_path), silent)
    assert found is not None
    return found.version, notes


def test_the_one_that_the_tree_asks_for(tree, index, tmp_path):
    assert chosen(tree, Wish("old"), tmp_path) == ("1.0", ())
    assert chosen(tree, Wish(None), tmp_path) == ("1.0", ())


def test_the_newest_where_that_does_not_know_the_model(tree, index, tmp_path, monkeypatch):
    version, (note,) = chosen(tree, Wish("new"), tmp_path)
    assert version == "2.0"
    assert "does not know the model type 'new': 2.0 is taken" in note
    assert chosen(tree, Wish("nobody knows"), tmp_path) == ("1.0", ())

    def offline(*_: object, **__: object) -> tuple[str, ...]:
        raise NetworkError("offline")

    monkeypatch.setattr(companions, "list_releases", offline)
    version, (note,) = chosen(tree, Wish("new"), tmp_path)
    assert (version, "cannot be fetched" in note) == ("1.0", True)


def test_the_one_that_the_user_names(tree, index, tmp_path):
    assert chosen(tree, Wish("new", "1.0"), tmp_path) == ("1.0", ())
    assert chosen(tree, Wish("old", "2.0"), tmp_path) == ("2.0", ())
    assert index == ["1.0", "2.0"]


def test_what_a_scenario_wishes(models):
    words = ScenarioWords(config=str(models / "deepseek-v3.json"), devices=("h100",))
    assert wish_of(assemble(words)[0]) == Wish("deepseek_v3", None)
    named = ScenarioWords(
        config=str(models / "deepseek-v3.json"), devices=("h100",), present=("transformers==5.17",)
    )
    assert wish_of(assemble(named)[0]) == Wish("deepseek_v3", "5.17")
