"""The scopes of functions by CPython's symbol tables: the oracle of those of the lowering."""

from __future__ import annotations

import ast
import symtable
import warnings
from typing import Any

from mlapath.ir import nodes as ir


def symbol_scopes(text: str) -> dict[tuple[int, int], ir.Scope]:
    """The scope of each function of ``text``, by its line and its column in bytes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
        # Python 3.12 merges the names of list, set and dict comprehensions into the function's.
        plain = ast.unparse(_Generators().visit(ast.parse(text)))
        table = symtable.symtable(plain, "p.py", "exec")
        lines = {
            id(function): twin.lineno
            for function, twin in zip(_functions(tree), _functions(ast.parse(plain)), strict=True)
        }
    reader = _Reader(table, lines)
    reader.visit(tree)
    return reader.found


class _Generators(ast.NodeTransformer):
    def visit_ListComp(self, node: Any) -> Any:
        self.generic_visit(node)
        return ast.GeneratorExp(node.elt, node.generators)

    visit_SetComp = visit_ListComp  # noqa: N815

    def visit_DictComp(self, node: Any) -> Any:
        self.generic_visit(node)
        return ast.GeneratorExp(ast.Tuple([node.key, node.value], ast.Load()), node.generators)


def _functions(tree: ast.AST) -> list[Any]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


class _Reader(ast.NodeVisitor):
    def __init__(self, table: symtable.SymbolTable, twins: dict[int, int]) -> None:
        self.found: dict[tuple[int, int], ir.Scope] = {}
        self.twins = twins  # from a function's id to its line in the table's text
        self.classes: list[str] = []
        self.tables: dict[tuple[str, int], list[symtable.Function]] = {}
        self._collect(table)

    def _collect(self, table: symtable.SymbolTable) -> None:
        for child in table.get_children():
            if isinstance(child, symtable.Function) and ".0" not in child.get_parameters():
                self.tables.setdefault((child.get_name(), child.get_lineno()), []).append(child)
            self._collect(child)

    def visit_FunctionDef(self, node: Any) -> None:
        table = self.tables[node.name, self.twins[id(node)]].pop(0)
        symbols = table.get_symbols()
        self.found[node.lineno, node.col_offset] = ir.Scope(
            tuple(sorted(map(self.unmangled, table.get_locals()))),
            tuple(sorted(self.unmangled(s.get_name()) for s in symbols if s.is_declared_global())),
            tuple(sorted(map(self.unmangled, table.get_nonlocals()))),
            any(_yields(stmt) for stmt in node.body),
        )
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.classes.append(node.name)
        self.generic_visit(node)
        self.classes.pop()

    def unmangled(self, name: str) -> str:
        if self.classes and not name.endswith("__"):
            prefix = "_" + self.classes[-1].lstrip("_")
            if name.startswith(prefix + "__"):
                return name[len(prefix) :]
        return name


def _yields(node: ast.AST) -> bool:
    if isinstance(node, (ast.Yield, ast.YieldFrom)):
        return True
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        outer: list[Any] = [*node.decorator_list, node.args, node.returns]
        return any(_yields(part) for part in outer if part is not None)
    if isinstance(node, ast.Lambda):
        return _yields(node.args)
    if isinstance(node, ast.ClassDef):
        return any(_yields(p) for p in [*node.decorator_list, *node.bases, *node.keywords])
    return any(_yields(child) for child in ast.iter_child_nodes(node))
