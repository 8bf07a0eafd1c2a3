"""What a command needs that is not one of its options."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Invocation:
    """``words``: the whole command line.

    ``engine``: the words after ``--``, kept away from our own option parser.
    """

    words: tuple[str, ...] = ()
    engine: tuple[str, ...] = ()
