"""Call arguments and function parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.from_cst.context import Context
from mlapath.ir.from_cst.names import identifier

Lower: TypeAlias = Callable[[Any, Context], ir.Expr]


def arguments(
    args: Iterable[cst.Arg], ctx: Context, lower: Lower
) -> tuple[tuple[ir.Expr, ...], tuple[ir.Keyword, ...]]:
    """Positional (with ``Starred``) and keyword arguments, each in source order."""
    positional: list[ir.Expr] = []
    keywords: list[ir.Keyword] = []
    for arg in args:
        value = lower(arg.value, ctx)
        if arg.keyword is not None:
            keywords.append(ir.Keyword(identifier(arg.keyword.value), value))
        elif arg.star == "":
            positional.append(value)
        elif arg.star == "*":
            positional.append(ir.Starred(ctx.pos(arg), value))
        else:
            keywords.append(ir.Keyword(None, value))
    return tuple(positional), tuple(keywords)


def parameters(node: cst.Parameters, ctx: Context, lower: Lower) -> ir.Params:
    """The parameters; annotations and defaults are lowered in the enclosing scope ``ctx``."""

    def one(param: cst.Param) -> ir.Param:
        note, default = param.annotation, param.default
        return ir.Param(
            identifier(param.name.value),
            None if note is None else lower(note.annotation, ctx),
            None if default is None else lower(default, ctx),
        )

    def group(params: Sequence[cst.Param]) -> tuple[ir.Param, ...]:
        return tuple(one(param) for param in params)

    star, double = node.star_arg, node.star_kwarg
    return ir.Params(
        posonly=group(node.posonly_params),
        args=group(node.params),
        vararg=one(star) if isinstance(star, cst.Param) else None,
        kwonly=group(node.kwonly_params),
        kwarg=None if double is None else one(double),
    )
