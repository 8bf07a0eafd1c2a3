"""``__dict__`` and ``globals()``: a namespace as a dict.

The dict shows what the namespace holds when it is asked for; what is written to it is written
to the namespace. Names with a leading NUL are the evaluator's own and not shown.
"""

from __future__ import annotations

from typing import Any

from mlapath.values.objects import Cell, DictObj
from mlapath.values.value import V


def namespace(it: Any, cell: Cell, opened: str = "") -> V:
    """``cell`` as a dict; ``opened``: why more names may be there."""
    made: DictObj = it.heap.dict()
    for name, value in cell.items():
        if name != "*" and not name.startswith("\0"):
            made.data[name] = (V(name), value)
    if "*" in cell:
        opened = opened or "names that a star import of something unknown gives"
    if opened:
        it.heap.open_dict(made, opened)
    made.of = cell
    return V(made)


def pass_on(it: Any, d: DictObj, keys: list[Any]) -> None:
    """Write the dict's present content under ``keys`` to the namespace that it shows."""
    if d.of is None:
        return
    for key in keys:
        pair = d.data.get(key)
        if pair is None:
            it.heap.drop(d.of, key)
        elif type(key) is str:
            it.heap.put(d.of, key, pair[1])
