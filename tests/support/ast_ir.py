"""CPython's ``ast`` to IR, written apart from the lowering: the oracle of its tests.

Scopes come from ``symtable``.  Two things ``ast`` does not tell are undone by ``comparable``
on both sides: the ``debug`` text of f-strings, and positions inside f-strings before 3.12.
"""

from __future__ import annotations

import ast
import symtable
import sys
import warnings
from typing import Any

from mlapath.ir import nodes as ir
from mlapath.ir.stored import StoredBody

OPERATORS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**",
    "MatMult": "@", "LShift": "<<", "RShift": ">>", "BitAnd": "&", "BitOr": "|", "BitXor": "^",
    "Not": "not", "USub": "-", "UAdd": "+", "Invert": "~", "And": "and", "Or": "or",
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is",
    "IsNot": "is not", "In": "in", "NotIn": "not in",
}  # fmt: skip


def ast_module(text: str, path: str) -> ir.ModuleIR:
    """The IR of ``text`` (with ``\\n`` newlines and no byte-order mark) by way of ``ast``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text)
        # Python 3.12 merges the names of list, set and dict comprehensions into the function's.
        plain = ast.unparse(_Generators().visit(ast.parse(text)))
        table = symtable.symtable(plain, path, "exec")
        lines = {
            id(function): twin.lineno
            for function, twin in zip(_functions(tree), _functions(ast.parse(plain)), strict=True)
        }
    body, doc = _Converter(text, table, lines).documented(tree.body)
    return ir.ModuleIR(path, body, doc)


def comparable(node: Any, inside: bool = False) -> Any:
    """Without what ``ast`` cannot tell; lists of differences read better as plain tuples."""
    if isinstance(node, ir.JoinedStr):
        parts: list[Any] = []
        for part in node.parts:
            pieces: list[Any] = [part]
            if isinstance(part, ir.FormattedValue):
                pieces = [part.debug, part._replace(debug="")]
            for piece in pieces:
                if isinstance(piece, str) and parts and isinstance(parts[-1], str):
                    parts[-1] += piece
                elif piece:
                    parts.append(piece)
        hidden = inside and sys.version_info < (3, 12)
        pos = (0, 0, 0, 0) if hidden else node.pos
        return ("JoinedStr", pos, tuple(comparable(part, True) for part in parts))
    if isinstance(node, ir.FormattedValue):
        spec = node.spec
        shown = None if spec is None else comparable(spec._replace(pos=(0, 0, 0, 0)), True)
        pos = (0, 0, 0, 0) if sys.version_info < (3, 12) else node.pos
        return ("FormattedValue", pos, comparable(node.value, True), node.conversion, shown)
    if isinstance(node, ir.Const):
        # 1, 1.0 and True are equal; their reprs are not (nor is 0.0 equal to -0.0 then).
        return ("Const", _pos(node.pos, inside), repr(node.value))
    if isinstance(node, StoredBody):
        return comparable(node.statements, inside)
    if isinstance(node, tuple):
        name = type(node).__name__
        if name == "tuple":
            return tuple(comparable(part, inside) for part in node)
        fields = zip(node._fields, node, strict=True)  # type: ignore[attr-defined]
        return (
            name,
            *(_pos(v, inside) if f == "pos" else comparable(v, inside) for f, v in fields),
        )
    return node


def _pos(pos: ir.Pos, inside: bool) -> ir.Pos:
    return (0, 0, 0, 0) if inside and sys.version_info < (3, 12) else pos


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


class _Converter:
    def __init__(self, text: str, table: symtable.SymbolTable, twins: dict[int, int]) -> None:
        self.twins = twins  # from a function's id to its line in the table's text
        self.lines = [line.encode() for line in text.split("\n")]
        self.classes: list[str] = []
        self.tables: dict[tuple[str, int], list[symtable.Function]] = {}
        self._collect(table)

    def _collect(self, table: symtable.SymbolTable) -> None:
        for child in table.get_children():
            if isinstance(child, symtable.Function) and ".0" not in child.get_parameters():
                self.tables.setdefault((child.get_name(), child.get_lineno()), []).append(child)
            self._collect(child)

    # -- helpers

    def pos(self, node: Any) -> ir.Pos:
        def column(line: int, col: int) -> int:
            return len(self.lines[line - 1][:col].decode())

        return (
            node.lineno,
            column(node.lineno, node.col_offset),
            node.end_lineno,
            column(node.end_lineno, node.end_col_offset),
        )

    def op(self, node: Any) -> str:
        return OPERATORS[type(node).__name__]

    def many(self, nodes: Any) -> tuple[Any, ...]:
        return tuple(self.one(node) for node in nodes)

    def one(self, node: Any) -> Any:
        return None if node is None else getattr(self, type(node).__name__)(node)

    def documented(self, body: list[ast.stmt]) -> tuple[tuple[ir.Stmt, ...], str | None]:
        if body and isinstance(body[0], ast.Expr):
            value = body[0].value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                return self.many(body[1:]), value.value
        return self.many(body), None

    # -- expressions

    def Constant(self, n: Any) -> Any:
        return ir.Const(self.pos(n), n.value)

    def Name(self, n: Any) -> Any:
        return ir.Name(self.pos(n), n.id)

    def Attribute(self, n: Any) -> Any:
        return ir.Attr(self.pos(n), self.one(n.value), n.attr)

    def Subscript(self, n: Any) -> Any:
        return ir.Subscript(self.pos(n), self.one(n.value), self.one(n.slice))

    def Slice(self, n: Any) -> Any:
        return ir.Slice(self.pos(n), self.one(n.lower), self.one(n.upper), self.one(n.step))

    def keyword(self, n: Any) -> Any:
        return ir.Keyword(n.arg, self.one(n.value))

    def Call(self, n: Any) -> Any:
        return ir.Call(self.pos(n), self.one(n.func), self.many(n.args), self.many(n.keywords))

    def BinOp(self, n: Any) -> Any:
        return ir.BinOp(self.pos(n), self.op(n.op), self.one(n.left), self.one(n.right))

    def UnaryOp(self, n: Any) -> Any:
        return ir.UnaryOp(self.pos(n), self.op(n.op), self.one(n.operand))

    def BoolOp(self, n: Any) -> Any:
        return ir.BoolOp(self.pos(n), self.op(n.op), self.many(n.values))

    def Compare(self, n: Any) -> Any:
        ops = tuple(self.op(op) for op in n.ops)
        return ir.Compare(self.pos(n), self.one(n.left), ops, self.many(n.comparators))

    def IfExp(self, n: Any) -> Any:
        return ir.IfExp(self.pos(n), self.one(n.test), self.one(n.body), self.one(n.orelse))

    def Lambda(self, n: Any) -> Any:
        return ir.Lambda(self.pos(n), self.arguments(n.args), self.one(n.body))

    def Tuple(self, n: Any) -> Any:
        return ir.Tuple(self.pos(n), self.many(n.elts))

    def List(self, n: Any) -> Any:
        return ir.List(self.pos(n), self.many(n.elts))

    def Set(self, n: Any) -> Any:
        return ir.Set(self.pos(n), self.many(n.elts))

    def Dict(self, n: Any) -> Any:
        keys = [self.one(key) for key in n.keys]
        return ir.Dict(self.pos(n), tuple(zip(keys, self.many(n.values), strict=True)))

    def comprehension(self, n: Any) -> Any:
        ifs = self.many(n.ifs)
        return ir.CompFor(self.one(n.target), self.one(n.iter), ifs, bool(n.is_async))

    def comp(self, n: Any, kind: str, elt: Any, value: Any) -> Any:
        generators = self.many(n.generators)
        return ir.Comp(self.pos(n), kind, self.one(elt), self.one(value), generators)

    def ListComp(self, n: Any) -> Any:
        return self.comp(n, "list", n.elt, None)

    def SetComp(self, n: Any) -> Any:
        return self.comp(n, "set", n.elt, None)

    def GeneratorExp(self, n: Any) -> Any:
        return self.comp(n, "gen", n.elt, None)

    def DictComp(self, n: Any) -> Any:
        return self.comp(n, "dict", n.key, n.value)

    def Await(self, n: Any) -> Any:
        return ir.Await(self.pos(n), self.one(n.value))

    def Yield(self, n: Any) -> Any:
        return ir.Yield(self.pos(n), self.one(n.value))

    def YieldFrom(self, n: Any) -> Any:
        return ir.YieldFrom(self.pos(n), self.one(n.value))

    def FormattedValue(self, n: Any) -> Any:
        conversion = "" if n.conversion == -1 else chr(n.conversion)
        spec = self.one(n.format_spec)
        return ir.FormattedValue(self.pos(n), self.one(n.value), conversion, spec, "")

    def JoinedStr(self, n: Any) -> Any:
        parts = tuple(
            part.value if isinstance(part, ast.Constant) else self.one(part) for part in n.values
        )
        return ir.JoinedStr(self.pos(n), parts)

    def NamedExpr(self, n: Any) -> Any:
        return ir.NamedExpr(self.pos(n), self.one(n.target), self.one(n.value))

    def Starred(self, n: Any) -> Any:
        return ir.Starred(self.pos(n), self.one(n.value))

    # -- parameters

    def arg(self, n: Any, default: Any = None) -> Any:
        return ir.Param(n.arg, self.one(n.annotation), self.one(default))

    def arguments(self, n: Any) -> Any:
        plain = [*n.posonlyargs, *n.args]
        defaults = [None] * (len(plain) - len(n.defaults)) + n.defaults
        lowered = tuple(self.arg(a, d) for a, d in zip(plain, defaults, strict=True))
        split = len(n.posonlyargs)
        return ir.Params(
            lowered[:split],
            lowered[split:],
            self.one(n.vararg),
            tuple(self.arg(a, d) for a, d in zip(n.kwonlyargs, n.kw_defaults, strict=True)),
            self.one(n.kwarg),
        )

    # -- simple statements

    def Expr(self, n: Any) -> Any:
        return ir.ExprStmt(self.pos(n), self.one(n.value))

    def Assign(self, n: Any) -> Any:
        return ir.Assign(self.pos(n), self.many(n.targets), self.one(n.value))

    def AugAssign(self, n: Any) -> Any:
        return ir.AugAssign(self.pos(n), self.one(n.target), self.op(n.op), self.one(n.value))

    def AnnAssign(self, n: Any) -> Any:
        target, annotation = self.one(n.target), self.one(n.annotation)
        return ir.AnnAssign(self.pos(n), target, annotation, self.one(n.value))

    def Return(self, n: Any) -> Any:
        return ir.Return(self.pos(n), self.one(n.value))

    def Raise(self, n: Any) -> Any:
        return ir.Raise(self.pos(n), self.one(n.exc), self.one(n.cause))

    def Assert(self, n: Any) -> Any:
        return ir.Assert(self.pos(n), self.one(n.test), self.one(n.msg))

    def alias(self, n: Any) -> Any:
        return ir.Alias(n.name, n.asname)

    def Import(self, n: Any) -> Any:
        return ir.Import(self.pos(n), self.many(n.names))

    def ImportFrom(self, n: Any) -> Any:
        return ir.ImportFrom(self.pos(n), n.module or "", self.many(n.names), n.level)

    def Global(self, n: Any) -> Any:
        return ir.Global(self.pos(n), tuple(n.names))

    def Nonlocal(self, n: Any) -> Any:
        return ir.Nonlocal(self.pos(n), tuple(n.names))

    def Pass(self, n: Any) -> Any:
        return ir.Pass(self.pos(n))

    def Break(self, n: Any) -> Any:
        return ir.Break(self.pos(n))

    def Continue(self, n: Any) -> Any:
        return ir.Continue(self.pos(n))

    def Delete(self, n: Any) -> Any:
        return ir.Delete(self.pos(n), self.many(n.targets))

    def TypeAlias(self, n: Any) -> Any:
        return ir.TypeAliasStmt(self.pos(n), n.name.id, self.one(n.value))

    # -- compound statements

    def If(self, n: Any) -> Any:
        return ir.If(self.pos(n), self.one(n.test), self.many(n.body), self.many(n.orelse))

    def While(self, n: Any) -> Any:
        return ir.While(self.pos(n), self.one(n.test), self.many(n.body), self.many(n.orelse))

    def For(self, n: Any) -> Any:
        target, source = self.one(n.target), self.one(n.iter)
        body, orelse = self.many(n.body), self.many(n.orelse)
        return ir.For(self.pos(n), target, source, body, orelse, isinstance(n, ast.AsyncFor))

    AsyncFor = For

    def withitem(self, n: Any) -> Any:
        return ir.WithItem(self.one(n.context_expr), self.one(n.optional_vars))

    def With(self, n: Any) -> Any:
        items, body = self.many(n.items), self.many(n.body)
        return ir.With(self.pos(n), items, body, isinstance(n, ast.AsyncWith))

    AsyncWith = With

    def ExceptHandler(self, n: Any) -> Any:
        return ir.Handler(self.pos(n), self.one(n.type), n.name, self.many(n.body))

    def Try(self, n: Any) -> Any:
        return ir.Try(
            self.pos(n),
            self.many(n.body),
            self.many(n.handlers),
            self.many(n.orelse),
            self.many(n.finalbody),
            type(n).__name__ == "TryStar",
        )

    TryStar = Try

    def FunctionDef(self, n: Any) -> Any:
        decorators, params = self.many(n.decorator_list), self.arguments(n.args)
        returns = self.one(n.returns)
        table = self.tables[n.name, self.twins[id(n)]].pop(0)
        body, doc = self.documented(n.body)
        return ir.FunctionDef(
            self.pos(n),
            n.name,
            params,
            body,
            decorators,
            returns,
            isinstance(n, ast.AsyncFunctionDef),
            self.scope(table, n),
            doc,
        )

    AsyncFunctionDef = FunctionDef

    def scope(self, table: symtable.Function, n: Any) -> ir.Scope:
        symbols = table.get_symbols()
        return ir.Scope(
            tuple(sorted(map(self.unmangled, table.get_locals()))),
            tuple(sorted(self.unmangled(s.get_name()) for s in symbols if s.is_declared_global())),
            tuple(sorted(map(self.unmangled, table.get_nonlocals()))),
            any(_yields(stmt) for stmt in n.body),
        )

    def unmangled(self, name: str) -> str:
        if self.classes and not name.endswith("__"):
            prefix = "_" + self.classes[-1].lstrip("_")
            if name.startswith(prefix + "__"):
                return name[len(prefix) :]
        return name

    def ClassDef(self, n: Any) -> Any:
        decorators, bases = self.many(n.decorator_list), self.many(n.bases)
        keywords = self.many(n.keywords)
        self.classes.append(n.name)
        body, doc = self.documented(n.body)
        self.classes.pop()
        return ir.ClassDef(self.pos(n), n.name, bases, keywords, body, decorators, doc)

    # -- match

    def match_case(self, n: Any) -> Any:
        return ir.Case(self.one(n.pattern), self.one(n.guard), self.many(n.body))

    def Match(self, n: Any) -> Any:
        return ir.Match(self.pos(n), self.one(n.subject), self.many(n.cases))

    def MatchValue(self, n: Any) -> Any:
        return ir.MatchValue(self.pos(n), self.one(n.value))

    def MatchSingleton(self, n: Any) -> Any:
        return ir.MatchSingleton(self.pos(n), n.value)

    def MatchSequence(self, n: Any) -> Any:
        return ir.MatchSequence(self.pos(n), self.many(n.patterns))

    def MatchStar(self, n: Any) -> Any:
        return ir.MatchStar(self.pos(n), n.name)

    def MatchMapping(self, n: Any) -> Any:
        return ir.MatchMapping(self.pos(n), self.many(n.keys), self.many(n.patterns), n.rest)

    def MatchClass(self, n: Any) -> Any:
        patterns, kwd_patterns = self.many(n.patterns), self.many(n.kwd_patterns)
        attrs = tuple(n.kwd_attrs)
        return ir.MatchClass(self.pos(n), self.one(n.cls), patterns, attrs, kwd_patterns)

    def MatchAs(self, n: Any) -> Any:
        return ir.MatchAs(self.pos(n), self.one(n.pattern), n.name)

    def MatchOr(self, n: Any) -> Any:
        return ir.MatchOr(self.pos(n), self.many(n.patterns))


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
