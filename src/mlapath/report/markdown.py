"""Blocks as GitHub-flavoured Markdown, for job summaries and issues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mlapath.base.markdown import code_span, escape_block, escape_markdown
from mlapath.findings.model import Report
from mlapath.report.blocks import Block, Fact, Headline, Section, Step, Table, Title
from mlapath.report.document import report_blocks
from mlapath.report.overview import overview_blocks


def render_markdown(reports: Sequence[Report], verbosity: int = 0) -> str:
    """Give one report in full; of several a table, and then each in full."""
    parts = [] if len(reports) == 1 else [blocks_text(overview_blocks(reports))]
    parts += [blocks_text(report_blocks(report, verbosity)) for report in reports]
    return "\n".join(parts)


def blocks_text(blocks: Iterable[Block]) -> str:
    """Blocks in order, parted as Markdown wants it."""
    lines: list[str] = []
    for block in blocks:
        rendered = list(_lines(block))
        is_item = rendered[0].startswith(("- ", "  "))
        if lines and not (is_item and lines[-1].startswith(("- ", "  "))):
            lines.append("")
        lines.extend(rendered)
    return "\n".join(lines) + "\n"


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Title):
        yield f"## {escape_markdown(block.text)}"
    elif isinstance(block, Section):
        yield f"### {escape_markdown(block.title)}"
    elif isinstance(block, Headline):
        subject = f"`{block.subject}` " if block.subject else ""
        text = f": {escape_markdown(block.text)}" if block.text else ""
        yield f"{subject}**{block.word}**{text}"
    elif isinstance(block, Fact):
        text = f"{block.label}: {block.text}" if block.label else block.text
        yield f"- {escape_block(text)}{_place(block.at)}".rstrip()
    elif isinstance(block, Step):
        yield f"- *{block.label.strip()}* {code_span(block.text)}{_place(block.at)}"
    else:
        yield from _table(block)


def _table(table: Table) -> Iterator[str]:
    yield _row(table.header)
    yield _row(["---"] * len(table.header))
    for row in table.rows:
        yield _row([escape_markdown(cell.text) for cell in row])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _place(at: str | None) -> str:
    return "" if at is None else f" ({code_span(at)})"
