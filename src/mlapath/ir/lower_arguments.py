"""Call arguments and function parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import libcst as cst

from mlapath.ir import nodes as ir
from mlapath.ir.lower_context import Context
from mlapath.ir.lower_names import identifier
from mlapath.ir.lower_positions import paired

Lower: TypeAlias = Callable[[Any, Any, Context], ir.Expr]


def arguments(
    args: Iterable[cst.Arg], ref_args: Any, ref_keywords: Any, ctx: Context, lower: Lower
) -> tuple[tuple[ir.Expr, ...], tuple[ir.Keyword, ...]]:
    """Positional (with ``Starred``) and keyword arguments, each in source order."""
    positional: list[ir.Expr] = []
    keywords: list[ir.Keyword] = []
    next_arg, next_keyword = iter(ref_args), iter(ref_keywords)
    for arg in args:
        name = arg.keyword
        if name is not None:
            value = lower(arg.value, next(next_keyword).value, ctx)
            keywords.append(ir.Keyword(identifier(name.value), value))
        elif arg.star == "":
            positional.append(lower(arg.value, next(next_arg), ctx))
        elif arg.star == "*":
            ref = next(next_arg)
            value = lower(arg.value, ref.value, ctx)
            positional.append(ir.Starred(ctx.pos(arg, ref), value))
        else:
            keywords.append(ir.Keyword(None, lower(arg.value, next(next_keyword).value, ctx)))
    return tuple(positional), tuple(keywords)


def parameters(node: cst.Parameters, ref: Any, ctx: Context, lower: Lower) -> ir.Params:
    """The parameters; annotations and defaults are lowered in the enclosing scope ``ctx``."""
    defaults = iter(ref.defaults)

    def group(
        params: Sequence[cst.Param], refs: Any, ref_defaults: Any, dense: bool
    ) -> tuple[ir.Param, ...]:
        lowered = []
        for param, ref_param in paired(params, refs):
            default = None
            if param.default is not None:
                default = lower(param.default, next(ref_defaults), ctx)
            elif not dense:
                next(ref_defaults)
            lowered.append(_parameter(param, ref_param, default, ctx, lower))
        return tuple(lowered)

    star, double = node.star_arg, node.star_kwarg
    return ir.Params(
        posonly=group(node.posonly_params, ref.posonlyargs, defaults, True),
        args=group(node.params, ref.args, defaults, True),
        vararg=(
            _parameter(star, ref.vararg, None, ctx, lower) if isinstance(star, cst.Param) else None
        ),
        kwonly=group(node.kwonly_params, ref.kwonlyargs, iter(ref.kw_defaults), False),
        kwarg=None if double is None else _parameter(double, ref.kwarg, None, ctx, lower),
    )


def _parameter(
    node: cst.Param, ref: Any, default: ir.Expr | None, ctx: Context, lower: Lower
) -> ir.Param:
    note = node.annotation
    annotation = None if note is None else lower(note.annotation, ref.annotation, ctx)
    return ir.Param(identifier(node.name.value), annotation, default)
