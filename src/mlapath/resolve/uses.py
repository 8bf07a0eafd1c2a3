"""What a function does with what its variables hold, as far as the names alone tell."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp)


class Uses(NamedTuple):
    """Names by all that is done with them.

    called: they are called at once, or only looked at. wrapped: the same, or given back, or
    called by functions that are defined there, all of which are but called or given back.
    """

    called: frozenset[str]
    wrapped: frozenset[str]


def uses_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Uses:
    """What a function's body does with names."""
    read: Counter[str] = Counter()
    called: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    returned: Counter[str] = Counter()
    defined: set[str] = set()
    closed = True
    stack: list[tuple[ast.AST, bool]] = [(s, False) for s in function.body]
    while stack:
        node, nested = stack.pop()
        if isinstance(node, ast.Name):
            read[node.id] += not isinstance(node.ctx, ast.Store)
            continue
        (inside if nested else called).update(_looked_at(node))
        inside.update(_wrapped(node))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            defined.add(node.name)
        closed = closed and not isinstance(node, ast.Lambda | ast.GeneratorExp | ast.ClassDef)
        returned.update(_returned(node))
        below = nested or isinstance(node, FUNCTIONS)
        stack.extend((child, below) for child in ast.iter_child_nodes(node))
    kept = [n for n in defined if called[n] + inside[n] + returned[n] != read[n]]
    wrapped = () if kept or not closed else (*called, *inside, *returned)
    return Uses(
        frozenset(name for name, count in called.items() if count == read[name]),
        frozenset(n for n in wrapped if called[n] + inside[n] + returned[n] == read[n]),
    )


def _looked_at(node: ast.AST) -> Iterator[str]:
    """Names that a node calls, or asks whether they hold anything, or anything callable."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.Call):
        parts = [node.func, *(node.args if _name(node.func) == "callable" else ())]
    elif isinstance(node, ast.Compare) and all(
        isinstance(o, ast.Is | ast.IsNot) for o in node.ops
    ):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        parts = [node.test]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        parts = [node.operand]
    yield from (part.id for part in parts if isinstance(part, ast.Name))


def _wrapped(node: ast.AST) -> Iterator[str]:
    """Names that ``functools.wraps`` gets."""
    if isinstance(node, ast.Call) and _name(node.func) == "wraps":
        yield from (part.id for part in node.args if isinstance(part, ast.Name))


def _returned(node: ast.AST) -> Iterator[str]:
    """Names that a function gives back as they are."""
    if isinstance(node, ast.Return) and node.value is not None:
        value = node.value
        parts = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
        yield from (part.id for part in parts if isinstance(part, ast.Name))


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


__all__ = ["Uses", "uses_in"]
