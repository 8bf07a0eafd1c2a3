"""The order and wording of ``mlapath diff --summary``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mlapath.base.clean import clean
from mlapath.findings.diff import Change, Diff
from mlapath.report.blocks import Block, Cell, Fact, Section, Table, Title, Tone
from mlapath.report.wording import count, shorten


def summary_blocks(diff: Diff, changes: Sequence[Sequence[Change]]) -> Iterator[Block]:
    """Lay out a table; ``changes``: those of each step."""
    first, last = diff.steps[0].before, diff.steps[-1].after
    number = f": {count(len(diff.steps), 'step')}" if diff.walked else ""
    yield Title(f"vLLM {clean(first)}" + (f" to {clean(last)}{number}" if first != last else ""))
    steps = list(zip(diff.steps, changes, strict=True))
    rows = tuple(_row(step.after, change) for step, found in steps for change in found)
    if rows:
        yield Table(("release", "scenarios", "what changed", "because"), rows)
    quiet = [step.after for step, found in steps if not found]
    if quiet:
        yield Section("Nothing of this kind changed in")
        yield Fact("", ", ".join(clean(name) for name in quiet))


def _row(release: str, change: Change) -> tuple[Cell, ...]:
    return (
        Cell(clean(release)),
        Cell(clean(", ".join(change.scenarios))),
        Cell(clean(change.text), Tone.BAD if change.grave else Tone.PLAIN),
        Cell(shorten(clean(change.because)) if change.because else "-"),
    )
