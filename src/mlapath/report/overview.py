"""The table of several reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mlapath.base.clean import clean
from mlapath.findings.model import AttentionGroup, Report
from mlapath.report.blocks import Block, Cell, Fact, Section, Table, Title
from mlapath.report.wording import OUTCOME_TONES, VERDICT_TONES

_NOTHING = Cell("-")


def overview_blocks(reports: Sequence[Report]) -> Iterator[Block]:
    """Lay out one row for each device and kind of attention layer, then the refusals."""
    first = reports[0]
    model = ", ".join(first.scenario.architectures)
    yield Title(clean(f"{model}, vLLM {first.tree.version or 'of unknown version'}"))
    yield _table(reports)
    refused = [report for report in reports if report.refusal is not None]
    if refused:
        yield Section("Refusals")
    for report in refused:
        assert report.refusal is not None
        text = f"{report.refusal.exception}: {clean(report.refusal.message)}"
        yield Fact(report.scenario.device.name, text, report.refusal.at)


def _table(reports: Sequence[Report]) -> Table:
    groups = [group for report in reports for group in report.attention]
    targets = tuple(dict.fromkeys(t.target for group in groups for t in group.targets))
    header = ("device", "outcome", "backend", "prefill", "KV cache", "layers", *targets)
    rows = tuple(
        _row(report, group, targets) for report in reports for group in report.attention or (None,)
    )
    return Table(header, rows)


def _row(
    report: Report, group: AttentionGroup | None, targets: tuple[str, ...]
) -> tuple[Cell, ...]:
    outcome = Cell(report.outcome.value, OUTCOME_TONES[report.outcome])
    head = (Cell(report.scenario.device.name), outcome)
    if group is None:
        return (*head, *(_NOTHING for _ in range(4 + len(targets))))
    verdicts = {t.target: Cell(t.verdict.value, VERDICT_TONES[t.verdict]) for t in group.targets}
    return (
        *head,
        Cell(group.backend or "unknown"),
        Cell(group.prefill_backend) if group.prefill_backend else _NOTHING,
        Cell(group.kv_cache_dtype) if group.kv_cache_dtype else _NOTHING,
        Cell(f"{len(group.layers)} {'MLA' if group.mla else 'other'}"),
        *(verdicts.get(name, _NOTHING) for name in targets),
    )
