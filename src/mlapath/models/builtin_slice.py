"""``slice`` objects: their bounds, and ``indices``."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.value import Unknown, V


def _bound(name: str) -> Fn:
    return lambda it, args, kwargs: getattr(args[0].d, name)


def indices(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``indices(length)``: (start, stop, step)."""
    d = args[0].d
    try:
        cut = slice(to_py(d.lower), to_py(d.upper), to_py(d.step))
        return V(tuple(V(i) for i in cut.indices(to_py(args[1]))))
    except NotConcrete:
        return V(tuple(V(Unknown("a bound of a slice", "int")) for _ in range(3)))


PROPERTIES: dict[str, Fn] = {
    "start": _bound("lower"), "stop": _bound("upper"), "step": _bound("step"),
}  # fmt: skip
METHODS: dict[str, Fn] = {"indices": indices}
