"""Who runs the code at hand: Python, or what was made of it.

``torch.compile`` turns a function into code of its own: Dynamo reads the function once, and what
runs later is not its Python. An operator that the program registered with ``torch.library`` is
opaque to that: where compiled code calls it, its Python runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.values.objects import BoundMethod, FuncObj, Instance
from mlapath.values.value import V

PYTHON = ""
MODEL = "model"
"""Python, in the model: a CUDA graph of the whole model replays it."""
TRACED = "traced"
"""Inside a function compiled as one graph: Dynamo traced it, no Python of it runs."""
LOOSE = "traced loosely"
"""Inside a compiled function whose graph may break: what Dynamo cannot trace, Python runs."""
OPERATOR = "operator"
"""Inside an operator that compiled code calls."""
REGIONS = (PYTHON, MODEL, TRACED, LOOSE, OPERATOR)


def compiled(it: Any, function: V, *, fullgraph: bool) -> None:
    """``torch.compile`` was called on a function or a bound method."""
    d = function.d
    receiver = None
    while type(d) is BoundMethod:
        receiver = d.self_.d
        d = d.func.d if isinstance(d.func, V) else d.func
    if type(d) is FuncObj:
        it.compiled.setdefault(d.full, []).append((receiver, fullgraph))


def region_of(it: Any, f: FuncObj, first: V | None) -> str:
    """The region of a call of ``f`` with that first argument."""
    if it.region not in (TRACED, LOOSE) and f.full in it.compiled:
        for receiver, fullgraph in it.compiled[f.full]:
            if receiver is None or (first is not None and first.d is receiver):
                return TRACED if fullgraph else LOOSE
    return it.region  # type: ignore[no-any-return]


def inside(it: Any, modules: list[Any]) -> str:
    """The region of what is called inside these modules; of none, outside of the model."""
    if not modules:
        return PYTHON
    found = [
        fullgraph for entries in it.compiled.values() for receiver, fullgraph in entries
        if any(receiver is module for module in modules)
    ]  # fmt: skip
    return MODEL if not found else TRACED if any(found) else LOOSE


def in_region(it: Any, region: str, run: Callable[[], V]) -> V:
    """Run something in a region."""
    outer = it.region
    it.region = region
    try:
        return run()
    finally:
        it.region = outer


def in_operator(it: Any, run: Callable[[], V]) -> V:
    """Run an operator's implementation."""
    return in_region(it, OPERATOR, run) if it.region in (TRACED, LOOSE) else run()


def compiled_call(it: Any, module: Instance) -> V | None:
    """The compiled method that a call of the module comes to; None where none is.

    How the program compiles it, caches that and calls the result is passed over.
    """
    for entries in it.compiled.values():
        if any(receiver is module for receiver, _ in entries):
            return it.find_attr(V(module), "forward")  # type: ignore[no-any-return]
    return None


__all__ = [
    "LOOSE", "MODEL", "OPERATOR", "PYTHON", "REGIONS", "TRACED", "compiled", "compiled_call",
    "in_operator", "in_region", "inside", "region_of",
]  # fmt: skip
