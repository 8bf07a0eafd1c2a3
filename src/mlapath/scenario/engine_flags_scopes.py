"""The names of a module of the tree: which statement binds each, and what it stands for.

A module is not run. A name is looked up when it is needed: its last binding at module level
counts, among those whose ``if`` conditions do not turn out false.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from mlapath.ir import nodes as ir
from mlapath.scenario.engine_flags_values import ModuleRef

Condition: TypeAlias = "tuple[ir.Expr, bool]"


class Binding(NamedTuple):
    """A statement that binds a name, the alias for imports, and the tests above it."""

    stmt: ir.Stmt
    alias: ir.Alias | None
    conditions: tuple[Condition, ...]


@dataclass(eq=False)
class Scope:
    """One module: each name's bindings in order, and the modules it imports everything of."""

    name: str
    path: str
    is_package: bool
    bindings: Mapping[str, tuple[Binding, ...]]
    stars: tuple[str, ...]


def make_scope(name: str, module: ir.ModuleIR) -> Scope:
    """Index a module's bindings; nothing is looked up yet."""
    is_package = module.path.rpartition("/")[2] == "__init__.py"
    bindings: dict[str, list[Binding]] = {}
    stars = []
    for bound, binding in _bindings(module.body, ()):
        if bound == "*" and isinstance(binding.stmt, ir.ImportFrom):
            stars.append(absolute(name, is_package, binding.stmt.module, binding.stmt.level))
        else:
            bindings.setdefault(bound, []).append(binding)
    frozen = {bound: tuple(found) for bound, found in bindings.items()}
    return Scope(name, module.path, is_package, frozen, tuple(stars))


def absolute(module: str, is_package: bool, target: str, level: int) -> str:
    """The full name of ``target`` in ``from …target import`` (``level`` dots) in ``module``."""
    if not level:
        return target
    parts = module.split(".")
    kept = parts[: len(parts) - level + is_package]
    return ".".join([*kept, target] if target else kept)


def imported(alias: ir.Alias) -> tuple[str, ModuleRef]:
    """What ``import a.b`` binds: the first part of the name, or the alias to the whole."""
    first = alias.name.partition(".")[0]
    if alias.asname is not None:
        return alias.asname, ModuleRef(alias.name)
    return first, ModuleRef(first)


def _bindings(
    body: tuple[ir.Stmt, ...], conditions: tuple[Condition, ...]
) -> Iterator[tuple[str, Binding]]:
    for stmt in body:
        if isinstance(stmt, ir.If):
            yield from _bindings(stmt.body, (*conditions, (stmt.test, True)))
            yield from _bindings(stmt.orelse, (*conditions, (stmt.test, False)))
        elif isinstance(stmt, ir.Try):
            # handlers stand for a library that is missing; the body's own bindings come last
            for handler in stmt.handlers:
                yield from _bindings(handler.body, conditions)
            for part in (stmt.body, stmt.orelse, stmt.finalbody):
                yield from _bindings(part, conditions)
        elif isinstance(stmt, ir.With):
            yield from _bindings(stmt.body, conditions)
        else:
            for name, alias in bound_names(stmt):
                yield name, Binding(stmt, alias, conditions)


def bound_names(stmt: ir.Stmt) -> Iterator[tuple[str, ir.Alias | None]]:
    """The names that a statement without a body of statements binds."""
    if isinstance(stmt, (ir.FunctionDef, ir.ClassDef, ir.TypeAliasStmt)):
        yield stmt.name, None
    elif isinstance(stmt, ir.Import):
        for alias in stmt.names:
            yield imported(alias)[0], alias
    elif isinstance(stmt, ir.ImportFrom):
        for alias in stmt.names:
            yield alias.asname or alias.name, alias
    elif isinstance(stmt, ir.Assign):
        for target in stmt.targets:
            if isinstance(target, ir.Name):
                yield target.id, None
    elif (
        isinstance(stmt, ir.AnnAssign)
        and stmt.value is not None
        and isinstance(stmt.target, ir.Name)
    ):
        yield stmt.target.id, None
