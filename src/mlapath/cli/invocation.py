"""What a command needs that is not one of its options."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Invocation:
    """``engine``: the words after ``--``, kept away from our own option parser."""

    engine: tuple[str, ...] = ()
