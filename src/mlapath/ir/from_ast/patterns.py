"""``match`` patterns to IR patterns."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from mlapath.ir import patterns
from mlapath.ir.errors import LoweringError
from mlapath.ir.from_ast.context import Context
from mlapath.ir.from_ast.expressions import expression, expressions


def pattern(node: Any, ctx: Context) -> patterns.Pattern:
    """Lower any pattern and bind the names it captures."""
    lower = _LOWER.get(type(node))
    if lower is None:
        raise LoweringError(node.lineno, f"no lowering for {type(node).__name__}")
    return lower(node, ctx)


def _patterns(nodes: Iterable[ast.pattern], ctx: Context) -> tuple[patterns.Pattern, ...]:
    return tuple([pattern(node, ctx) for node in nodes])


def _capture(name: str | None, ctx: Context) -> str | None:
    if name is not None:
        ctx.scope.bound.add(name)
    return name


def _value(node: ast.MatchValue, ctx: Context) -> patterns.Pattern:
    return patterns.MatchValue(ctx.pos(node), expression(node.value, ctx))


def _singleton(node: ast.MatchSingleton, ctx: Context) -> patterns.Pattern:
    return patterns.MatchSingleton(ctx.pos(node), node.value)


def _sequence(node: ast.MatchSequence, ctx: Context) -> patterns.Pattern:
    return patterns.MatchSequence(ctx.pos(node), _patterns(node.patterns, ctx))


def _star(node: ast.MatchStar, ctx: Context) -> patterns.Pattern:
    return patterns.MatchStar(ctx.pos(node), _capture(node.name, ctx))


def _mapping(node: ast.MatchMapping, ctx: Context) -> patterns.Pattern:
    return patterns.MatchMapping(
        ctx.pos(node),
        expressions(node.keys, ctx),
        _patterns(node.patterns, ctx),
        _capture(node.rest, ctx),
    )


def _class(node: ast.MatchClass, ctx: Context) -> patterns.Pattern:
    return patterns.MatchClass(
        ctx.pos(node),
        expression(node.cls, ctx),
        _patterns(node.patterns, ctx),
        tuple(node.kwd_attrs),
        _patterns(node.kwd_patterns, ctx),
    )


def _as(node: ast.MatchAs, ctx: Context) -> patterns.Pattern:
    inner = None if node.pattern is None else pattern(node.pattern, ctx)
    return patterns.MatchAs(ctx.pos(node), inner, _capture(node.name, ctx))


def _or(node: ast.MatchOr, ctx: Context) -> patterns.Pattern:
    return patterns.MatchOr(ctx.pos(node), _patterns(node.patterns, ctx))


_LOWER: dict[type[Any], Callable[[Any, Context], patterns.Pattern]] = {
    ast.MatchValue: _value,
    ast.MatchSingleton: _singleton,
    ast.MatchSequence: _sequence,
    ast.MatchStar: _star,
    ast.MatchMapping: _mapping,
    ast.MatchClass: _class,
    ast.MatchAs: _as,
    ast.MatchOr: _or,
}
