"""Packages beside the tree that extend it through entry points."""

from __future__ import annotations

from mlapath.source import SourceTree
from mlapath.source.metadata import EntryPoint


def plugins_of(tree: SourceTree) -> tuple[EntryPoint, ...]:
    """The entry points that lead out of the tree.

    Its own (which register resolvers of LoRA adapters) are not loaded: they select nothing.
    """
    return tuple(p for p in tree.plugins if p.package != tree.package)


def plugin_notes(tree: SourceTree) -> tuple[str, ...]:
    """What a report says of them."""
    return tuple(
        f"{p.distribution} extends vLLM ({p.group}: {p.name}); its code is not read"
        for p in plugins_of(tree)
    )


__all__ = ["plugin_notes", "plugins_of"]
