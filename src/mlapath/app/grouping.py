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


def signature(layer: Layer) -> Any:
    """Equal for layers that code cannot tell apart, as far as three levels of attributes show."""
    own = (_of(layer.value, layer.name, 0), _of(layer.backend, layer.name, 1))
    return (layer.draft, *own)


def _of(value: V | None, name: str, depth: int) -> Any:
    d = None if value is None else value.d
    if type(d) is Instance:
        if depth >= MAX_DEPTH:
            return d.cls.full
        items = ((k, _of(v, name, depth + 1)) for k, v in d.attrs.items() if k not in VARYING)
        return (d.cls.full, tuple(sorted(items, key=lambda pair: str(pair[0]))))
    if type(d) is ClassObj or type(d) is FuncObj:
        return d.full
    if type(d) is External:
        return d.name
    if type(d) is Unknown:
        return ("unknown", d.hint, d.lo, d.hi)
    if value is None:
        return None
    try:
        plain = to_py(value)
    except NotConcrete:
        return type(d).__name__
    return repr(plain).replace(name, "<layer>")


def group(layers: list[Layer]) -> list[list[Layer]]:
    """The layers by kind, in the order of the model."""
    table: dict[Any, list[Layer]] = {}
    for layer in layers:
        table.setdefault(signature(layer), []).append(layer)
    return list(table.values())
