"""Binding arguments to the parameters of a summarised constructor, with CPython's messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlapath.values.value import Unknown, V


@dataclass(frozen=True)
class Parameter:
    """One parameter after ``self``."""

    name: str
    required: bool
    kw_only: bool = False


def bind(
    it: Any, title: str, parameters: Sequence[Parameter], args: list[V], kwargs: dict[str, V],
    opened: str = "",
) -> dict[str, V]:  # fmt: skip
    """The arguments by name, those left to their defaults absent; or the program's TypeError.

    title: the function in messages, e.g. ``A.__init__``.
    args: without ``self``.
    opened: why more arguments may have been given; then those absent are unknown.
    """
    positional = [p for p in parameters if not p.kw_only]
    if len(args) > len(positional):
        named = sum(p.name in kwargs for p in parameters if p.kw_only)
        _too_many(it, title, positional, len(args), named)
    bound = {p.name: value for p, value in zip(positional, args, strict=False)}
    names = {p.name for p in parameters}
    for name, value in kwargs.items():
        if name not in names:
            it.throw("TypeError", f"{title}() got an unexpected keyword argument '{name}'")
        if name in bound and not opened:
            it.throw("TypeError", f"{title}() got multiple values for argument '{name}'")
        bound[name] = value
    if opened:
        for p in parameters:
            bound.setdefault(p.name, V(Unknown(opened)))
        return bound
    for kind, some in (("positional", positional),
                       ("keyword-only", [p for p in parameters if p.kw_only])):  # fmt: skip
        missing = [f"'{p.name}'" for p in some if p.required and p.name not in bound]
        if missing:
            plural = "s" if len(missing) > 1 else ""
            it.throw("TypeError", f"{title}() missing {len(missing)} required {kind} "
                     f"argument{plural}: {listed(missing)}")  # fmt: skip
    return bound


def listed(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b, and c``."""
    if len(names) < 3:
        return " and ".join(names)
    return f"{', '.join(names[:-1])}, and {names[-1]}"


def _too_many(
    it: Any, title: str, positional: Sequence[Parameter], given: int, named: int
) -> None:
    most = len(positional) + 1
    least = 1 + sum(p.required for p in positional)
    takes = str(most) if least == most else f"from {least} to {most}"
    plural = "" if takes == "1" else "s"
    counted = str(given + 1)
    if named:
        counted += f" positional argument{'s' if given else ''} (and {named} keyword-only argument"
        counted += f"{'s' if named > 1 else ''})"
    it.throw("TypeError", f"{title}() takes {takes} positional argument{plural} but {counted} "
             f"{'were' if given or named else 'was'} given")  # fmt: skip
