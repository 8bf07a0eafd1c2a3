"""``--shard I/N``: the same part of a sweep on each of many machines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from mlapath.base.errors import UsageError

T = TypeVar("T")
_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})")


@dataclass(frozen=True)
class Shard:
    """Part ``number`` (from 1) of ``count``; neighbours stay together, as they share a tree."""

    number: int = 1
    count: int = 1

    def of(self, items: Sequence[T]) -> Sequence[T]:
        """The part of ``items``; the parts differ in size by one at most."""
        start = len(items) * (self.number - 1) // self.count
        return items[start : len(items) * self.number // self.count]


def parse_shard(text: str) -> Shard:
    """Read ``I/N``, I from 1 to N.

    Raises:
        UsageError: not of that form.
    """
    match = _SHARD.fullmatch(text.strip())
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError(f"--shard {text!r}: expected I/N, the I-th of N parts, such as 2/8")
    return Shard(int(match[1]), int(match[2]))
