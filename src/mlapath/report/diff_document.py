"""The order and wording of ``mlapath diff`` for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mlapath.base.clean import clean
from mlapath.findings.diff import ChainDiff, ChainRow, Diff, Mark, ScenarioDiff, TreeDiff
from mlapath.findings.gate import Severity
from mlapath.findings.model import EvidenceStep
from mlapath.findings.wording import STEP_WORDS, step_text
from mlapath.report.blocks import Block, Cell, Fact, Headline, Section, Step, Table, Title, Tone
from mlapath.report.gate_document import counts, finding_blocks
from mlapath.report.wording import count


def diff_blocks(diff: Diff, verbosity: int) -> Iterator[Block]:
    """Lay out one comparison in full; of a walk a table of what changed where (each with -v)."""
    if not diff.walked:
        for step in diff.steps:
            yield from _tree(step, verbosity)
        return
    first, last = diff.steps[0].before, diff.steps[-1].after
    yield Title(f"vLLM {clean(first)} to {clean(last)}: {count(len(diff.steps), 'step')}")
    rows = tuple(_rows(diff, verbosity))
    if rows:
        yield Table(("release", "scenario", "what changed", "cause"), rows)
    quiet = [step.after for step in diff.steps if not _shown(step, verbosity)]
    if quiet:
        yield Section("Nothing of note changed in")
        yield Fact("", ", ".join(clean(name) for name in quiet))
    if verbosity > 0:
        for step in diff.steps:
            if not step.empty:
                yield from _tree(step, verbosity)


def _rows(diff: Diff, verbosity: int) -> Iterator[tuple[Cell, ...]]:
    """A row for each finding that is more than a note, and for each error."""
    for step in diff.steps:
        release: str | None = clean(step.after)
        for scenario in step.scenarios:
            if scenario.error is not None:
                yield (
                    Cell(release or ""), Cell(clean(scenario.scenario)),
                    Cell(clean(scenario.error), Tone.BAD), Cell("-"),
                )  # fmt: skip
            for finding in scenario.findings:
                if finding.severity is Severity.NOTE and verbosity <= 0:
                    continue
                tone = Tone.BAD if finding.severity is Severity.ERROR else Tone.PLAIN
                yield (
                    Cell(release or ""),
                    Cell(clean(scenario.scenario)),
                    Cell(f"{clean(finding.message)}", tone),
                    Cell(clean(finding.cause) if finding.cause else "-"),
                )


def _shown(step: TreeDiff, verbosity: int) -> bool:
    return any(
        scenario.error is not None
        or any(f.severity is not Severity.NOTE or verbosity > 0 for f in scenario.findings)
        for scenario in step.scenarios
    )


def _tree(step: TreeDiff, verbosity: int) -> Iterator[Block]:
    same = any(scenario.against is not None for scenario in step.scenarios)
    yield Title(f"vLLM {clean(step.before)}" + ("" if same else f" to {clean(step.after)}"))
    for scenario in step.scenarios:
        yield _headline(scenario)
        if verbosity < 0:
            continue
        for cause in scenario.causes:
            yield Fact("first cause", clean(cause))
        yield from finding_blocks(scenario.findings, verbosity, scenario.causes)
        shown = [
            chain for chain in scenario.chains
            if verbosity > 0 or chain.before != chain.after or chain.subject == "refusal"
        ]  # fmt: skip
        for chain in shown:
            yield from _chain(chain, verbosity)


def _headline(scenario: ScenarioDiff) -> Headline:
    name = clean(scenario.name)
    if scenario.error is not None:
        return Headline(name, "NOT COMPARED", Tone.BAD, clean(scenario.error))
    if not scenario.findings:
        return Headline(name, "NO DIFFERENCE", Tone.GOOD)
    return Headline(name, "DIFFERS", Tone.WARN, counts(scenario.findings))


def _chain(chain: ChainDiff, verbosity: int) -> Iterator[Block]:
    """Both chains, one line a step: what only the first tree has with -, the second with +."""
    yield Section(f"{clean(chain.subject)}: {chain.before} -> {chain.after}")
    for row in chain.rows:
        step = row.before or row.after
        if row.first and step is not None:
            yield Fact("first difference", step_text(step), step.at)
    for shown in _around(chain.rows, verbosity):
        if isinstance(shown, int):
            yield Step("  …", f"{count(shown, 'step')} the same")
        elif shown.mark is Mark.SAME:
            yield from _side(" ", shown.after)
        else:
            yield from _side("-", shown.before)
            yield from _side("+", shown.after)


def _around(rows: Sequence[ChainRow], verbosity: int) -> Iterator[ChainRow | int]:
    """Rows that differ and those next to them; of the others how many there are."""
    hidden = 0
    for at, row in enumerate(rows):
        near = rows[max(at - 1, 0) : at + 2]
        if verbosity > 0 or any(other.mark is not Mark.SAME for other in near):
            if hidden:
                yield hidden
            hidden = 0
            yield row
        else:
            hidden += 1
    if hidden:
        yield hidden


def _side(sign: str, step: EvidenceStep | None) -> Iterator[Block]:
    if step is not None:
        yield Step(f"{sign} {STEP_WORDS[step.kind]}", step_text(step), step.at)
