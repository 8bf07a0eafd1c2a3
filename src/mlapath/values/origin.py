"""Provenance: where a value came from, recorded when it is made.

An origin is a node of a directed acyclic graph.  ``inputs`` are the origins of the values
this one was computed from (data), ``control`` the guard that had to hold for it to be
computed (control).  Origins take no part in the equality of values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

Pos: TypeAlias = tuple[int, int, int, int]


class Origin:
    """One step of an evidence chain.

    kind: ``config flag env device package default assign return guard call model havoc expr``;
    ``check``: a guard whose other side raises;
    ``which`` and ``callee``: what was found, and the object or function that was asked for it.
    path: file relative to the tree's root, or "" where the step is not in the tree.
    pos: span of the source text in that file, or None.
    label: for steps outside the tree, what it is (``config:index_topk``); else "".
    value: short rendering of the value at that moment.
    """

    __slots__ = ("control", "inputs", "kind", "label", "path", "pos", "value")

    def __init__(
        self,
        kind: str,
        path: str = "",
        pos: Pos | None = None,
        inputs: tuple[Origin, ...] = (),
        control: Origin | None = None,
        label: str = "",
        value: object = None,
    ) -> None:
        self.kind = kind
        self.path = path
        self.pos = pos
        self.inputs = inputs
        self.control = control
        self.label = label
        self.value = value

    def __repr__(self) -> str:
        where = f"{self.path}:{self.pos[0]}" if self.pos else self.label
        return f"<{self.kind} {where} {self.value!r}>"


def merge(*origins: Origin | None) -> Origin | None:
    """One origin for a value computed from several; None where none of them is known."""
    known: list[Origin] = []
    for origin in origins:
        if origin is not None and origin not in known:
            known.append(origin)
    if not known:
        return None
    if len(known) == 1:
        return known[0]
    return Origin("expr", inputs=tuple(known))


def ancestors(origin: Origin | None) -> Iterator[Origin]:
    """Every origin that this one rests on, itself first, nearest first, each once."""
    if origin is None:
        return
    queue = [origin]
    seen = {id(origin)}
    for node in queue:
        yield node
        parents = node.inputs if node.control is None else (*node.inputs, node.control)
        for parent in parents:
            if id(parent) not in seen:
                seen.add(id(parent))
                queue.append(parent)
