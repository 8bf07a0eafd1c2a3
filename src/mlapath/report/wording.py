"""Words and short forms that all renderers for people share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from mlapath.base.verdict import Verdict
from mlapath.findings.model import Outcome
from mlapath.report.blocks import Tone

_NUMBER = re.compile(r"(?<=\.)\d+(?=\.|$)")
_LONG = 200

VERDICT_TONES: Mapping[Verdict, Tone] = {
    Verdict.ALWAYS: Tone.GOOD,
    Verdict.CONDITIONAL: Tone.WARN,
    Verdict.NEVER: Tone.BAD,
    Verdict.UNPROVEN: Tone.STRONG,
}
OUTCOME_TONES: Mapping[Outcome, Tone] = {
    Outcome.RUNS: Tone.GOOD,
    Outcome.REFUSES: Tone.BAD,
    Outcome.UNPROVEN: Tone.STRONG,
}


def shorten(text: str, limit: int = _LONG) -> str:
    """Cut long text and say so with an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def short_name(qualified: str | None) -> str:
    """Give the last part of a class path, ``none`` for None."""
    return "none" if qualified is None else qualified.rpartition(".")[2]


def short_method(qualified: str) -> str:
    """Give ``Class.method`` of a method path."""
    return ".".join(qualified.split(".")[-2:])


def layer_names(layers: Sequence[str]) -> str:
    """Give many layer names as few: ``model.layers.{0-77}.self_attn.attn``.

    Names that differ in more than one number, or in words, are listed one by one.
    """
    by_shape: dict[tuple[str, ...], list[list[int]]] = {}
    for layer in layers:
        shape = tuple(_NUMBER.split(layer))
        by_shape.setdefault(shape, []).append([int(n) for n in _NUMBER.findall(layer)])
    return ", ".join(_shape_names(shape, numbers) for shape, numbers in by_shape.items())


def _shape_names(shape: tuple[str, ...], numbers: list[list[int]]) -> str:
    varying = [at for at, column in enumerate(zip(*numbers, strict=True)) if len(set(column)) > 1]
    if len(varying) > 1:
        return ", ".join(_fill(shape, [str(n) for n in row]) for row in numbers)
    filling = [str(n) for n in numbers[0]]
    if varying:
        filling[varying[0]] = "{" + ranges(row[varying[0]] for row in numbers) + "}"
    return _fill(shape, filling)


def _fill(shape: tuple[str, ...], numbers: list[str]) -> str:
    return "".join(part + number for part, number in zip(shape, [*numbers, ""], strict=True))


def ranges(numbers: Iterable[int]) -> str:
    """Give numbers as ranges: ``0-2,5``."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def count(number: int, thing: str) -> str:
    """Give ``1 layer`` or ``2 layers``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
