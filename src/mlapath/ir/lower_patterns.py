"""``match`` patterns to IR patterns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.lower_context import Context, LoweringError
from mlapath.ir.lower_expressions import expression
from mlapath.ir.lower_names import identifier
from mlapath.ir.lower_positions import paired


def pattern(node: Any, ref: Any, ctx: Context) -> ir.Pattern:
    """Lower any pattern and bind the names it captures."""
    lower = _LOWER.get(type(node))
    if lower is None:
        raise LoweringError(ctx.pos(node, ref)[0], f"no lowering for {type(node).__name__}")
    return lower(node, ref, ctx)


def _capture(name: cst.Name | None, ctx: Context) -> str | None:
    if name is None:
        return None
    text = identifier(name.value)
    ctx.scope.bound.add(text)
    return text


def _value(node: cst.MatchValue, ref: Any, ctx: Context) -> ir.Pattern:
    return ir.MatchValue(ctx.pos(node, ref), expression(node.value, ref.value, ctx))


def _singleton(node: cst.MatchSingleton, ref: Any, ctx: Context) -> ir.Pattern:
    value = {"True": True, "False": False, "None": None}[node.value.value]
    return ir.MatchSingleton(ctx.pos(node, ref), value)


def _sequence(node: cst.MatchList | cst.MatchTuple, ref: Any, ctx: Context) -> ir.Pattern:
    patterns = tuple(
        _star(element, r, ctx)
        if isinstance(element, cst.MatchStar)
        else pattern(element.value, r, ctx)
        for element, r in paired(node.patterns, ref.patterns)
    )
    return ir.MatchSequence(ctx.pos(node, ref), patterns)


def _star(node: cst.MatchStar, ref: Any, ctx: Context) -> ir.Pattern:
    return ir.MatchStar(ctx.pos(node, ref), _capture(node.name, ctx))


def _mapping(node: cst.MatchMapping, ref: Any, ctx: Context) -> ir.Pattern:
    elements = node.elements
    return ir.MatchMapping(
        ctx.pos(node, ref),
        tuple(expression(e.key, r, ctx) for e, r in paired(elements, ref.keys)),
        tuple(pattern(e.pattern, r, ctx) for e, r in paired(elements, ref.patterns)),
        _capture(node.rest, ctx),
    )


def _class(node: cst.MatchClass, ref: Any, ctx: Context) -> ir.Pattern:
    return ir.MatchClass(
        ctx.pos(node, ref),
        expression(node.cls, ref.cls, ctx),
        tuple(pattern(e.value, r, ctx) for e, r in paired(node.patterns, ref.patterns)),
        tuple(identifier(e.key.value) for e in node.kwds),
        tuple(pattern(e.pattern, r, ctx) for e, r in paired(node.kwds, ref.kwd_patterns)),
    )


def _as(node: cst.MatchAs, ref: Any, ctx: Context) -> ir.Pattern:
    inner = node.pattern
    lowered = None if inner is None else pattern(inner, ref.pattern, ctx)
    return ir.MatchAs(ctx.pos(node, ref), lowered, _capture(node.name, ctx))


def _or(node: cst.MatchOr, ref: Any, ctx: Context) -> ir.Pattern:
    patterns = tuple(pattern(e.pattern, r, ctx) for e, r in paired(node.patterns, ref.patterns))
    return ir.MatchOr(ctx.pos(node, ref), patterns)


_LOWER: dict[type[cst.CSTNode], Callable[[Any, Any, Context], ir.Pattern]] = {
    cst.MatchValue: _value,
    cst.MatchSingleton: _singleton,
    cst.MatchList: _sequence,
    cst.MatchTuple: _sequence,
    cst.MatchStar: _star,
    cst.MatchMapping: _mapping,
    cst.MatchClass: _class,
    cst.MatchAs: _as,
    cst.MatchOr: _or,
}
