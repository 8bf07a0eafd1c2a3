"""Real vLLM trees for end-to-end tests: fetched once into the cache, skipped loudly offline."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import pytest

from mlapath.app.analyze import analyze_tree
from mlapath.app.companions import Wish, companion_for
from mlapath.base.errors import NetworkError
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.findings.model import Report, TargetVerdict
from mlapath.ir.load import KIND
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import Companion, SourceTree, open_companion, open_tree, silent

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
MODELS = FIXTURES / "models"


@lru_cache(maxsize=8)
def real_tree(version: str) -> tuple[SourceTree, Companion | None]:
    """The tree of a release with its transformers; skips the test if the index is out of reach."""
    cache = CacheDir.default()
    try:
        tree = open_tree(version, cache=cache)
        return tree, open_companion("transformers", tree, cache=cache)
    except NetworkError as error:
        pytest.skip(f"NOT TESTED, the package index cannot be reached: {error}")


def copied_tree(version: str, into: Path) -> SourceTree:
    """A copy of a release's tree that may be edited."""
    tree, _ = real_tree(version)
    root = into / "tree"
    shutil.copytree(tree.root, root)
    return open_tree(root, cache=CacheDir.default())


def edit(tree: SourceTree, path: str, old: str, new: str, *, everywhere: bool = False) -> None:
    """Replace ``old`` by ``new`` in one file: exactly one occurrence, unless ``everywhere``."""
    file = tree.root / path
    text = file.read_text("utf-8")
    count = text.count(old)
    assert count, f"{path} has no {old!r}"
    assert everywhere or count == 1, f"{path} has {count} times {old!r}"
    file.write_text(text.replace(old, new), "utf-8")


def report_of(
    tree: SourceTree, companion: Companion | None, model: str, device: str,
    flags: Sequence[str] = (), **words: Sequence[str],
) -> Report:  # fmt: skip
    """The report of one scenario; ``model`` names a fixture."""
    scenario = assemble(
        ScenarioWords(
            config=str(MODELS / f"{model}.json"), devices=(device,), engine=tuple(flags), **words
        )
    )[0]
    store = BlobStore(CacheDir.default(), KIND)
    return analyze_tree(tree, companion, scenario, store)


def release_report(
    version: str, model: str, device: str, flags: Sequence[str] = (), **words: Sequence[str]
) -> Report:
    """The report of one scenario on a release."""
    tree, _ = real_tree(version)
    model_type = json.loads((MODELS / f"{model}.json").read_text("utf-8")).get("model_type")
    companion, _ = companion_for(tree, Wish(model_type), CacheDir.default(), silent)
    return report_of(tree, companion, model, device, flags, **words)


def verdict(report: Report, target: str) -> TargetVerdict:
    """The verdict of a target in the first MLA group."""
    group = next(g for g in report.attention if g.mla)
    return next(t for t in group.targets if t.target == target)
