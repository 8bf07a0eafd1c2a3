"""Layers that behave alike: one entry of the report for each kind."""

from __future__ import annotations

from typing import Any

from mlapath.app.evaluate import Layer
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.objects import ClassObj, FuncObj, Instance
from mlapath.values.value import External, Unknown, V

MAX_DEPTH = 3
VARYING = frozenset({"layer_name", "prefix", "layer_id", "layer_idx", "layer_index"})
"""Attributes that hold a layer's own name or number."""


def alike(one: Layer, other: Layer) -> bool:
    """Whether code cannot tell two layers apart, as far as three levels of attributes show."""
    names = (one.name, other.name)
    return (
        one.draft == other.draft
        and _alike(one.value, other.value, names, 0)
        and _alike(one.backend, other.backend, names, 1)
    )


def _alike(a: V | None, b: V | None, names: tuple[str, str], depth: int) -> bool:
    if a is None or b is None:
        return a is b
    x, y = a.d, b.d
    if x is y:
        return True
    if type(x) is not type(y):
        return False
    if type(x) is not Instance:
        return bool(_leaf(a, names[0]) == _leaf(b, names[1]))
    if depth >= MAX_DEPTH or x.cls is not y.cls:
        return bool(x.cls.full == y.cls.full) and depth >= MAX_DEPTH
    mine, yours = (d.attrs.keys() - VARYING for d in (x, y))
    return mine == yours and all(_alike(x.attrs[k], y.attrs[k], names, depth + 1) for k in mine)


def _leaf(value: V, name: str) -> Any:
    """What tells a value that is no instance from others, but for the layer's own name."""
    d = value.d
    if type(d) is ClassObj or type(d) is FuncObj:
        return d.full
    if type(d) is External:
        return d.name
    if type(d) is Unknown:
        return (d.hint, d.lo, d.hi)
    try:
        return repr(to_py(value)).replace(name, "<layer>")
    except NotConcrete:
        return None


def group(layers: list[Layer]) -> list[list[Layer]]:
    """The layers by kind, in the order of the model."""
    kinds: list[list[Layer]] = []
    for layer in layers:
        kind = next((found for found in kinds if alike(found[0], layer)), None)
        if kind is None:
            kinds.append(kind := [])
        kind.append(layer)
    return kinds
