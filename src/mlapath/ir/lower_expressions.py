"""libcst expressions to IR expressions.

Each function takes the libcst node, the ``ast`` node of the same text (or ABSENT) and the
context; ``expression`` dispatches on the node's type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.lower_arguments import arguments, parameters
from mlapath.ir.lower_context import Context
from mlapath.ir.lower_literals import number_value, string_value
from mlapath.ir.lower_names import BINARY, COMPARE, UNARY, identifier
from mlapath.ir.lower_positions import ABSENT, first_to_last, paired
from mlapath.ir.lower_strings import string

_SINGLETONS: dict[str, bool | None] = {"True": True, "False": False, "None": None}


def expression(node: Any, ref: Any, ctx: Context) -> ir.Expr:
    """Lower any expression; a kind this version does not know becomes ``Opaque``."""
    return _LOWER.get(type(node), _opaque)(node, ref, ctx)


def _opaque(node: Any, ref: Any, ctx: Context) -> ir.Expr:
    return ir.Opaque(ctx.pos(node, ref), f"syntax not modelled: {type(node).__name__}")


def _optional(node: Any, ref: Any, ctx: Context) -> ir.Expr | None:
    return None if node is None else _LOWER.get(type(node), _opaque)(node, ref, ctx)


def _name(node: cst.Name, ref: Any, ctx: Context) -> ir.Expr:
    text = node.value
    if text in _SINGLETONS:
        return ir.Const(ctx.pos(node, ref), _SINGLETONS[text])
    return ir.Name(ctx.pos(node, ref), identifier(text))


def _attribute(node: cst.Attribute, ref: Any, ctx: Context) -> ir.Expr:
    value = expression(node.value, ref.value, ctx)
    return ir.Attr(ctx.pos(node, ref), value, identifier(node.attr.value))


def _number(node: cst.Integer | cst.Float | cst.Imaginary, ref: Any, ctx: Context) -> ir.Expr:
    pos = ctx.pos(node, ref)
    return ir.Const(pos, number_value(node, pos[0]))


def _ellipsis(node: cst.Ellipsis, ref: Any, ctx: Context) -> ir.Expr:
    return ir.Const(ctx.pos(node, ref), ...)


def _simple_string(node: cst.SimpleString, ref: Any, ctx: Context) -> ir.Expr:
    pos = ctx.pos(node, ref)
    return ir.Const(pos, string_value(node.value, pos[0]))


def _string(node: cst.BaseString, ref: Any, ctx: Context) -> ir.Expr:
    return string(node, ref, ctx, expression)


def _subscript(node: cst.Subscript, ref: Any, ctx: Context) -> ir.Expr:
    value = expression(node.value, ref.value, ctx)
    elements = node.slice
    index = ref.slice
    first = elements[0]
    lowered: ir.Expr
    if len(elements) == 1 and not isinstance(first.comma, cst.Comma) and not _starred(first):
        lowered = _element_of_slice(first, index, ctx)
    else:
        elts = tuple(_element_of_slice(e, r, ctx) for e, r in paired(elements, index.elts))
        lowered = ir.Tuple(first_to_last(elements, index, ctx.pos), elts)
    return ir.Subscript(ctx.pos(node, ref), value, lowered)


def _starred(element: cst.SubscriptElement) -> bool:
    part = element.slice
    return isinstance(part, cst.Index) and bool(part.star)


def _element_of_slice(element: cst.SubscriptElement, ref: Any, ctx: Context) -> ir.Expr:
    part = element.slice
    if isinstance(part, cst.Index):
        if part.star:
            value = expression(part.value, ref.value, ctx)
            return ir.Starred(ctx.pos(part, ref), value)
        return expression(part.value, ref, ctx)
    assert isinstance(part, cst.Slice)
    return ir.Slice(
        ctx.pos(part, ref),
        _optional(part.lower, ref.lower, ctx),
        _optional(part.upper, ref.upper, ctx),
        _optional(part.step, ref.step, ctx),
    )


def _call(node: cst.Call, ref: Any, ctx: Context) -> ir.Expr:
    func = expression(node.func, ref.func, ctx)
    args, keywords = arguments(node.args, ref.args, ref.keywords, ctx, expression)
    if ref is ABSENT:
        args = _with_call_parens(node, args, ctx)
    return ir.Call(ctx.pos(node, ref), func, args, keywords)


def _with_call_parens(
    node: cst.Call, args: tuple[ir.Expr, ...], ctx: Context
) -> tuple[ir.Expr, ...]:
    """A generator without its own parentheses takes the call's, as in ``ast``."""
    if not node.args:
        return args
    sole = node.args[0].value
    if not isinstance(sole, cst.GeneratorExp) or sole.lpar:
        return args
    line, col = ctx.pos(node.whitespace_before_args, ABSENT)[:2]
    return (args[0]._replace(pos=(line, col - 1, *ctx.pos(node, ABSENT)[2:])),)


def _binary(node: cst.BinaryOperation, ref: Any, ctx: Context) -> ir.Expr:
    left = expression(node.left, ref.left, ctx)
    right = expression(node.right, ref.right, ctx)
    return ir.BinOp(ctx.pos(node, ref), BINARY[type(node.operator)], left, right)


def _unary(node: cst.UnaryOperation, ref: Any, ctx: Context) -> ir.Expr:
    operand = expression(node.expression, ref.operand, ctx)
    return ir.UnaryOp(ctx.pos(node, ref), UNARY[type(node.operator)], operand)


def _boolean(node: cst.BooleanOperation, ref: Any, ctx: Context) -> ir.Expr:
    kind = type(node.operator)
    operands = [node.right]
    left = node.left
    # ``a and b and c`` nests to the left in libcst; parentheses keep it nested.
    while isinstance(left, cst.BooleanOperation) and type(left.operator) is kind and not left.lpar:
        operands.append(left.right)
        left = left.left
    operands.append(left)
    values = tuple(expression(o, r, ctx) for o, r in paired(operands[::-1], ref.values))
    return ir.BoolOp(ctx.pos(node, ref), "and" if kind is cst.And else "or", values)


def _comparison(node: cst.Comparison, ref: Any, ctx: Context) -> ir.Expr:
    left = expression(node.left, ref.left, ctx)
    targets = node.comparisons
    comparators = tuple(
        expression(target.comparator, r, ctx) for target, r in paired(targets, ref.comparators)
    )
    ops = tuple(COMPARE[type(target.operator)] for target in targets)
    return ir.Compare(ctx.pos(node, ref), left, ops, comparators)


def _conditional(node: cst.IfExp, ref: Any, ctx: Context) -> ir.Expr:
    return ir.IfExp(
        ctx.pos(node, ref),
        expression(node.test, ref.test, ctx),
        expression(node.body, ref.body, ctx),
        expression(node.orelse, ref.orelse, ctx),
    )


def _lambda(node: cst.Lambda, ref: Any, ctx: Context) -> ir.Expr:
    params = parameters(node.params, ref.args, ctx, expression)
    body = expression(node.body, ref.body, ctx.nested())
    return ir.Lambda(ctx.pos(node, ref), params, body)


def _elements(elements: Any, refs: Any, ctx: Context) -> tuple[ir.Expr, ...]:
    return tuple(
        _star_element(e, r, ctx) if type(e) is cst.StarredElement else expression(e.value, r, ctx)
        for e, r in paired(elements, refs)
    )


def _star_element(node: cst.StarredElement, ref: Any, ctx: Context) -> ir.Expr:
    return ir.Starred(ctx.pos(node, ref), expression(node.value, ref.value, ctx))


def _tuple(node: cst.Tuple, ref: Any, ctx: Context) -> ir.Expr:
    return ir.Tuple(ctx.pos(node, ref), _elements(node.elements, ref.elts, ctx))


def _list(node: cst.List, ref: Any, ctx: Context) -> ir.Expr:
    return ir.List(ctx.pos(node, ref), _elements(node.elements, ref.elts, ctx))


def _set(node: cst.Set, ref: Any, ctx: Context) -> ir.Expr:
    return ir.Set(ctx.pos(node, ref), _elements(node.elements, ref.elts, ctx))


def _dict(node: cst.Dict, ref: Any, ctx: Context) -> ir.Expr:
    elements = node.elements
    keys = [
        expression(e.key, r, ctx) if isinstance(e, cst.DictElement) else None
        for e, r in paired(elements, ref.keys)
    ]
    values = [expression(e.value, r, ctx) for e, r in paired(elements, ref.values)]
    return ir.Dict(ctx.pos(node, ref), tuple(zip(keys, values, strict=True)))


def _generators(node: cst.CompFor | None, refs: Any, ctx: Context) -> tuple[ir.CompFor, ...]:
    clauses = []
    while node is not None:
        clauses.append(node)
        node = node.inner_for_in
    return tuple(
        ir.CompFor(
            expression(clause.target, ref.target, ctx),
            expression(clause.iter, ref.iter, ctx),
            tuple(expression(i.test, r, ctx) for i, r in paired(clause.ifs, ref.ifs)),
            clause.asynchronous is not None,
        )
        for clause, ref in paired(clauses, refs)
    )


def _comprehension(node: cst.BaseSimpleComp, ref: Any, ctx: Context) -> ir.Expr:
    elt = node.elt
    if isinstance(elt, cst.StarredElement):  # PEP 798, Python 3.15
        return _opaque(node, ref, ctx)
    return ir.Comp(
        ctx.pos(node, ref),
        _COMP_KINDS[type(node)],
        expression(elt, ref.elt, ctx),
        None,
        _generators(node.for_in, ref.generators, ctx),
    )


_COMP_KINDS = {cst.ListComp: "list", cst.SetComp: "set", cst.GeneratorExp: "gen"}


def _dict_comprehension(node: cst.DictComp, ref: Any, ctx: Context) -> ir.Expr:
    return ir.Comp(
        ctx.pos(node, ref),
        "dict",
        expression(node.key, ref.key, ctx),
        expression(node.value, ref.value, ctx),
        _generators(node.for_in, ref.generators, ctx),
    )


def _await(node: cst.Await, ref: Any, ctx: Context) -> ir.Expr:
    return ir.Await(ctx.pos(node, ref), expression(node.expression, ref.value, ctx))


def _yield(node: cst.Yield, ref: Any, ctx: Context) -> ir.Expr:
    ctx.scope.is_generator = True
    value = node.value
    if isinstance(value, cst.From):
        return ir.YieldFrom(ctx.pos(node, ref), expression(value.item, ref.value, ctx))
    return ir.Yield(ctx.pos(node, ref), _optional(value, ref.value, ctx))


def _named(node: cst.NamedExpr, ref: Any, ctx: Context) -> ir.Expr:
    target = cst.ensure_type(node.target, cst.Name)
    name = ir.Name(ctx.pos(target, ref.target), identifier(target.value))
    ctx.scope.bind_target(name)
    return ir.NamedExpr(ctx.pos(node, ref), name, expression(node.value, ref.value, ctx))


_LOWER: dict[type[cst.CSTNode], Callable[[Any, Any, Context], ir.Expr]] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Integer: _number,
    cst.Float: _number,
    cst.Imaginary: _number,
    cst.Ellipsis: _ellipsis,
    cst.SimpleString: _simple_string,
    cst.FormattedString: _string,
    cst.ConcatenatedString: _string,
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
