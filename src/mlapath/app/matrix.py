"""``mlapath matrix``: configurations x devices x trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from packaging.version import InvalidVersion, Version

from mlapath.app.parallel import ask_all
from mlapath.app.request import AnalyzeRequest, TreeRequest
from mlapath.app.shard import Shard
from mlapath.base.errors import UsageError
from mlapath.cache import CacheDir
from mlapath.findings.matrix import Matrix, Row, compared, row_of
from mlapath.scenario.scenario import Scenario
from mlapath.source import Progress, list_releases, silent

RANGE = ".."


@dataclass(frozen=True)
class Sweep:
    """What is asked: every scenario on every tree; None is the installed one."""

    scenarios: tuple[Scenario, ...]
    trees: tuple[str | None, ...]
    python: str | None = None
    use_cache: bool = True


def fill(
    sweep: Sweep, shard: Shard, jobs: int | None = None, progress: Progress = silent
) -> Matrix:
    """Answer the questions of the shard; rows by tree, so that neighbours share one."""
    base = TreeRequest(None, sweep.python, use_cache=sweep.use_cache)
    every = [
        (number, AnalyzeRequest(replace(base, vllm=tree), scenario))
        for number, (tree, scenario) in enumerate(
            (tree, scenario) for tree in sweep.trees for scenario in sweep.scenarios
        )
    ]
    asked = shard.of(every)
    told = ask_all([request for _, request in asked], jobs, progress)
    rows = []
    for (number, request), found in zip(asked, told, strict=True):
        config, device = request.scenario.config.label, request.scenario.device.name
        tree = request.tree.vllm or "installed"
        if found.answer is None:
            rows.append(Row(number, config, device, tree, "error", detail=found.error))
        else:
            rows.append(row_of(number, config, device, tree, found.answer.report))
    return compared(Matrix(sweep.scenarios[0].targets, len(every), tuple(rows)))


def trees_of(words: Iterable[str]) -> tuple[str | None, ...]:
    """The trees that ``--vllm`` names, parted by commas; ``A..B`` all final releases of a range.

    Raises:
        UsageError: a range whose ends are not versions, or that has none.
        NetworkError: the releases of a range cannot be listed.
    """
    found: dict[str | None, None] = {}
    for word in (part.strip() for text in words for part in text.split(",")):
        if RANGE in word and not word.startswith(RANGE) and "/" not in word:
            found.update(dict.fromkeys(_between(word)))
        elif word:
            found[word] = None
    return tuple(found) or (None,)


def _between(word: str) -> Sequence[str]:
    first, _, last = word.partition(RANGE)
    try:
        low, high = Version(first), Version(last)
    except InvalidVersion as error:
        raise UsageError(
            f"--vllm {word!r}: expected two versions, as in 0.26.0..0.33.0"
        ) from error
    every = list_releases("vllm", cache=CacheDir.default())
    found = [version for version in every if low <= Version(version) <= high]
    if not found:
        raise UsageError(f"--vllm {word!r}: no release lies between them")
    return found
