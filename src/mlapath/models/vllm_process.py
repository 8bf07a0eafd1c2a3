"""Functions of vLLM that no source tells the result of.

Their work is done in a child process or a cache file, or is bookkeeping that no other code of a
first start reads. Their names are entry points: a tree that lacks one runs its own code instead.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Library
from mlapath.values.value import V

REGISTRY = "vllm.model_executor.models.registry"
RELOAD = "vllm.model_executor.model_loader.reload.layerwise.record_metadata_for_reloading"
"""Walks every weight of the model, for a later reload of weights."""


def run_here(it: Any, function: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A function that runs its argument in a child process: the result is the same here."""
    result: V = it.call(args[0], [], {})
    return result


def miss(it: Any, function: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A look into a cache of what the code computes anyway, or a note for later."""
    return V(None)


LIBRARY = Library(
    hooks={
        RELOAD: miss,
        f"{REGISTRY}._run_in_subprocess": run_here,
        f"{REGISTRY}._LazyRegisteredModel._load_modelinfo_from_cache": miss,
        f"{REGISTRY}._LazyRegisteredModel._save_modelinfo_to_cache": miss,
    }
)
