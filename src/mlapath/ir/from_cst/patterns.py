"""``match`` patterns to IR patterns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from mlapath.ir import patterns as p
from mlapath.ir.errors import LoweringError
from mlapath.ir.from_cst.context import Context
from mlapath.ir.from_cst.expressions import expression
from mlapath.ir.from_cst.names import identifier


def pattern(node: Any, ctx: Context) -> p.Pattern:
    """Lower any pattern and bind the names it captures."""
    lower = _LOWER.get(type(node))
    if lower is None:
        raise LoweringError(ctx.pos(node)[0], f"no lowering for {type(node).__name__}")
    return lower(node, ctx)


def _capture(name: cst.Name | None, ctx: Context) -> str | None:
    if name is None:
        return None
    text = identifier(name.value)
    ctx.scope.bound.add(text)
    return text


def _value(node: cst.MatchValue, ctx: Context) -> p.Pattern:
    return p.MatchValue(ctx.pos(node), expression(node.value, ctx))


def _singleton(node: cst.MatchSingleton, ctx: Context) -> p.Pattern:
    value = {"True": True, "False": False, "None": None}[node.value.value]
    return p.MatchSingleton(ctx.pos(node), value)


def _sequence(node: cst.MatchList | cst.MatchTuple, ctx: Context) -> p.Pattern:
    patterns = tuple(
        _star(element, ctx) if isinstance(element, cst.MatchStar) else pattern(element.value, ctx)
        for element in node.patterns
    )
    return p.MatchSequence(ctx.pos(node), patterns)


def _star(node: cst.MatchStar, ctx: Context) -> p.Pattern:
    return p.MatchStar(ctx.pos(node), _capture(node.name, ctx))


def _mapping(node: cst.MatchMapping, ctx: Context) -> p.Pattern:
    elements = node.elements
    return p.MatchMapping(
        ctx.pos(node),
        tuple(expression(e.key, ctx) for e in elements),
        tuple(pattern(e.pattern, ctx) for e in elements),
        _capture(node.rest, ctx),
    )


def _class(node: cst.MatchClass, ctx: Context) -> p.Pattern:
    return p.MatchClass(
        ctx.pos(node),
        expression(node.cls, ctx),
        tuple(pattern(e.value, ctx) for e in node.patterns),
        tuple(identifier(e.key.value) for e in node.kwds),
        tuple(pattern(e.pattern, ctx) for e in node.kwds),
    )


def _as(node: cst.MatchAs, ctx: Context) -> p.Pattern:
    inner = node.pattern
    lowered = None if inner is None else pattern(inner, ctx)
    return p.MatchAs(ctx.pos(node), lowered, _capture(node.name, ctx))


def _or(node: cst.MatchOr, ctx: Context) -> p.Pattern:
    patterns = tuple(pattern(e.pattern, ctx) for e in node.patterns)
    return p.MatchOr(ctx.pos(node), patterns)


_LOWER: dict[type[cst.CSTNode], Callable[[Any, Context], p.Pattern]] = {
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
