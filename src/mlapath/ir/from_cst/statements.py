"""libcst statements to IR statements; same conventions as ``expressions``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.errors import LoweringError
from mlapath.ir.from_cst.arguments import arguments, parameters
from mlapath.ir.from_cst.context import Context
from mlapath.ir.from_cst.expressions import expression
from mlapath.ir.from_cst.names import BINARY, dotted, identifier
from mlapath.ir.from_cst.patterns import pattern
from mlapath.ir.normal_form import without_docstring

Stmts = tuple[ir.Stmt, ...]


def statements(body: Iterable[Any], ctx: Context) -> Stmts:
    """Lower the statements of a block; the lines of simple statements are flattened."""
    flat: list[Any] = []
    for node in body:
        if type(node) is cst.SimpleStatementLine:
            flat.extend(node.body)
        else:
            flat.append(node)
    return tuple(_statement(node, ctx) for node in flat)


def documented(body: Iterable[Any], ctx: Context) -> tuple[Stmts, str | None]:
    """The statements of a module, class or function without the docstring, and that."""
    return without_docstring(statements(body, ctx))


def _statement(node: Any, ctx: Context) -> ir.Stmt:
    lower = _LOWER.get(type(node))
    if lower is None:
        raise LoweringError(ctx.pos(node)[0], f"no lowering for {type(node).__name__}")
    return lower(node, ctx)


def _block(node: Any, ctx: Context) -> Stmts:
    return statements(node.body, ctx)


def _optional(node: Any, ctx: Context) -> ir.Expr | None:
    return None if node is None else expression(node, ctx)


def _else(node: cst.Else | cst.Finally | None, ctx: Context) -> Stmts:
    return () if node is None else _block(node.body, ctx)


# -- simple statements ---------------------------------------------------------------------


def _expr(node: cst.Expr, ctx: Context) -> ir.Stmt:
    return ir.ExprStmt(ctx.pos(node), expression(node.value, ctx))


def _target(node: Any, ctx: Context) -> ir.Expr:
    lowered = expression(node, ctx)
    ctx.scope.bind_target(lowered)
    return lowered


def _assign(node: cst.Assign, ctx: Context) -> ir.Stmt:
    targets = tuple(_target(t.target, ctx) for t in node.targets)
    return ir.Assign(ctx.pos(node), targets, expression(node.value, ctx))


def _aug_assign(node: cst.AugAssign, ctx: Context) -> ir.Stmt:
    target = _target(node.target, ctx)
    value = expression(node.value, ctx)
    return ir.AugAssign(ctx.pos(node), target, BINARY[type(node.operator)], value)


def _ann_assign(node: cst.AnnAssign, ctx: Context) -> ir.Stmt:
    target = _target(node.target, ctx)  # ``x: int`` alone makes x local too
    value = _optional(node.value, ctx)
    annotation = expression(node.annotation.annotation, ctx)
    return ir.AnnAssign(ctx.pos(node), target, annotation, value)


def _return(node: cst.Return, ctx: Context) -> ir.Stmt:
    return ir.Return(ctx.pos(node), _optional(node.value, ctx))


def _raise(node: cst.Raise, ctx: Context) -> ir.Stmt:
    cause = node.cause
    return ir.Raise(
        ctx.pos(node),
        _optional(node.exc, ctx),
        None if cause is None else expression(cause.item, ctx),
    )


def _assert(node: cst.Assert, ctx: Context) -> ir.Stmt:
    test = expression(node.test, ctx)
    return ir.Assert(ctx.pos(node), test, _optional(node.msg, ctx))


def _alias(node: cst.ImportAlias, ctx: Context) -> ir.Alias:
    asname = node.asname
    alias = ir.Alias(
        dotted(node.name),
        None if asname is None else identifier(cst.ensure_type(asname.name, cst.Name).value),
    )
    ctx.scope.bind_alias(alias)
    return alias


def _import(node: cst.Import, ctx: Context) -> ir.Stmt:
    return ir.Import(ctx.pos(node), tuple(_alias(name, ctx) for name in node.names))


def _import_from(node: cst.ImportFrom, ctx: Context) -> ir.Stmt:
    names = node.names
    if isinstance(names, cst.ImportStar):
        aliases: tuple[ir.Alias, ...] = (ir.Alias("*", None),)
    else:
        aliases = tuple(_alias(name, ctx) for name in names)
    module = "" if node.module is None else dotted(node.module)
    return ir.ImportFrom(ctx.pos(node), module, aliases, len(node.relative))


def _global(node: cst.Global, ctx: Context) -> ir.Stmt:
    names = tuple(identifier(item.name.value) for item in node.names)
    ctx.scope.globals.update(names)
    return ir.Global(ctx.pos(node), names)


def _nonlocal(node: cst.Nonlocal, ctx: Context) -> ir.Stmt:
    names = tuple(identifier(item.name.value) for item in node.names)
    ctx.scope.nonlocals.update(names)
    return ir.Nonlocal(ctx.pos(node), names)


def _pass(node: cst.Pass, ctx: Context) -> ir.Stmt:
    return ir.Pass(ctx.pos(node))


def _break(node: cst.Break, ctx: Context) -> ir.Stmt:
    return ir.Break(ctx.pos(node))


def _continue(node: cst.Continue, ctx: Context) -> ir.Stmt:
    return ir.Continue(ctx.pos(node))


def _del(node: cst.Del, ctx: Context) -> ir.Stmt:
    target = node.target
    if isinstance(target, cst.Tuple) and not target.lpar:
        parts: list[Any] = [element.value for element in target.elements]
    else:
        parts = [target]
    targets = tuple(_target(part, ctx) for part in parts)
    return ir.Delete(ctx.pos(node), targets)


def _type_alias(node: cst.TypeAlias, ctx: Context) -> ir.Stmt:
    name = identifier(node.name.value)
    ctx.scope.bound.add(name)
    value = expression(node.value, ctx.nested())
    return ir.TypeAliasStmt(ctx.pos(node), name, value)


# -- compound statements -------------------------------------------------------------------


def _if(node: cst.If, ctx: Context) -> ir.Stmt:
    test = expression(node.test, ctx)
    body = _block(node.body, ctx)
    rest = node.orelse
    orelse = (_if(rest, ctx),) if isinstance(rest, cst.If) else _else(rest, ctx)
    return ir.If(ctx.pos(node), test, body, orelse)


def _while(node: cst.While, ctx: Context) -> ir.Stmt:
    test = expression(node.test, ctx)
    body = _block(node.body, ctx)
    return ir.While(ctx.pos(node), test, body, _else(node.orelse, ctx))


def _for(node: cst.For, ctx: Context) -> ir.Stmt:
    target = _target(node.target, ctx)
    source = expression(node.iter, ctx)
    body = _block(node.body, ctx)
    orelse = _else(node.orelse, ctx)
    is_async = node.asynchronous is not None
    return ir.For(ctx.pos(node), target, source, body, orelse, is_async)


def _with(node: cst.With, ctx: Context) -> ir.Stmt:
    items = []
    for item in node.items:
        context = expression(item.item, ctx)
        asname = item.asname
        target = None if asname is None else _target(asname.name, ctx)
        items.append(ir.WithItem(context, target))
    body = _block(node.body, ctx)
    return ir.With(ctx.pos(node), tuple(items), body, node.asynchronous is not None)


def _handler(node: Any, ctx: Context) -> ir.Handler:
    caught = _optional(node.type, ctx)
    name = None
    if node.name is not None:
        name = identifier(cst.ensure_type(node.name.name, cst.Name).value)
        ctx.scope.bound.add(name)
    return ir.Handler(ctx.pos(node), caught, name, _block(node.body, ctx))


def _try(node: cst.Try | cst.TryStar, ctx: Context) -> ir.Stmt:
    return ir.Try(
        ctx.pos(node),
        _block(node.body, ctx),
        tuple(_handler(h, ctx) for h in node.handlers),
        _else(node.orelse, ctx),
        _else(node.finalbody, ctx),
        isinstance(node, cst.TryStar),
    )


def _match(node: cst.Match, ctx: Context) -> ir.Stmt:
    subject = expression(node.subject, ctx)
    cases = tuple(
        ir.Case(
            pattern(case.pattern, ctx),
            _optional(case.guard, ctx),
            _block(case.body, ctx),
        )
        for case in node.cases
    )
    return ir.Match(ctx.pos(node), subject, cases)


# -- definitions ---------------------------------------------------------------------------


def _decorators(node: Any, ctx: Context) -> tuple[ir.Expr, ...]:
    return tuple(expression(decorator.decorator, ctx) for decorator in node.decorators)


def _function(node: cst.FunctionDef, ctx: Context) -> ir.Stmt:
    name = identifier(node.name.value)
    ctx.scope.bound.add(name)
    decorators = _decorators(node, ctx)
    params = parameters(node.params, ctx, expression)
    note = node.returns
    returns = None if note is None else expression(note.annotation, ctx)
    inner = ctx.nested()
    inner.scope.bind_params(params)
    body, doc = documented(node.body.body, inner)
    return ir.FunctionDef(
        ctx.pos(node),
        name,
        params,
        body,
        decorators,
        returns,
        node.asynchronous is not None,
        inner.scope.finish(),
        doc,
    )


def _class(node: cst.ClassDef, ctx: Context) -> ir.Stmt:
    name = identifier(node.name.value)
    ctx.scope.bound.add(name)
    decorators = _decorators(node, ctx)
    args = (*node.bases, *node.keywords)
    bases, keywords = arguments(args, ctx, expression)
    body, doc = documented(node.body.body, ctx.nested())
    return ir.ClassDef(ctx.pos(node), name, bases, keywords, body, decorators, doc)


_LOWER: dict[type[cst.CSTNode], Callable[[Any, Context], ir.Stmt]] = {
    cst.Expr: _expr,
    cst.Assign: _assign,
    cst.AugAssign: _aug_assign,
    cst.AnnAssign: _ann_assign,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Import: _import,
    cst.ImportFrom: _import_from,
    cst.Global: _global,
    cst.Nonlocal: _nonlocal,
    cst.Pass: _pass,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.Del: _del,
    cst.TypeAlias: _type_alias,
    cst.If: _if,
    cst.While: _while,
    cst.For: _for,
    cst.With: _with,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.Match: _match,
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
}
