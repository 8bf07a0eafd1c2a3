"""``mlapath tree``: which vLLM would be read."""

from __future__ import annotations

from mlapath.app.request import TreeRequest
from mlapath.cache import CacheDir
from mlapath.findings.tree_model import Plugin, TreeReport
from mlapath.source import Progress, open_tree, silent


def describe_tree(request: TreeRequest, progress: Progress = silent) -> TreeReport:
    """Find, and for a version fetch, the tree, and say what it is.

    Raises:
        TreeError: it cannot be found, fetched or read.
    """
    tree = open_tree(
        request.vllm, cache=CacheDir.default(), python=request.python, progress=progress
    )
    return TreeReport(
        version=tree.version,
        origin=tree.origin,
        root=str(tree.root),
        digest=tree.digest,
        extensions=tree.extensions,
        requires=tree.requires,
        modified=tree.modified,
        shadows=tuple(str(path) for path in tree.shadows),
        plugins=tuple(Plugin(plugin.group, plugin.name) for plugin in tree.plugins),
        notes=tree.notes,
    )
