"""FlashAttention 3: what its compiled operator refuses."""

from __future__ import annotations

from typing import Any

from mlapath.models.array_value import dims_of, is_array
from mlapath.values.value import V


def check_widths(it: Any, args: list[V], kwargs: dict[str, V]) -> None:
    """Raise the program's RuntimeError for a width of values that the kernels do not have.

    Where it differs from that of queries and keys, these are (128, 192] with values of (96, 128],
    or at most 64 with values of at most 512. Source: the error of the operator, as runs on an H200
    showed it.
    """
    if len(args) < 3:
        return
    query, value = _width(args[0]), _width(args[2])
    if query is None or value is None or value == query:
        return
    if 128 < query <= 192 and 96 < value <= 128 or query <= 64 and value <= 512:
        return
    text = f"FlashAttention 3 has no kernel for queries of {query} and values of {value}"
    raised = it.make_raise(it.exception("RuntimeError", [V(text)]))
    raised.explicit = True
    raise raised


def _width(value: V) -> int | None:
    """The size of a tensor's last dimension, where it is known."""
    dims = dims_of(value) if is_array(value) else None
    last = dims[-1].d if dims else None
    return last if type(last) is int else None


__all__ = ["check_widths"]
