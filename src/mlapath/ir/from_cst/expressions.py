"""libcst expressions to IR expressions.

Each function takes the libcst node and the context; ``expression`` dispatches on the type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.from_cst.arguments import arguments, parameters
from mlapath.ir.from_cst.context import Context
from mlapath.ir.from_cst.literals import number_value, string_value
from mlapath.ir.from_cst.names import BINARY, COMPARE, UNARY, identifier
from mlapath.ir.from_cst.positions import first_to_last
from mlapath.ir.from_cst.strings import string

_SINGLETONS: dict[str, bool | None] = {"True": True, "False": False, "None": None}


def expression(node: Any, ctx: Context) -> ir.Expr:
    """Lower any expression; a kind this version does not know becomes ``Opaque``."""
    return _LOWER.get(type(node), _opaque)(node, ctx)


def _opaque(node: Any, ctx: Context) -> ir.Expr:
    return ir.Opaque(ctx.pos(node), f"syntax not modelled: {type(node).__name__}")


def _optional(node: Any, ctx: Context) -> ir.Expr | None:
    return None if node is None else _LOWER.get(type(node), _opaque)(node, ctx)


def _name(node: cst.Name, ctx: Context) -> ir.Expr:
    text = node.value
    if text in _SINGLETONS:
        return ir.Const(ctx.pos(node), _SINGLETONS[text])
    return ir.Name(ctx.pos(node), identifier(text))


def _attribute(node: cst.Attribute, ctx: Context) -> ir.Expr:
    value = expression(node.value, ctx)
    return ir.Attr(ctx.pos(node), value, identifier(node.attr.value))


def _number(node: cst.Integer | cst.Float | cst.Imaginary, ctx: Context) -> ir.Expr:
    pos = ctx.pos(node)
    return ir.Const(pos, number_value(node, pos[0]))


def _ellipsis(node: cst.Ellipsis, ctx: Context) -> ir.Expr:
    return ir.Const(ctx.pos(node), ...)


def _simple_string(node: cst.SimpleString, ctx: Context) -> ir.Expr:
    pos = ctx.pos(node)
    return ir.Const(pos, string_value(node.value, pos[0]))


def _string(node: cst.BaseString, ctx: Context) -> ir.Expr:
    return string(node, ctx, expression)


def _subscript(node: cst.Subscript, ctx: Context) -> ir.Expr:
    value = expression(node.value, ctx)
    elements = node.slice
    first = elements[0]
    lowered: ir.Expr
    if len(elements) == 1 and not isinstance(first.comma, cst.Comma) and not _starred(first):
        lowered = _element_of_slice(first, ctx)
    else:
        elts = tuple(_element_of_slice(e, ctx) for e in elements)
        lowered = ir.Tuple(first_to_last(elements, ctx.pos), elts)
    return ir.Subscript(ctx.pos(node), value, lowered)


def _starred(element: cst.SubscriptElement) -> bool:
    part = element.slice
    return isinstance(part, cst.Index) and bool(part.star)


def _element_of_slice(element: cst.SubscriptElement, ctx: Context) -> ir.Expr:
    part = element.slice
    if isinstance(part, cst.Index):
        if part.star:
            value = expression(part.value, ctx)
            return ir.Starred(ctx.pos(part), value)
        return expression(part.value, ctx)
    assert isinstance(part, cst.Slice)
    return ir.Slice(
        ctx.pos(part),
        _optional(part.lower, ctx),
        _optional(part.upper, ctx),
        _optional(part.step, ctx),
    )


def _call(node: cst.Call, ctx: Context) -> ir.Expr:
    func = expression(node.func, ctx)
    args, keywords = arguments(node.args, ctx, expression)
    args = _with_call_parens(node, args, ctx)
    return ir.Call(ctx.pos(node), func, args, keywords)


def _with_call_parens(
    node: cst.Call, args: tuple[ir.Expr, ...], ctx: Context
) -> tuple[ir.Expr, ...]:
    """A generator without its own parentheses takes the call's, as in ``ast``."""
    if not node.args:
        return args
    sole = node.args[0].value
    if not isinstance(sole, cst.GeneratorExp) or sole.lpar:
        return args
    line, col = ctx.pos(node.whitespace_before_args)[:2]
    return (args[0]._replace(pos=(line, col - 1, *ctx.pos(node)[2:])),)


def _binary(node: cst.BinaryOperation, ctx: Context) -> ir.Expr:
    left = expression(node.left, ctx)
    right = expression(node.right, ctx)
    return ir.BinOp(ctx.pos(node), BINARY[type(node.operator)], left, right)


def _unary(node: cst.UnaryOperation, ctx: Context) -> ir.Expr:
    operand = expression(node.expression, ctx)
    return ir.UnaryOp(ctx.pos(node), UNARY[type(node.operator)], operand)


def _boolean(node: cst.BooleanOperation, ctx: Context) -> ir.Expr:
    kind = type(node.operator)
    operands = [node.right]
    left = node.left
    # ``a and b and c`` nests to the left in libcst; parentheses keep it nested.
    while isinstance(left, cst.BooleanOperation) and type(left.operator) is kind and not left.lpar:
        operands.append(left.right)
        left = left.left
    operands.append(left)
    values = tuple(expression(o, ctx) for o in operands[::-1])
    return ir.BoolOp(ctx.pos(node), "and" if kind is cst.And else "or", values)


def _comparison(node: cst.Comparison, ctx: Context) -> ir.Expr:
    left = expression(node.left, ctx)
    targets = node.comparisons
    comparators = tuple(expression(target.comparator, ctx) for target in targets)
    ops = tuple(COMPARE[type(target.operator)] for target in targets)
    return ir.Compare(ctx.pos(node), left, ops, comparators)


def _conditional(node: cst.IfExp, ctx: Context) -> ir.Expr:
    return ir.IfExp(
        ctx.pos(node),
        expression(node.test, ctx),
        expression(node.body, ctx),
        expression(node.orelse, ctx),
    )


def _lambda(node: cst.Lambda, ctx: Context) -> ir.Expr:
    params = parameters(node.params, ctx, expression)
    body = expression(node.body, ctx.nested())
    return ir.Lambda(ctx.pos(node), params, body)


def _elements(elements: Any, ctx: Context) -> tuple[ir.Expr, ...]:
    return tuple(
        _star_element(e, ctx) if type(e) is cst.StarredElement else expression(e.value, ctx)
        for e in elements
    )


def _star_element(node: cst.StarredElement, ctx: Context) -> ir.Expr:
    return ir.Starred(ctx.pos(node), expression(node.value, ctx))


def _tuple(node: cst.Tuple, ctx: Context) -> ir.Expr:
    return ir.Tuple(ctx.pos(node), _elements(node.elements, ctx))


def _list(node: cst.List, ctx: Context) -> ir.Expr:
    return ir.List(ctx.pos(node), _elements(node.elements, ctx))


def _set(node: cst.Set, ctx: Context) -> ir.Expr:
    return ir.Set(ctx.pos(node), _elements(node.elements, ctx))


def _dict(node: cst.Dict, ctx: Context) -> ir.Expr:
    elements = node.elements
    keys = [expression(e.key, ctx) if isinstance(e, cst.DictElement) else None for e in elements]
    values = [expression(e.value, ctx) for e in elements]
    return ir.Dict(ctx.pos(node), tuple(zip(keys, values, strict=True)))


def _generators(node: cst.CompFor | None, ctx: Context) -> tuple[ir.CompFor, ...]:
    clauses = []
    while node is not None:
        clauses.append(node)
        node = node.inner_for_in
    return tuple(
        ir.CompFor(
            expression(clause.target, ctx),
            expression(clause.iter, ctx),
            tuple(expression(i.test, ctx) for i in clause.ifs),
            clause.asynchronous is not None,
        )
        for clause in clauses
    )


def _comprehension(node: cst.BaseSimpleComp, ctx: Context) -> ir.Expr:
    elt = node.elt
    if isinstance(elt, cst.StarredElement):  # PEP 798, Python 3.15
        return _opaque(node, ctx)
    return ir.Comp(
        ctx.pos(node),
        _COMP_KINDS[type(node)],
        expression(elt, ctx),
        None,
        _generators(node.for_in, ctx),
    )


_COMP_KINDS = {cst.ListComp: "list", cst.SetComp: "set", cst.GeneratorExp: "gen"}


def _dict_comprehension(node: cst.DictComp, ctx: Context) -> ir.Expr:
    return ir.Comp(
        ctx.pos(node),
        "dict",
        expression(node.key, ctx),
        expression(node.value, ctx),
        _generators(node.for_in, ctx),
    )


def _await(node: cst.Await, ctx: Context) -> ir.Expr:
    return ir.Await(ctx.pos(node), expression(node.expression, ctx))


def _yield(node: cst.Yield, ctx: Context) -> ir.Expr:
    ctx.scope.is_generator = True
    value = node.value
    if isinstance(value, cst.From):
        return ir.YieldFrom(ctx.pos(node), expression(value.item, ctx))
    return ir.Yield(ctx.pos(node), _optional(value, ctx))


def _named(node: cst.NamedExpr, ctx: Context) -> ir.Expr:
    target = cst.ensure_type(node.target, cst.Name)
    name = ir.Name(ctx.pos(target), identifier(target.value))
    ctx.scope.bind_target(name)
    return ir.NamedExpr(ctx.pos(node), name, expression(node.value, ctx))


_LOWER: dict[type[cst.CSTNode], Callable[[Any, Context], ir.Expr]] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Integer: _number,
    cst.Float: _number,
    cst.Imaginary: _number,
    cst.Ellipsis: _ellipsis,
    cst.SimpleString: _simple_string,
    cst.FormattedString: _string,
    cst.ConcatenatedString: _string,
    cst.TemplatedString: _string,
    cst.Subscript: _subscript,
    cst.Call: _call,
    cst.BinaryOperation: _binary,
    cst.UnaryOperation: _unary,
    cst.BooleanOperation: _boolean,
    cst.Comparison: _comparison,
    cst.IfExp: _conditional,
    cst.Lambda: _lambda,
    cst.StarredElement: _star_element,
    cst.Tuple: _tuple,
    cst.List: _list,
    cst.Set: _set,
    cst.Dict: _dict,
    cst.ListComp: _comprehension,
    cst.SetComp: _comprehension,
    cst.GeneratorExp: _comprehension,
    cst.DictComp: _dict_comprehension,
    cst.Await: _await,
    cst.Yield: _yield,
    cst.NamedExpr: _named,
}
