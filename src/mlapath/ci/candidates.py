"""What differs between the backends that two selections looked at."""

from __future__ import annotations

from collections.abc import Sequence


def candidate_cause(old: Sequence[str], new: Sequence[str]) -> str | None:
    """The first candidate that fares otherwise, in the order of the new selection."""
    before = dict(text.partition(": ")[::2] for text in old)
    after = dict(text.partition(": ")[::2] for text in new)
    for name, standing in after.items():
        if name not in before:
            return f"{name} is a new candidate ({standing})"
        if before[name] != standing:
            return f"{name} was: {before[name]}; is: {standing}"
    for name, standing in before.items():
        if name not in after:
            return f"{name} is no longer a candidate (was: {standing})"
    return None if list(before) == list(after) else "the order of the candidates changed"
