"""What a function does with what its variables hold, as far as the names alone tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp)


class Passed(NamedTuple):
    """``callee(keyword=name)``."""

    name: str
    callee: str
    keyword: str


class Returned(NamedTuple):
    """What a ``return`` gives: a name, "again" the function itself for more arguments, else ""."""

    line: int
    what: str


class Uses(NamedTuple):
    """What is done with names.

    kept: names with which more is done than to call them at once, to look at them, or to pass
    them on by a keyword, as ``passed`` says. loose: names with which more is done than to call
    them, to look at them, to give them back, or to have functions that are defined there call
    them, with the line; "" stands for any name. Of what such a function does that is the line of
    its ``def``. given: what is given back.
    """

    kept: frozenset[str]
    loose: tuple[tuple[str, int], ...]
    passed: tuple[Passed, ...]
    given: tuple[Returned, ...]


def uses_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Uses:
    """What a function's body does with names."""
    read: list[tuple[ast.Name, int]] = []
    called: set[int] = set()
    harmless: set[int] = set()
    defined: set[str] = set()
    passed: dict[int, Passed] = {}
    loose: list[tuple[str, int]] = []
    given: list[Returned] = []
    stack: list[tuple[ast.AST, int]] = [(s, 0) for s in function.body]
    while stack:
        node, around = stack.pop()
        line = around or getattr(node, "lineno", 0)
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Store):
                read.append((node, line))
            continue
        (harmless if around else called).update(map(id, _looked_at(node)))
        harmless.update(map(id, (*_wrapped(node), *_returned(node))))
        if not around:
            passed.update(_passed(node))
            given.extend(_given(node, function.name))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            defined.add(node.name)
        if _is_open(node):
            loose.append(("", line))
        inside = line if isinstance(node, FUNCTIONS) else around
        stack.extend((child, inside) for child in ast.iter_child_nodes(node))
    escaping = [(n, at) for n, at in read if id(n) not in called | harmless]
    loose.extend(("" if n.id in defined else n.id, at) for n, at in escaping)
    return Uses(
        frozenset(n.id for n, _ in read if id(n) not in called | passed.keys()),
        tuple(sorted(set(loose))), tuple(passed.values()), tuple(sorted(given)),
    )  # fmt: skip


def _is_open(node: ast.AST) -> bool:
    """Whether code may be kept that is not followed, or by decorators that are not."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return any(_last(d) != "wraps" for d in node.decorator_list)
    return isinstance(node, ast.Lambda | ast.GeneratorExp | ast.ClassDef)


def _given(node: ast.AST, name: str) -> Iterator[Returned]:
    """What a ``return`` of the function ``name`` gives."""
    if isinstance(node, ast.Return):
        value = node.value
        again = (
            isinstance(value, ast.Call) and _name(value.func) == "partial" and value.args
            and _name(value.args[0]) == name and len(value.args) == 1
        )  # fmt: skip
        what = "again" if again else value.id if isinstance(value, ast.Name) else ""
        yield Returned(node.lineno, what)


def _looked_at(node: ast.AST) -> Iterator[ast.Name]:
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
    yield from (part for part in parts if isinstance(part, ast.Name))


def _passed(node: ast.AST) -> Iterator[tuple[int, Passed]]:
    if isinstance(node, ast.Call) and _name(node.func):
        for part in node.keywords:
            if isinstance(part.value, ast.Name) and part.arg is not None:
                yield id(part.value), Passed(part.value.id, _name(node.func), part.arg)


def _wrapped(node: ast.AST) -> Iterator[ast.Name]:
    """Names that ``functools.wraps`` gets."""
    if isinstance(node, ast.Call) and _name(node.func) == "wraps":
        yield from (part for part in node.args if isinstance(part, ast.Name))


def _returned(node: ast.AST) -> Iterator[ast.Name]:
    """Names that a function gives back as they are."""
    if isinstance(node, ast.Return) and node.value is not None:
        value = node.value
        parts = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
        yield from (part for part in parts if isinstance(part, ast.Name))


def _last(decorator: ast.expr) -> str:
    return _name(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


__all__ = ["Passed", "Returned", "Uses", "uses_in"]
