"""Keyword arguments and function parameters."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from mlapath.ir import nodes as ir
from mlapath.ir.from_ast.context import Context

Lower: TypeAlias = Callable[[Any, Context], ir.Expr]


def keywords(nodes: Iterable[ast.keyword], ctx: Context, lower: Lower) -> tuple[ir.Keyword, ...]:
    """Keyword arguments, in source order."""
    return tuple([ir.Keyword(node.arg, lower(node.value, ctx)) for node in nodes])


def parameters(node: ast.arguments, ctx: Context, lower: Lower) -> ir.Params:
    """The parameters; annotations and defaults are lowered in the enclosing scope ``ctx``."""

    def one(arg: ast.arg, default: ast.expr | None) -> ir.Param:
        return ir.Param(
            arg.arg,
            None if arg.annotation is None else lower(arg.annotation, ctx),
            None if default is None else lower(default, ctx),
        )

    def sole(arg: ast.arg | None) -> ir.Param | None:
        return None if arg is None else one(arg, None)

    plain = [*node.posonlyargs, *node.args]
    # The last ones have the defaults.
    defaults = [None] * (len(plain) - len(node.defaults)) + node.defaults
    lowered = tuple([one(arg, default) for arg, default in zip(plain, defaults, strict=True)])
    split = len(node.posonlyargs)
    return ir.Params(
        posonly=lowered[:split],
        args=lowered[split:],
        vararg=sole(node.vararg),
        kwonly=tuple(
            [one(arg, d) for arg, d in zip(node.kwonlyargs, node.kw_defaults, strict=True)]
        ),
        kwarg=sole(node.kwarg),
    )
