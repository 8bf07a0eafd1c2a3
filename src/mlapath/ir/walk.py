"""Walking IR: every node below a node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlapath.ir.stored import StoredBody


def walk(node: Any) -> Iterator[Any]:
    """A node and every node below it, outermost first."""
    if isinstance(node, StoredBody):
        node = node.statements
    if not isinstance(node, tuple):
        return
    if hasattr(node, "_fields"):
        yield node
    for part in node:
        yield from walk(part)


__all__ = ["walk"]
