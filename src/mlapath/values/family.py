"""Values of several rounds of a loop that are evaluated as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mlapath.values.value import V


class Family:
    """A str or int that differs between the rounds; ``members``: its value in each of them."""

    __slots__ = ("members",)

    def __init__(self, members: tuple[Any, ...]) -> None:
        self.members = members

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Family) and other.members == self.members

    def __hash__(self) -> int:
        return hash(self.members)

    def __repr__(self) -> str:
        return f"Family({self.members[0]!r}…{self.members[-1]!r})"


class NotUniform(Exception):  # noqa: N818 - a signal: the rounds are evaluated one by one then
    """The rounds do not go the same way here, as far as can be seen.

    agree: how many of them, from the first on, do; 0 where that is not known.
    """

    def __init__(self, why: str, agree: int = 0) -> None:
        super().__init__(why)
        self.agree = agree


KINDS = (int, str)


def family_of(members: Sequence[Any]) -> Any:
    """The content that is ``members[i]`` in round ``i``: plain where all are equal."""
    first = members[0]
    kind = type(first)
    if all(type(m) is kind and m == first for m in members):
        return first
    if kind in KINDS and all(type(m) is kind for m in members):
        return Family(tuple(members))
    agree = next(
        (i for i, m in enumerate(members) if type(m) is not kind or m != first), len(members)
    )
    raise NotUniform(f"{first!r} in one round, {members[agree]!r} in another", agree)


def member(value: V, index: int) -> V:
    """The value in one round."""
    d = value.d
    if type(d) is Family:
        return V(d.members[index], value.o)
    if type(d) is tuple and has_family(value):
        return V(tuple(member(x, index) for x in d), value.o)
    return value


def has_family(value: V) -> bool:
    """Whether a value, or a part of a tuple, differs between the rounds."""
    d = value.d
    return type(d) is Family or type(d) is tuple and any(has_family(x) for x in d)


__all__ = ["Family", "NotUniform", "family_of", "has_family", "member"]
