"""Which transformers goes with the tree.

The one that the user names, the environment's, what the metadata asks for, or, where that does
not know the model's type, the newest release (its users install that).
"""

from __future__ import annotations

from typing import NamedTuple

from mlapath.base.errors import NetworkError, TreeError
from mlapath.cache import CacheDir
from mlapath.scenario.scenario import Scenario
from mlapath.source import Companion, Progress, SourceTree, list_releases, open_companion

PACKAGE = "transformers"
TABLES = (
    "transformers/models/auto/configuration_auto.py",
    "transformers/models/auto/auto_mappings.py",
)
"""Where the package lists the model types that it knows."""
OWN_TABLE = "vllm/transformers_utils/config.py"
"""Where vLLM lists the configuration classes of its own."""


class Wish(NamedTuple):
    """What bears on the choice. ``version``: the one that the user says is installed."""

    model_type: str | None
    version: str | None = None


def wish_of(scenario: Scenario) -> Wish:
    """What a scenario wishes."""
    found = scenario.config.values.get("model_type")
    version = scenario.packages.present.get(PACKAGE)
    return Wish(found if isinstance(found, str) else None, version)


def companion_for(
    tree: SourceTree, wish: Wish, cache: CacheDir, progress: Progress
) -> tuple[Companion | None, tuple[str, ...]]:
    """The companion and what the report says of the choice.

    Raises:
        TreeError: it cannot be fetched or read.
    """
    model_type, version = wish
    if version is not None and (tree.distributions or {}).get(PACKAGE) != version:
        return open_companion(PACKAGE, f"=={version}", cache=cache, progress=progress), ()
    chosen = open_companion(PACKAGE, tree, cache=cache, progress=progress)
    if chosen is None or model_type is None or tree.distributions is not None:
        return chosen, ()
    if _lists(tree, (OWN_TABLE,), model_type) or _lists(chosen, TABLES, model_type):
        return chosen, ()
    try:
        latest = list_releases(PACKAGE, cache=cache)[-1]
        newest = open_companion(PACKAGE, f"=={latest}", cache=cache, progress=progress)
    except NetworkError:
        return chosen, (f"{_unknown(chosen, model_type)}; a newer one cannot be fetched",)
    if newest is None or not _lists(newest, TABLES, model_type):
        return chosen, ()
    return newest, (f"{_unknown(chosen, model_type)}: {newest.version} is taken in its place",)


def _unknown(chosen: Companion, model_type: str) -> str:
    return (
        f"transformers {chosen.version}, which this vLLM asks for, does not know the model type "
        f"{model_type!r}"
    )


def _lists(files: SourceTree | Companion, paths: tuple[str, ...], model_type: str) -> bool:
    for path in paths:
        try:
            text = files.read(path)
        except TreeError:
            continue
        if f'"{model_type}"' in text or f" {model_type}=" in text or f"'{model_type}'" in text:
            return True
    return False
