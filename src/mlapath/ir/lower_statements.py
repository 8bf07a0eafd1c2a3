"""libcst statements to IR statements; same conventions as ``lower_expressions``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.lower_arguments import arguments, parameters
from mlapath.ir.lower_context import Context, LoweringError
from mlapath.ir.lower_expressions import expression
from mlapath.ir.lower_names import BINARY, dotted, identifier
from mlapath.ir.lower_patterns import pattern
from mlapath.ir.lower_positions import paired

Stmts = tuple[ir.Stmt, ...]


def statements(body: Iterable[Any], refs: Any, ctx: Context) -> Stmts:
    """Lower the statements of a block; the lines of simple statements are flattened."""
    flat: list[Any] = []
    for node in body:
        if type(node) is cst.SimpleStatementLine:
            flat.extend(node.body)
        else:
            flat.append(node)
    return tuple(_statement(node, ref, ctx) for node, ref in paired(flat, refs))


def documented(body: Iterable[Any], refs: Any, ctx: Context) -> tuple[Stmts, str | None]:
    """The statements of a module, class or function without the docstring, and that."""
    lowered = statements(body, refs, ctx)
    if lowered:
        first = lowered[0]
        if (
            isinstance(first, ir.ExprStmt)
            and isinstance(first.value, ir.Const)
            and isinstance(first.value.value, str)
        ):
            return lowered[1:], first.value.value
    return lowered, None


def _statement(node: Any, ref: Any, ctx: Context) -> ir.Stmt:
    lower = _LOWER.get(type(node))
    if lower is None:
        raise LoweringError(ctx.pos(node, ref)[0], f"no lowering for {type(node).__name__}")
    return lower(node, ref, ctx)


def _block(node: Any, refs: Any, ctx: Context) -> Stmts:
    return statements(node.body, refs, _inside(node, ctx))


def _inside(block: Any, ctx: Context) -> Context:
    """``ctx`` for an indented block or a one-line suite."""
    return ctx.indented(block.indent) if type(block) is cst.IndentedBlock else ctx


def _optional(node: Any, ref: Any, ctx: Context) -> ir.Expr | None:
    return None if node is None else expression(node, ref, ctx)


def _else(node: cst.Else | cst.Finally | None, refs: Any, ctx: Context) -> Stmts:
    return () if node is None else _block(node.body, refs, ctx)


# -- simple statements ---------------------------------------------------------------------


def _expr(node: cst.Expr, ref: Any, ctx: Context) -> ir.Stmt:
    return ir.ExprStmt(ctx.pos(node, ref), expression(node.value, ref.value, ctx))


def _target(node: Any, ref: Any, ctx: Context) -> ir.Expr:
    lowered = expression(node, ref, ctx)
    ctx.scope.bind_target(lowered)
    return lowered


def _assign(node: cst.Assign, ref: Any, ctx: Context) -> ir.Stmt:
    targets = tuple(_target(t.target, r, ctx) for t, r in paired(node.targets, ref.targets))
    return ir.Assign(ctx.pos(node, ref), targets, expression(node.value, ref.value, ctx))


def _aug_assign(node: cst.AugAssign, ref: Any, ctx: Context) -> ir.Stmt:
    target = _target(node.target, ref.target, ctx)
    value = expression(node.value, ref.value, ctx)
    return ir.AugAssign(ctx.pos(node, ref), target, BINARY[type(node.operator)], value)


def _ann_assign(node: cst.AnnAssign, ref: Any, ctx: Context) -> ir.Stmt:
    target = _target(node.target, ref.target, ctx)  # ``x: int`` alone makes x local too
    value = _optional(node.value, ref.value, ctx)
    annotation = expression(node.annotation.annotation, ref.annotation, ctx)
    return ir.AnnAssign(ctx.pos(node, ref), target, annotation, value)


def _return(node: cst.Return, ref: Any, ctx: Context) -> ir.Stmt:
    return ir.Return(ctx.pos(node, ref), _optional(node.value, ref.value, ctx))


def _raise(node: cst.Raise, ref: Any, ctx: Context) -> ir.Stmt:
    cause = node.cause
    return ir.Raise(
        ctx.pos(node, ref),
        _optional(node.exc, ref.exc, ctx),
        None if cause is None else expression(cause.item, ref.cause, ctx),
    )


def _assert(node: cst.Assert, ref: Any, ctx: Context) -> ir.Stmt:
    test = expression(node.test, ref.test, ctx)
    return ir.Assert(ctx.pos(node, ref), test, _optional(node.msg, ref.msg, ctx))


def _alias(node: cst.ImportAlias, ctx: Context) -> ir.Alias:
    asname = node.asname
    alias = ir.Alias(
        dotted(node.name),
        None if asname is None else identifier(cst.ensure_type(asname.name, cst.Name).value),
    )
    ctx.scope.bind_alias(alias)
    return alias


def _import(node: cst.Import, ref: Any, ctx: Context) -> ir.Stmt:
    return ir.Import(ctx.pos(node, ref), tuple(_alias(name, ctx) for name in node.names))


def _import_from(node: cst.ImportFrom, ref: Any, ctx: Context) -> ir.Stmt:
    names = node.names
    if isinstance(names, cst.ImportStar):
        aliases: tuple[ir.Alias, ...] = (ir.Alias("*", None),)
    else:
        aliases = tuple(_alias(name, ctx) for name in names)
    module = "" if node.module is None else dotted(node.module)
    return ir.ImportFrom(ctx.pos(node, ref), module, aliases, len(node.relative))


def _global(node: cst.Global, ref: Any, ctx: Context) -> ir.Stmt:
    names = tuple(identifier(item.name.value) for item in node.names)
    ctx.scope.globals.update(names)
    return ir.Global(ctx.pos(node, ref), names)


def _nonlocal(node: cst.Nonlocal, ref: Any, ctx: Context) -> ir.Stmt:
    names = tuple(identifier(item.name.value) for item in node.names)
    ctx.scope.nonlocals.update(names)
    return ir.Nonlocal(ctx.pos(node, ref), names)


def _pass(node: cst.Pass, ref: Any, ctx: Context) -> ir.Stmt:
    return ir.Pass(ctx.pos(node, ref))


def _break(node: cst.Break, ref: Any, ctx: Context) -> ir.Stmt:
    return ir.Break(ctx.pos(node, ref))


def _continue(node: cst.Continue, ref: Any, ctx: Context) -> ir.Stmt:
    return ir.Continue(ctx.pos(node, ref))


def _del(node: cst.Del, ref: Any, ctx: Context) -> ir.Stmt:
    target = node.target
    if isinstance(target, cst.Tuple) and not target.lpar:
        parts: list[Any] = [element.value for element in target.elements]
    else:
        parts = [target]
    targets = tuple(_target(part, r, ctx) for part, r in paired(parts, ref.targets))
    return ir.Delete(ctx.pos(node, ref), targets)


def _type_alias(node: cst.TypeAlias, ref: Any, ctx: Context) -> ir.Stmt:
    name = identifier(node.name.value)
    ctx.scope.bound.add(name)
    value = expression(node.value, ref.value, ctx.nested())
    return ir.TypeAliasStmt(ctx.pos(node, ref), name, value)


# -- compound statements -------------------------------------------------------------------


def _if(node: cst.If, ref: Any, ctx: Context) -> ir.Stmt:
    test = expression(node.test, ref.test, ctx)
    body = _block(node.body, ref.body, ctx)
    rest = node.orelse
    orelse: Stmts
    if isinstance(rest, cst.If):
        orelse = (_if(rest, ref.orelse[0], ctx),)
    else:
        orelse = _else(rest, ref.orelse, ctx)
    return ir.If(ctx.pos(node, ref), test, body, orelse)


def _while(node: cst.While, ref: Any, ctx: Context) -> ir.Stmt:
    test = expression(node.test, ref.test, ctx)
    body = _block(node.body, ref.body, ctx)
    return ir.While(ctx.pos(node, ref), test, body, _else(node.orelse, ref.orelse, ctx))


def _for(node: cst.For, ref: Any, ctx: Context) -> ir.Stmt:
    target = _target(node.target, ref.target, ctx)
    source = expression(node.iter, ref.iter, ctx)
    body = _block(node.body, ref.body, ctx)
    orelse = _else(node.orelse, ref.orelse, ctx)
    is_async = node.asynchronous is not None
    return ir.For(ctx.pos(node, ref), target, source, body, orelse, is_async)


def _with(node: cst.With, ref: Any, ctx: Context) -> ir.Stmt:
    items = []
    for item, r in paired(node.items, ref.items):
        context = expression(item.item, r.context_expr, ctx)
        asname = item.asname
        target = None if asname is None else _target(asname.name, r.optional_vars, ctx)
        items.append(ir.WithItem(context, target))
    body = _block(node.body, ref.body, ctx)
    return ir.With(ctx.pos(node, ref), tuple(items), body, node.asynchronous is not None)


def _handler(node: Any, ref: Any, ctx: Context) -> ir.Handler:
    caught = _optional(node.type, ref.type, ctx)
    name = None
    if node.name is not None:
        name = identifier(cst.ensure_type(node.name.name, cst.Name).value)
        ctx.scope.bound.add(name)
    return ir.Handler(ctx.pos(node, ref), caught, name, _block(node.body, ref.body, ctx))


def _try(node: cst.Try | cst.TryStar, ref: Any, ctx: Context) -> ir.Stmt:
    return ir.Try(
        ctx.pos(node, ref),
        _block(node.body, ref.body, ctx),
        tuple(_handler(h, r, ctx) for h, r in paired(node.handlers, ref.handlers)),
        _else(node.orelse, ref.orelse, ctx),
        _else(node.finalbody, ref.finalbody, ctx),
        isinstance(node, cst.TryStar),
    )


def _match(node: cst.Match, ref: Any, ctx: Context) -> ir.Stmt:
    subject = expression(node.subject, ref.subject, ctx)
    ctx = ctx.indented(node.indent)
    cases = tuple(
        ir.Case(
            pattern(case.pattern, r.pattern, ctx),
            _optional(case.guard, r.guard, ctx),
            _block(case.body, r.body, ctx),
        )
        for case, r in paired(node.cases, ref.cases)
    )
    return ir.Match(ctx.pos(node, ref), subject, cases)


# -- definitions ---------------------------------------------------------------------------


def _decorators(node: Any, ref: Any, ctx: Context) -> tuple[ir.Expr, ...]:
    return tuple(
        expression(decorator.decorator, r, ctx)
        for decorator, r in paired(node.decorators, ref.decorator_list)
    )


def _function(node: cst.FunctionDef, ref: Any, ctx: Context) -> ir.Stmt:
    name = identifier(node.name.value)
    ctx.scope.bound.add(name)
    decorators = _decorators(node, ref, ctx)
    params = parameters(node.params, ref.args, ctx, expression)
    note = node.returns
    returns = None if note is None else expression(note.annotation, ref.returns, ctx)
    inner = ctx.nested()
    inner.scope.bind_params(params)
    body, doc = documented(node.body.body, ref.body, _inside(node.body, inner))
    return ir.FunctionDef(
        ctx.pos(node, ref),
        name,
        params,
        body,
        decorators,
        returns,
        node.asynchronous is not None,
        inner.scope.finish(),
        doc,
    )


def _class(node: cst.ClassDef, ref: Any, ctx: Context) -> ir.Stmt:
    name = identifier(node.name.value)
    ctx.scope.bound.add(name)
    decorators = _decorators(node, ref, ctx)
    args = (*node.bases, *node.keywords)
    bases, keywords = arguments(args, ref.bases, ref.keywords, ctx, expression)
    body, doc = documented(node.body.body, ref.body, _inside(node.body, ctx.nested()))
    return ir.ClassDef(ctx.pos(node, ref), name, bases, keywords, body, decorators, doc)


_LOWER: dict[type[cst.CSTNode], Callable[[Any, Any, Context], ir.Stmt]] = {
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
