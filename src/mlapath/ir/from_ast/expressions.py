"""``ast`` expressions to IR expressions; ``expression`` dispatches on the node's type."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from mlapath.ir import nodes as ir
from mlapath.ir.from_ast.arguments import keywords, parameters
from mlapath.ir.from_ast.context import OPERATORS, Context
from mlapath.ir.from_ast.strings import joined_string


def expression(node: Any, ctx: Context) -> ir.Expr:
    """Lower any expression; a kind this version does not know becomes ``Opaque``."""
    return _LOWER.get(type(node), _opaque)(node, ctx)


def optional(node: Any, ctx: Context) -> ir.Expr | None:
    """Lower an expression that may be missing."""
    return None if node is None else _LOWER.get(type(node), _opaque)(node, ctx)


def expressions(nodes: Iterable[Any], ctx: Context) -> tuple[ir.Expr, ...]:
    """Lower one after the other."""
    return tuple([_LOWER.get(type(node), _opaque)(node, ctx) for node in nodes])


def _opaque(node: Any, ctx: Context) -> ir.Expr:
    return ir.Opaque(ctx.pos(node), f"syntax not modelled: {type(node).__name__}")


def _constant(node: ast.Constant, ctx: Context) -> ir.Expr:
    return ir.Const(ctx.pos(node), node.value)


def _name(node: ast.Name, ctx: Context) -> ir.Expr:
    return ir.Name(ctx.pos(node), node.id)


def _attribute(node: ast.Attribute, ctx: Context) -> ir.Expr:
    return ir.Attr(ctx.pos(node), expression(node.value, ctx), node.attr)


def _joined(node: ast.JoinedStr, ctx: Context) -> ir.Expr:
    return joined_string(node, ctx, expression)


def _template(node: Any, ctx: Context) -> ir.Expr:
    return ir.Opaque(ctx.pos(node), "template string")


def _subscript(node: ast.Subscript, ctx: Context) -> ir.Expr:
    value = expression(node.value, ctx)
    return ir.Subscript(ctx.pos(node), value, expression(node.slice, ctx))


def _slice(node: ast.Slice, ctx: Context) -> ir.Expr:
    return ir.Slice(
        ctx.pos(node),
        optional(node.lower, ctx),
        optional(node.upper, ctx),
        optional(node.step, ctx),
    )


def _call(node: ast.Call, ctx: Context) -> ir.Expr:
    return ir.Call(
        ctx.pos(node),
        expression(node.func, ctx),
        expressions(node.args, ctx),
        keywords(node.keywords, ctx, expression),
    )


def _binary(node: ast.BinOp, ctx: Context) -> ir.Expr:
    left = expression(node.left, ctx)
    return ir.BinOp(ctx.pos(node), OPERATORS[type(node.op)], left, expression(node.right, ctx))


def _unary(node: ast.UnaryOp, ctx: Context) -> ir.Expr:
    return ir.UnaryOp(ctx.pos(node), OPERATORS[type(node.op)], expression(node.operand, ctx))


def _boolean(node: ast.BoolOp, ctx: Context) -> ir.Expr:
    return ir.BoolOp(ctx.pos(node), OPERATORS[type(node.op)], expressions(node.values, ctx))


def _comparison(node: ast.Compare, ctx: Context) -> ir.Expr:
    left = expression(node.left, ctx)
    ops = tuple([OPERATORS[type(op)] for op in node.ops])
    return ir.Compare(ctx.pos(node), left, ops, expressions(node.comparators, ctx))


def _conditional(node: ast.IfExp, ctx: Context) -> ir.Expr:
    return ir.IfExp(
        ctx.pos(node),
        expression(node.test, ctx),
        expression(node.body, ctx),
        expression(node.orelse, ctx),
    )


def _lambda(node: ast.Lambda, ctx: Context) -> ir.Expr:
    params = parameters(node.args, ctx, expression)
    return ir.Lambda(ctx.pos(node), params, expression(node.body, ctx.nested()))


def _tuple(node: ast.Tuple, ctx: Context) -> ir.Expr:
    return ir.Tuple(ctx.pos(node), expressions(node.elts, ctx))


def _list(node: ast.List, ctx: Context) -> ir.Expr:
    return ir.List(ctx.pos(node), expressions(node.elts, ctx))


def _set(node: ast.Set, ctx: Context) -> ir.Expr:
    return ir.Set(ctx.pos(node), expressions(node.elts, ctx))


def _dict(node: ast.Dict, ctx: Context) -> ir.Expr:
    items = [
        (optional(key, ctx), expression(value, ctx))
        for key, value in zip(node.keys, node.values, strict=True)
    ]
    return ir.Dict(ctx.pos(node), tuple(items))


def _generators(nodes: Iterable[ast.comprehension], ctx: Context) -> tuple[ir.CompFor, ...]:
    return tuple(
        [
            ir.CompFor(
                expression(node.target, ctx),
                expression(node.iter, ctx),
                expressions(node.ifs, ctx),
                bool(node.is_async),
            )
            for node in nodes
        ]
    )


def _comprehension(node: Any, ctx: Context) -> ir.Expr:
    if isinstance(node.elt, ast.Starred):  # PEP 798, Python 3.15
        return _opaque(node, ctx)
    return ir.Comp(
        ctx.pos(node),
        _COMP_KINDS[type(node)],
        expression(node.elt, ctx),
        None,
        _generators(node.generators, ctx),
    )


_COMP_KINDS: dict[type[Any], str] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.GeneratorExp: "gen",
}


def _dict_comprehension(node: Any, ctx: Context) -> ir.Expr:
    if node.value is None:  # PEP 798, Python 3.15
        return _opaque(node, ctx)
    return ir.Comp(
        ctx.pos(node),
        "dict",
        expression(node.key, ctx),
        expression(node.value, ctx),
        _generators(node.generators, ctx),
    )


def _await(node: ast.Await, ctx: Context) -> ir.Expr:
    return ir.Await(ctx.pos(node), expression(node.value, ctx))


def _yield(node: ast.Yield, ctx: Context) -> ir.Expr:
    ctx.scope.is_generator = True
    return ir.Yield(ctx.pos(node), optional(node.value, ctx))


def _yield_from(node: ast.YieldFrom, ctx: Context) -> ir.Expr:
    ctx.scope.is_generator = True
    return ir.YieldFrom(ctx.pos(node), expression(node.value, ctx))


def _named(node: ast.NamedExpr, ctx: Context) -> ir.Expr:
    name = ir.Name(ctx.pos(node.target), node.target.id)
    ctx.scope.bind_target(name)
    return ir.NamedExpr(ctx.pos(node), name, expression(node.value, ctx))


def _starred(node: ast.Starred, ctx: Context) -> ir.Expr:
    return ir.Starred(ctx.pos(node), expression(node.value, ctx))


_LOWER: dict[type[Any], Callable[[Any, Context], ir.Expr]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.JoinedStr: _joined,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.Call: _call,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _comparison,
    ast.IfExp: _conditional,
    ast.Lambda: _lambda,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _dict_comprehension,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.NamedExpr: _named,
    ast.Starred: _starred,
}
if hasattr(ast, "TemplateStr"):  # Python 3.14
    _LOWER[ast.TemplateStr] = _template
