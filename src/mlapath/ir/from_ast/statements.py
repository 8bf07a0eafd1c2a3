"""``ast`` statements to IR statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from mlapath.ir import nodes as ir
from mlapath.ir.errors import LoweringError
from mlapath.ir.from_ast.arguments import keywords, parameters
from mlapath.ir.from_ast.context import OPERATORS, Context
from mlapath.ir.from_ast.expressions import expression, expressions, optional
from mlapath.ir.from_ast.patterns import pattern
from mlapath.ir.normal_form import without_docstring

Stmts = tuple[ir.Stmt, ...]


def statements(body: Iterable[ast.stmt], ctx: Context) -> Stmts:
    """Lower the statements of a block."""
    return tuple([_statement(node, ctx) for node in body])


def documented(body: Iterable[ast.stmt], ctx: Context) -> tuple[Stmts, str | None]:
    """The statements of a module, class or function without the docstring, and that."""
    return without_docstring(statements(body, ctx))


def _statement(node: ast.stmt, ctx: Context) -> ir.Stmt:
    lower = _LOWER.get(type(node))
    if lower is None:
        raise LoweringError(node.lineno, f"no lowering for {type(node).__name__}")
    return lower(node, ctx)


# -- simple statements ---------------------------------------------------------------------


def _expr(node: ast.Expr, ctx: Context) -> ir.Stmt:
    return ir.ExprStmt(ctx.pos(node), expression(node.value, ctx))


def _target(node: ast.expr, ctx: Context) -> ir.Expr:
    lowered = expression(node, ctx)
    ctx.scope.bind_target(lowered)
    return lowered


def _assign(node: ast.Assign, ctx: Context) -> ir.Stmt:
    targets = tuple([_target(target, ctx) for target in node.targets])
    return ir.Assign(ctx.pos(node), targets, expression(node.value, ctx))


def _aug_assign(node: ast.AugAssign, ctx: Context) -> ir.Stmt:
    target = _target(node.target, ctx)
    value = expression(node.value, ctx)
    return ir.AugAssign(ctx.pos(node), target, OPERATORS[type(node.op)], value)


def _ann_assign(node: ast.AnnAssign, ctx: Context) -> ir.Stmt:
    target = _target(node.target, ctx)  # ``x: int`` alone makes x local too
    annotation = expression(node.annotation, ctx)
    return ir.AnnAssign(ctx.pos(node), target, annotation, optional(node.value, ctx))


def _return(node: ast.Return, ctx: Context) -> ir.Stmt:
    return ir.Return(ctx.pos(node), optional(node.value, ctx))


def _raise(node: ast.Raise, ctx: Context) -> ir.Stmt:
    return ir.Raise(ctx.pos(node), optional(node.exc, ctx), optional(node.cause, ctx))


def _assert(node: ast.Assert, ctx: Context) -> ir.Stmt:
    return ir.Assert(ctx.pos(node), expression(node.test, ctx), optional(node.msg, ctx))


def _aliases(nodes: Iterable[ast.alias], ctx: Context) -> tuple[ir.Alias, ...]:
    aliases = tuple([ir.Alias(node.name, node.asname) for node in nodes])
    for alias in aliases:
        ctx.scope.bind_alias(alias)
    return aliases


def _import(node: ast.Import, ctx: Context) -> ir.Stmt:
    return ir.Import(ctx.pos(node), _aliases(node.names, ctx))


def _import_from(node: ast.ImportFrom, ctx: Context) -> ir.Stmt:
    aliases = _aliases(node.names, ctx)
    return ir.ImportFrom(ctx.pos(node), node.module or "", aliases, node.level)


def _global(node: ast.Global, ctx: Context) -> ir.Stmt:
    ctx.scope.globals.update(node.names)
    return ir.Global(ctx.pos(node), tuple(node.names))


def _nonlocal(node: ast.Nonlocal, ctx: Context) -> ir.Stmt:
    ctx.scope.nonlocals.update(node.names)
    return ir.Nonlocal(ctx.pos(node), tuple(node.names))


def _pass(node: ast.Pass, ctx: Context) -> ir.Stmt:
    return ir.Pass(ctx.pos(node))


def _break(node: ast.Break, ctx: Context) -> ir.Stmt:
    return ir.Break(ctx.pos(node))


def _continue(node: ast.Continue, ctx: Context) -> ir.Stmt:
    return ir.Continue(ctx.pos(node))


def _delete(node: ast.Delete, ctx: Context) -> ir.Stmt:
    return ir.Delete(ctx.pos(node), tuple([_target(target, ctx) for target in node.targets]))


def _type_alias(node: Any, ctx: Context) -> ir.Stmt:
    ctx.scope.bound.add(node.name.id)
    value = expression(node.value, ctx.nested())
    return ir.TypeAliasStmt(ctx.pos(node), node.name.id, value)


# -- compound statements -------------------------------------------------------------------


def _if(node: ast.If, ctx: Context) -> ir.Stmt:
    test = expression(node.test, ctx)
    body = statements(node.body, ctx)
    return ir.If(ctx.pos(node), test, body, statements(node.orelse, ctx))


def _while(node: ast.While, ctx: Context) -> ir.Stmt:
    test = expression(node.test, ctx)
    body = statements(node.body, ctx)
    return ir.While(ctx.pos(node), test, body, statements(node.orelse, ctx))


def _for(node: ast.For | ast.AsyncFor, ctx: Context) -> ir.Stmt:
    return ir.For(
        ctx.pos(node),
        _target(node.target, ctx),
        expression(node.iter, ctx),
        statements(node.body, ctx),
        statements(node.orelse, ctx),
        isinstance(node, ast.AsyncFor),
    )


def _with_item(node: ast.withitem, ctx: Context) -> ir.WithItem:
    context, target = expression(node.context_expr, ctx), node.optional_vars
    return ir.WithItem(context, None if target is None else _target(target, ctx))


def _with(node: ast.With | ast.AsyncWith, ctx: Context) -> ir.Stmt:
    items = tuple([_with_item(item, ctx) for item in node.items])
    body = statements(node.body, ctx)
    return ir.With(ctx.pos(node), items, body, isinstance(node, ast.AsyncWith))


def _handler(node: ast.ExceptHandler, ctx: Context) -> ir.Handler:
    if node.name is not None:
        ctx.scope.bound.add(node.name)
    caught = optional(node.type, ctx)
    return ir.Handler(ctx.pos(node), caught, node.name, statements(node.body, ctx))


def _try(node: Any, ctx: Context) -> ir.Stmt:
    return ir.Try(
        ctx.pos(node),
        statements(node.body, ctx),
        tuple([_handler(handler, ctx) for handler in node.handlers]),
        statements(node.orelse, ctx),
        statements(node.finalbody, ctx),
        type(node) is not ast.Try,
    )


def _match(node: ast.Match, ctx: Context) -> ir.Stmt:
    subject = expression(node.subject, ctx)
    cases = [
        ir.Case(
            pattern(case.pattern, ctx),
            optional(case.guard, ctx),
            statements(case.body, ctx),
        )
        for case in node.cases
    ]
    return ir.Match(ctx.pos(node), subject, tuple(cases))


# -- definitions ---------------------------------------------------------------------------


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef, ctx: Context) -> ir.Stmt:
    ctx.scope.bound.add(node.name)
    decorators = expressions(node.decorator_list, ctx)
    params = parameters(node.args, ctx, expression)
    returns = optional(node.returns, ctx)
    inner = ctx.nested()
    inner.scope.bind_params(params)
    body, doc = documented(node.body, inner)
    return ir.FunctionDef(
        ctx.pos(node),
        node.name,
        params,
        body,
        decorators,
        returns,
        isinstance(node, ast.AsyncFunctionDef),
        inner.scope.finish(),
        doc,
    )


def _class(node: ast.ClassDef, ctx: Context) -> ir.Stmt:
    ctx.scope.bound.add(node.name)
    decorators = expressions(node.decorator_list, ctx)
    bases = expressions(node.bases, ctx)
    named = keywords(node.keywords, ctx, expression)
    body, doc = documented(node.body, ctx.nested())
    return ir.ClassDef(ctx.pos(node), node.name, bases, named, body, decorators, doc)


_LOWER: dict[type[Any], Callable[[Any, Context], ir.Stmt]] = {
    ast.Expr: _expr,
    ast.Assign: _assign,
    ast.AugAssign: _aug_assign,
    ast.AnnAssign: _ann_assign,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
    ast.Pass: _pass,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Delete: _delete,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.Try: _try,
    ast.Match: _match,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
}
if hasattr(ast, "TryStar"):  # Python 3.11
    _LOWER[ast.TryStar] = _try
if hasattr(ast, "TypeAlias"):  # Python 3.12
    _LOWER[ast.TypeAlias] = _type_alias
