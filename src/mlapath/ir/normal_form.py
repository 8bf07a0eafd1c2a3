"""Forms that both lowerings give alike: the parts of f-strings, docstrings."""

from __future__ import annotations

from typing import TypeAlias

from mlapath.ir import nodes as ir

Parts: TypeAlias = list["str | ir.FormattedValue"]


def merged(parts: Parts) -> tuple[str | ir.FormattedValue, ...]:
    """Neighbouring texts joined and empty ones dropped."""
    kept: Parts = []
    for part in parts:
        last = kept[-1] if kept else None
        if isinstance(part, str) and isinstance(last, str):
            kept[-1] = last + part
        elif part:
            kept.append(part)
    return tuple(kept)


def without_docstring(body: tuple[ir.Stmt, ...]) -> tuple[tuple[ir.Stmt, ...], str | None]:
    """The statements of a module, class or function without the docstring, and that."""
    if body:
        first = body[0]
        if (
            isinstance(first, ir.ExprStmt)
            and isinstance(first.value, ir.Const)
            and isinstance(first.value.value, str)
        ):
            return body[1:], first.value.value
    return body, None
