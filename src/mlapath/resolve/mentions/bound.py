"""The names that a block of code binds, in its own scope."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

SCOPES = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp,
    ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
LATE = (ast.Yield, ast.YieldFrom, ast.Await)


class Bound(NamedTuple):
    """Names by what binds them.

    assigned: targets of assignments, loops, ``with`` and ``del``. other: declared ``global``
    or ``nonlocal``.
    yields: whether it has a ``yield`` or ``await``: a call of such a function does not run it.
    """

    assigned: frozenset[str]
    imported: frozenset[str]
    functions: frozenset[str]
    classes: frozenset[str]
    other: frozenset[str]
    yields: bool


def bound_in(body: Sequence[ast.AST]) -> Bound:
    """What a block binds: not what nested functions, classes and comprehensions bind in it."""
    assigned: set[str] = set()
    imported: set[str] = set()
    functions: set[str] = set()
    classes: set[str] = set()
    other: set[str] = set()
    yields = False
    stack = list(body)
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]
                assigned.add(node.id)  # type: ignore[attr-defined]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imported.update((a.asname or a.name).partition(".")[0] for a in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.add(node.name)
        elif isinstance(node, ast.ClassDef):
            classes.add(node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            other.update(node.names)
        elif kind not in SCOPES and kind is not ast.Constant:
            yields = yields or kind in LATE
            for field in node._fields:
                value = getattr(node, field, None)
                if isinstance(value, list):
                    stack.extend(x for x in value if isinstance(x, ast.AST))
                elif isinstance(value, ast.AST):
                    stack.append(value)
    return Bound(frozenset(assigned), frozenset(imported), frozenset(functions),
                 frozenset(classes), frozenset(other), yields)  # fmt: skip


__all__ = ["Bound", "bound_in"]
