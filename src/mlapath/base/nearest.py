"""Near misses: what a mistyped name probably meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def nearest(word: str, choices: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Give up to ``limit`` of ``choices`` that look like ``word``, best first, any case.

    The answer does not depend on the order of ``choices``.
    """
    by_folded: dict[str, str] = {}
    for choice in sorted(choices):
        by_folded.setdefault(choice.casefold(), choice)
    close = get_close_matches(word.casefold(), sorted(by_folded), n=limit, cutoff=0.6)
    return tuple(by_folded[folded] for folded in close)


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Give ``"; did you mean a or b?"``, or an empty string where nothing is near."""
    close = nearest(word, choices)
    return f"; did you mean {' or '.join(close)}?" if close else ""
