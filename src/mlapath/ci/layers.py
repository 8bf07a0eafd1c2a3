"""Many layer names as few texts, and back: ``model.layers.{0-2,5}.self_attn.attn``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_NUMBER = re.compile(r"(?<![^.])\d+(?![^.])")
_RANGES = re.compile(r"\{([\d,-]+)\}")
MOST = 100_000


def compact(names: Iterable[str]) -> tuple[str, ...]:
    """Join names that differ in their first number only; the order is that of first appearance."""
    shapes: dict[tuple[str, str], set[int]] = {}
    for name in names:
        match = _NUMBER.search(name)
        if match is None or str(int(match[0])) != match[0]:
            shapes[name, ""] = set()
        else:
            shape = (name[: match.start()], name[match.end() :])
            shapes.setdefault(shape, set()).add(int(match[0]))
    return tuple(
        f"{head}{{{_ranges(numbers)}}}{tail}" if len(numbers) > 1
        else f"{head}{next(iter(numbers), '')}{tail}"
        for (head, tail), numbers in shapes.items()
    )  # fmt: skip


def expand(texts: Iterable[str]) -> Iterator[str]:
    """Give the names back; a text that is no such pattern stands for itself."""
    for text in texts:
        match = _RANGES.search(text)
        if match is None:
            yield text
            continue
        for part in match[1].split(","):
            low, _, high = part.partition("-")
            if low.isdecimal() and (high or low).isdecimal():
                last = min(int(high or low), int(low) + MOST)
                for number in range(int(low), last + 1):
                    yield f"{text[: match.start()]}{number}{text[match.end() :]}"


def role(texts: Iterable[str]) -> str:
    """What the layers are, whatever their numbers: ``model.layers.*.self_attn.attn``."""
    first = next(iter(texts), "")
    return _NUMBER.sub("*", _RANGES.sub("*", first))


def _ranges(numbers: Iterable[int]) -> str:
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)
