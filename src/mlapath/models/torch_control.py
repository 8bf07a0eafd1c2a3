"""Higher-order operators of torch that choose between functions of the program."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, argument
from mlapath.values.truth import Truth
from mlapath.values.value import NONE, V


def cond(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``cond(predicate, true_fn, false_fn, operands)``: one of the functions, or either."""
    predicate = argument(args, kwargs, 0, "pred") or NONE
    chosen = [argument(args, kwargs, 1, "true_fn") or NONE,
              argument(args, kwargs, 2, "false_fn") or NONE]  # fmt: skip
    operands = argument(args, kwargs, 3, "operands") or V(())
    given = it.iterate(operands) or []
    truth = it.truth(predicate)
    if truth is not Truth.UNKNOWN:
        chosen = chosen[:1] if truth is Truth.TRUE else chosen[1:]
    joined: V = it.each(chosen, lambda f: it.call(f, list(given), {}))
    return joined


FUNCTIONS: dict[str, Fn] = {"torch.cond": cond, "torch._higher_order_ops.cond.cond": cond}
