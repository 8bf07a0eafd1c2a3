"""The order and wording of ``mlapath tree`` for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mlapath.base.clean import clean
from mlapath.findings.tree_model import TreeReport
from mlapath.report.blocks import Block, Fact, Title
from mlapath.report.wording import count


def tree_blocks(tree: TreeReport, verbosity: int) -> Iterator[Block]:
    """Lay out a tree; long lists in full only when ``verbosity`` is above 0."""
    yield Title(f"vLLM {tree.version or 'of unknown version'}")
    yield Fact("root", f"{clean(tree.root)} ({tree.origin})")
    yield Fact("digest", tree.digest)
    yield from _counted("extensions", "compiled module", tree.extensions, verbosity)
    yield from _counted("requires", "requirement", tree.requires, verbosity)
    yield from _listed("modified", tree.modified)
    yield from _listed("shadow copy", tree.shadows)
    yield from _listed("plugin", (f"{plugin.name} ({plugin.group})" for plugin in tree.plugins))
    yield from _listed("note", tree.notes)


def _counted(label: str, thing: str, items: tuple[str, ...], verbosity: int) -> Iterator[Block]:
    if verbosity > 0:
        yield from _listed(label, items)
    else:
        more = " (-v lists them)" if items else ""
        yield Fact(label, count(len(items), thing) + more)


def _listed(label: str, items: Iterable[str]) -> Iterator[Block]:
    for item in items:
        yield Fact(label, clean(item))
        label = ""
