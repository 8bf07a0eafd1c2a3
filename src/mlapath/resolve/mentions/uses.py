"""What a function does with what its variables hold, as far as the names alone tell."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeGuard

TELLING = frozenset({"__doc__", "__module__", "__name__", "__qualname__"})
"""Attributes of functions that are texts."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.GeneratorExp)


class Passed(NamedTuple):
    """``callee(keyword=name)``."""

    name: str
    callee: str
    keyword: str


class Lent(NamedTuple):
    """``callee(…, name, …)``: a variable given to a function of that name, at a place."""

    name: str
    callee: str
    place: int


class Returned(NamedTuple):
    """What a ``return`` gives: a name, "again" the function itself for more arguments, else ""."""

    line: int
    what: str


class Uses(NamedTuple):
    """What is done with names.

    kept: names with which more is done than to call them at once, to look at them, or to pass
    them on by a keyword, as ``passed`` says. loose: names with which more is done than to call
    them, to look at them, to give them back, or to have functions that are defined there call
    them, with the line; "" stands for any name. given: what is given back. more: names with
    which more is done than to look at them, or to give them to functions, as ``lent`` says.
    """

    kept: frozenset[str]
    loose: tuple[tuple[str, int], ...]
    passed: tuple[Passed, ...]
    given: tuple[Returned, ...]
    more: frozenset[str]
    lent: tuple[Lent, ...]


def uses_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Uses:
    """What a function's body does with names."""
    read: list[tuple[ast.Name, int]] = []
    called: set[int] = set()
    harmless: set[int] = set()
    defined: set[str] = set()
    passed: dict[int, Passed] = {}
    stored: set[str] = set()
    looked: set[int] = set()
    lent: dict[int, Lent] = {}
    loose: list[tuple[str, int]] = []
    given: list[Returned] = []
    stack: list[tuple[ast.AST, bool]] = [(s, False) for s in function.body]
    while stack:
        node, inside = stack.pop()
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                stored.add(node.id)
            else:
                read.append((node, node.lineno))
            continue
        (harmless if inside else called).update(map(id, _looked_at(node)))
        harmless.update(map(id, (*_wrapped(node), *_returned(node))))
        looked.update(id(name) for name in _looked_at(node) if not _is_called(name, node))
        lent.update(_lent(node))
        if isinstance(node, ast.arg):
            stored.add(node.arg)
        if not inside:
            passed.update(_passed(node))
            given.extend(_given(node, function.name))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            defined.add(node.name)
        if _is_open(node):
            loose.append(("", node.lineno))
        within = inside or isinstance(node, FUNCTIONS)
        stack.extend((child, within) for child in ast.iter_child_nodes(node))
    lent = {at: x for at, x in lent.items()
            if at not in looked and x.callee not in stored | defined}  # fmt: skip
    escaping = [(n, at) for n, at in read if id(n) not in called | harmless]
    loose.extend(("" if n.id in defined else n.id, at) for n, at in escaping)
    return Uses(
        frozenset(n.id for n, _ in read if id(n) not in called | passed.keys()),
        tuple(sorted(set(loose))), tuple(passed.values()), tuple(sorted(given)),
        frozenset(n.id for n, _ in read if id(n) not in looked | lent.keys()),
        tuple(lent.values()),
    )  # fmt: skip


def _is_open(node: ast.AST) -> TypeGuard[ast.stmt | ast.expr]:
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


def asks_for_signature(node: ast.Call) -> bool:
    """``inspect.signature(…)``: it neither calls nor keeps what it is given."""
    of = node.func
    return (
        isinstance(of, ast.Attribute) and of.attr == "signature" and _name(of.value) == "inspect"
    )


def _looked_at(node: ast.AST) -> Iterator[ast.Name]:
    """Names that a node calls, or asks whether they hold anything, or anything callable.

    Or for the signature or the name of what they hold.
    """
    parts: list[ast.expr] = []
    if isinstance(node, ast.Call):
        plain = node.func.id if isinstance(node.func, ast.Name) else ""
        asks = plain in ("callable", "hasattr") or asks_for_signature(node)
        parts = [node.func, *(node.args if asks else ())]
    elif _is_of_itself(node):
        parts = [node.value.value]
    elif isinstance(node, ast.Attribute) and node.attr in TELLING:
        parts = [node.value]
    elif isinstance(node, ast.Compare) and all(
        isinstance(o, ast.Is | ast.IsNot) for o in node.ops
    ):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        parts = [node.test]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        parts = [node.operand]
    yield from (part for part in parts if isinstance(part, ast.Name))


def _is_called(name: ast.Name, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and node.func is name


def _is_of_itself(node: ast.AST) -> TypeGuard[Any]:
    """``name = name.__func__``: the same function, without the object that it was read of."""
    return (
        isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)
        and node.value.attr == "__func__" and isinstance(node.value.value, ast.Name)
        and [_name(target) for target in node.targets] == [node.value.value.id]
        and isinstance(node.targets[0], ast.Name)
    )  # fmt: skip


def _lent(node: ast.AST) -> Iterator[tuple[int, Lent]]:
    if (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        and not any(isinstance(part, ast.Starred) for part in node.args)
    ):  # fmt: skip
        for place, part in enumerate(node.args):
            if isinstance(part, ast.Name):
                yield id(part), Lent(part.id, node.func.id, place)


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


__all__ = ["Lent", "Passed", "Returned", "Uses", "asks_for_signature", "uses_in"]
