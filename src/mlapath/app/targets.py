"""Targets must be functions that the tree defines somewhere: a mistyped one is an error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from mlapath.base.errors import UsageError
from mlapath.base.nearest import did_you_mean
from mlapath.scenario.scenario import DEFAULT_TARGETS
from mlapath.source import SourceTree

DEFINED = re.compile(rb"^[ \t]*(?:async[ \t]+)?(def|class)[ \t]+(\w+)", re.MULTILINE)


def check_targets(tree: SourceTree, targets: Iterable[str]) -> None:
    """Nothing, if the tree defines each target's last name and the class or module before it.

    The default targets are not checked: a tree of another era calls them otherwise.

    Raises:
        UsageError: naming the target and the names that look like it.
    """
    asked = [target for target in targets if target not in DEFAULT_TARGETS]
    if not asked:
        return
    functions, owners = _definitions(tree)
    for target in asked:
        *before, name = target.split(".")
        if name not in functions:
            hint = did_you_mean(name, functions)
            raise UsageError(f"--target {target}: this vLLM defines no function {name!r}{hint}")
        if before and before[-1] not in owners:
            hint = did_you_mean(before[-1], owners)
            raise UsageError(
                f"--target {target}: this vLLM has no class or module {before[-1]!r}{hint}"
            )


def _definitions(tree: SourceTree) -> tuple[set[str], set[str]]:
    """Names of functions, and of what can stand before one: classes, functions, modules."""
    functions: set[str] = set()
    owners: set[str] = set()
    for path in tree.files:
        if not path.endswith(".py"):
            continue
        stem = Path(path).stem
        owners.add(Path(path).parent.name if stem == "__init__" else stem)
        try:
            data = (tree.root / path).read_bytes()
        except OSError:
            continue
        for kind, name in DEFINED.findall(data):
            if kind == b"def":
                functions.add(name.decode())
            owners.add(name.decode())
    return functions, owners
