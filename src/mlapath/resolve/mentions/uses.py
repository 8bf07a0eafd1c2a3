"""What a function does with what its variables hold, as far as the names alone tell."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp)


class Passed(NamedTuple):
    """``callee(keyword=name)``."""

    name: str
    callee: str
    keyword: str


class Uses(NamedTuple):
    """What is done with names.

    kept: names with which more is done than to call them at once, to look at them, or to pass
    them on by a keyword, as ``passed`` says. wrapped: names that are but called, looked at, given
    back, or called by functions that are defined there, all of which are but called or given back.
    """

    kept: frozenset[str]
    wrapped: frozenset[str]
    passed: tuple[Passed, ...]


def uses_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Uses:
    """What a function's body does with names."""
    read: Counter[str] = Counter()
    called: Counter[str] = Counter()
    inside: Counter[str] = Counter()
    returned: Counter[str] = Counter()
    defined: set[str] = set()
    passed: list[Passed] = []
    closed = True
    stack: list[tuple[ast.AST, bool]] = [(s, False) for s in function.body]
    while stack:
        node, nested = stack.pop()
        if isinstance(node, ast.Name):
            read[node.id] += not isinstance(node.ctx, ast.Store)
            continue
        (inside if nested else called).update(_looked_at(node))
        inside.update(_wrapped(node))
        if not nested:
            passed.extend(_passed(node))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            defined.add(node.name)
            closed = closed and all(_last(d) == "wraps" for d in node.decorator_list)
        closed = closed and not isinstance(node, ast.Lambda | ast.GeneratorExp | ast.ClassDef)
        returned.update(_returned(node))
        below = nested or isinstance(node, FUNCTIONS)
        stack.extend((child, below) for child in ast.iter_child_nodes(node))
    escaping = [n for n in defined if called[n] + inside[n] + returned[n] != read[n]]
    wrapped = () if escaping or not closed else (*called, *inside, *returned)
    handed = Counter(p.name for p in passed)
    return Uses(
        frozenset(name for name, count in read.items() if count != called[name] + handed[name]),
        frozenset(n for n in wrapped if called[n] + inside[n] + returned[n] == read[n]),
        tuple(passed),
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


def _passed(node: ast.AST) -> Iterator[Passed]:
    if isinstance(node, ast.Call) and _name(node.func):
        for part in node.keywords:
            if isinstance(part.value, ast.Name) and part.arg is not None:
                yield Passed(part.value.id, _name(node.func), part.arg)


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


def _last(decorator: ast.expr) -> str:
    return _name(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


__all__ = ["Passed", "Uses", "uses_in"]
