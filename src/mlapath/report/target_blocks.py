"""How a target's verdict and its evidence read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mlapath.base.clean import clean
from mlapath.base.verdict import Verdict
from mlapath.findings.model import Condition, EvidenceStep, TargetVerdict
from mlapath.findings.wording import STEP_WORDS, step_text
from mlapath.report.blocks import Block, Fact, Headline, Step
from mlapath.report.wording import (
    VERDICT_TONES,
    short_method,
    shorten,
)


def target_blocks(target: TargetVerdict, verbosity: int) -> Iterator[Block]:
    """Lay out one verdict; ``verbosity`` as in ``report_blocks``."""
    word, tone = target.verdict.value.upper(), VERDICT_TONES[target.verdict]
    yield Headline(target.target, word, tone, clean(_reason(target)))
    if verbosity < 0:
        return
    if target.condition is not None and target.verdict is Verdict.CONDITIONAL:
        yield from condition_blocks(target.condition, with_meaning=False)
    if target.function is not None:
        name = clean(target.function) if verbosity > 0 else short_method(target.function)
        yield Fact("function", name, target.defined_at)
    elif target.verdict is Verdict.NEVER:
        yield Fact("function", "the selected implementation has none of that name")
    yield from _list("call site", target.called_at)
    yield from evidence_blocks(target.evidence, full=verbosity > 0)
    yield from _list("blocked by", (clean(blocker) for blocker in target.blockers))
    if verbosity > 0:
        for item in target.proof:
            yield Fact("rests on", f"{clean(item.fact)}: {clean(item.why)}")
            yield from (Fact("", "", place) for place in item.places)
    label = "print instead in"
    for place in target.instead:
        yield Fact(label, f"{place.function}: {clean(place.why)}", place.at)
        label = ""
    if target.assumptions:
        yield Fact("assumes", ", ".join(target.assumptions))


def condition_blocks(condition: Condition | None, *, with_meaning: bool = True) -> Iterator[Block]:
    """Lay out a condition: in a user's terms, in the program's, with its numbers."""
    if condition is None:
        return
    if with_meaning:
        yield Fact("when", clean(condition.meaning))
    yield Fact("in the code", clean(condition.program))
    if condition.numbers:
        numbers = (f"{name} = {value}" for name, value in condition.numbers.items())
        yield Fact("numbers", ", ".join(numbers))


def evidence_blocks(steps: Iterable[EvidenceStep], *, full: bool = False) -> Iterator[Block]:
    """Lay out a chain, one step a line; long source text is cut unless ``full``."""
    for step in steps:
        text = step_text(step)
        yield Step(STEP_WORDS[step.kind], text if full else shorten(text), step.at)


def _reason(target: TargetVerdict) -> str:
    if target.verdict is Verdict.CONDITIONAL and target.condition is not None:
        return f"when {target.condition.meaning}"
    return target.because or ""


def _list(label: str, lines: Iterable[str]) -> Iterator[Block]:
    for line in lines:
        yield Fact(label, line)
        label = ""
