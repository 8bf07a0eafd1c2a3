"""The miniature trees: analysed by mlapath, and run by CPython with a miniature torch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlapath.app.analyze import analyze_tree
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.findings.model import Report
from mlapath.ir.load import KIND
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.source import SourceTree, open_companion, open_tree

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
ERAS = ("0.15", "0.16", "0.26", "0.29")
_MINITORCH = Path(__file__).resolve().parent / "minitorch"

BATCHES: Mapping[str, Sequence[tuple[int, int]]] = {
    "decode": [(1, 9), (1, 30), (1, 500)],
    "short prompt": [(37, 0)],
    "prompt": [(600, 0)],
    "chunk": [(16, 300)],
    "mixed": [(1, 40), (1, 9), (600, 0)],
    "long": [(3000, 0)],
    "very long": [(9000, 0)],
    "one token": [(1, 0)],
}
"""Steps, as (new tokens, tokens in the cache) of each request."""


def site(era: str) -> Path:
    """The environment of an era."""
    return FIXTURES / "eras" / era / "site-packages"


def era_tree(era: str) -> SourceTree:
    """The tree of an era."""
    return open_tree(site(era), cache=CacheDir.default())


def era_report(
    era: str, model: str, device: str, flags: Sequence[str] = (), **words: Sequence[str]
) -> Report:
    """What mlapath says; ``model`` names a bundled configuration."""
    tree = era_tree(era)
    cache = CacheDir.default()
    companion = open_companion("transformers", tree, cache=cache, offline=True)
    config = str(FIXTURES / "models" / f"{model}.json")
    chosen = ScenarioWords(config=config, devices=(device,), engine=tuple(flags), **words)
    return analyze_tree(tree, companion, assemble(chosen)[0], BlobStore(cache, KIND))


@dataclass(frozen=True)
class Executed:
    """What CPython did: an exception, or the backend and the functions that ran in each batch."""

    error: str | None
    message: str | None
    backend: str | None
    calls: Mapping[str, frozenset[str]]


def execute(
    era: str, model: str, capability: str, folder: Path,
    flags: Mapping[str, Any] | None = None, unset: Sequence[str] = (),
) -> Executed:  # fmt: skip
    """Run the tree in a process of its own. ``flags``: keyword arguments of the engine."""
    config = json.loads((FIXTURES / "models" / f"{model}.json").read_text("utf-8"))
    for name in unset:
        config.pop(name, None)
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    job = {
        "site": str(site(era)),
        "model": str(folder),
        "flags": dict(flags or {}),
        "batches": dict(BATCHES),
    }
    done = subprocess.run(
        [sys.executable, str(_MINITORCH / "serve.py"), json.dumps(job)],
        env={**os.environ, "MINI_CAPABILITY": capability, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    said = json.loads(done.stdout)
    calls = {name: frozenset(ran) for name, ran in said.get("calls", {}).items()}
    return Executed(said.get("error"), said.get("message"), said.get("backend"), calls)
