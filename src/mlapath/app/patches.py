"""What a deployment patches: whether this tree still has it, and if not, what is called so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from mlapath.base.errors import TreeError
from mlapath.base.nearest import nearest
from mlapath.cache.store import BlobStore
from mlapath.ir import nodes as ir
from mlapath.ir.errors import ParseError
from mlapath.ir.load import load_module
from mlapath.source import SourceTree

_MOST_SUGGESTIONS = 3
_DEPTH = 30


class PatchTargets:
    """Looks ``module:Class.name`` up in a tree, through imports and base classes."""

    def __init__(self, tree: SourceTree, store: BlobStore | None = None) -> None:
        self._tree = tree
        self._store = store
        self._bodies: dict[str, tuple[ir.Stmt, ...] | None] = {}

    def exists(self, patch: str) -> bool | None:
        """Whether the target is there; None where that rests on code outside the tree."""
        module, _, names = patch.partition(":")
        if self._tree.find_module(module) is None:
            return False
        return self._in_module(module, names.split("."), 0)

    def suggestions(self, patch: str) -> tuple[str, ...]:
        """Up to three functions or classes of the tree that may be meant.

        Those of the module that look alike go before those elsewhere that have the last name.
        """
        home, _, target = patch.rpartition(":")
        name = target.rpartition(".")[2]
        needle = re.compile(rb"(?:def|class)[ \t]+" + name.encode() + rb"\b")
        own = tuple(_defined(self._body(home) or (), ""))
        found = [f"{home}:{near}" for near in nearest(target, own)]
        for path in self._tree.files:
            if not path.endswith(".py") or len(found) >= _MOST_SUGGESTIONS:
                continue
            try:
                if needle.search(self._tree.read_bytes(path)) is None:
                    continue
            except TreeError:
                continue
            module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            found += [
                f"{module}:{qualified}"
                for qualified in _defined(self._body(module) or (), "")
                if qualified.rpartition(".")[2] == name
            ]
        return tuple(dict.fromkeys(found))[:_MOST_SUGGESTIONS]

    def _body(self, module: str) -> tuple[ir.Stmt, ...] | None:
        if module not in self._bodies:
            self._bodies[module] = None
            path = self._tree.find_module(module)
            if path is not None:
                try:
                    self._bodies[module] = load_module(
                        self._tree.read(path), path, self._store
                    ).body
                except (TreeError, ParseError):
                    self._bodies[module] = None
        return self._bodies[module]

    def _in_module(self, module: str, names: list[str], depth: int) -> bool | None:
        body = self._body(module)
        if body is None or depth > _DEPTH:
            return None
        bound = list(_bindings(body, names[0]))
        if not bound:
            if self._tree.find_module(f"{module}.{names[0]}") is not None:
                return (
                    True
                    if len(names) == 1
                    else self._in_module(f"{module}.{names[0]}", names[1:], depth + 1)
                )
            return None if any(_bindings(body, "__getattr__")) or _stars(body) else False
        answers = [self._bound(module, node, names, depth) for node in bound]
        return _any(answers)

    def _bound(self, module: str, node: Any, names: list[str], depth: int) -> bool | None:
        if isinstance(node, ir.ImportFrom):
            source = self._absolute(module, node)
            alias = next(a for a in node.names if (a.asname or a.name) == names[0])
            if self._tree.find_module(source) is None:
                return True if len(names) == 1 else None
            inner = f"{source}.{alias.name}"
            if source == module and self._tree.find_module(inner) is not None:
                return len(names) == 1 or self._in_module(inner, names[1:], depth + 1)
            return self._in_module(source, [alias.name, *names[1:]], depth + 1)
        if len(names) == 1:
            return True
        if isinstance(node, ir.ClassDef):
            return self._in_class(module, node, names[1:], depth)
        return None

    def _in_class(
        self, module: str, node: ir.ClassDef, names: list[str], depth: int
    ) -> bool | None:
        if depth > _DEPTH:
            return None
        for inner in _bindings(node.body, names[0]):
            if len(names) == 1:
                return True
            return (
                self._in_class(module, inner, names[1:], depth + 1)
                if isinstance(inner, ir.ClassDef) else None
            )  # fmt: skip
        return _any([self._in_base(module, base, names, depth) for base in node.bases])

    def _in_base(self, module: str, base: Any, names: list[str], depth: int) -> bool | None:
        way = _dotted(base.value if isinstance(base, ir.Subscript) else base)
        if way is None:
            return None
        bound = list(_bindings(self._body(module) or (), way[0]))
        if not bound:
            return False if way == ["object"] else None
        plain = [n for n in bound if isinstance(n, ir.ImportFrom) and n.module in _PLAIN]
        if plain:
            return False
        return _any([self._bound(module, n, [*way, *names], depth + 1) for n in bound])

    def _absolute(self, module: str, node: ir.ImportFrom) -> str:
        if not node.level:
            return node.module
        package = module.split(".")
        drop = node.level - (1 if self._tree.is_package(module) else 0)
        base = package[: len(package) - drop] if drop else package
        return ".".join([*base, *([node.module] if node.module else [])])


_PLAIN = frozenset({"abc", "typing", "typing_extensions", "enum", "collections.abc"})
"""Modules whose classes bring nothing that one would patch."""


def _any(answers: Iterable[bool | None]) -> bool | None:
    every = list(answers)
    if True in every:
        return True
    return None if None in every else False


def _bindings(body: Iterable[Any], name: str) -> Iterator[Any]:
    """The statements that bind ``name`` in a module or class, also under ``if`` and ``try``."""
    for node in body:
        if isinstance(node, (ir.FunctionDef, ir.ClassDef)):
            if node.name == name:
                yield node
        elif isinstance(node, ir.Import):
            if any((a.asname or a.name.partition(".")[0]) == name for a in node.names):
                yield node
        elif isinstance(node, ir.ImportFrom):
            if any((a.asname or a.name) == name for a in node.names):
                yield node
        elif isinstance(node, (ir.Assign, ir.AnnAssign)):
            targets = node.targets if isinstance(node, ir.Assign) else (node.target,)
            if any(isinstance(t, ir.Name) and t.id == name for t in _flat(targets)):
                yield node
        else:
            for part in ("body", "orelse", "handlers", "finalbody"):
                inner = getattr(node, part, None)
                if isinstance(inner, tuple):
                    yield from _bindings(inner, name)


def _flat(targets: Iterable[Any]) -> Iterator[Any]:
    for target in targets:
        if isinstance(target, (ir.Tuple, ir.List)):
            yield from _flat(target.elts)
        else:
            yield target


def _stars(body: Iterable[Any]) -> bool:
    return any(isinstance(n, ir.ImportFrom) and n.names[0].name == "*" for n in body)


def _defined(body: Iterable[Any], prefix: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, (ir.FunctionDef, ir.ClassDef)):
            yield f"{prefix}{node.name}"
        if isinstance(node, ir.ClassDef):
            yield from _defined(node.body, f"{prefix}{node.name}.")


def _dotted(node: Any) -> list[str] | None:
    if isinstance(node, ir.Name):
        return [node.id]
    if isinstance(node, ir.Attr):
        before = _dotted(node.value)
        return None if before is None else [*before, node.attr]
    return None
