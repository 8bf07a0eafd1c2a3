"""A matrix for people and for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from mlapath.base.clean import clean
from mlapath.findings.matrix import Matrix, Row, columns
from mlapath.report.blocks import Block, Cell, Fact, Section, Table, Tone
from mlapath.report.wording import OUTCOME_TONES, VERDICT_TONES

if TYPE_CHECKING:
    from rich.console import Console

MARK = "*"
"""Stands behind what differs from the answer for the tree before."""
_TONES: Mapping[str, Tone] = {
    **{outcome.value: tone for outcome, tone in OUTCOME_TONES.items()},
    **{verdict.value: tone for verdict, tone in VERDICT_TONES.items()},
    "error": Tone.BAD,
}


def matrix_blocks(matrix: Matrix) -> Iterator[Block]:
    """The table, what the mark means, then refusals and errors, each once."""
    keys = _keys(matrix)
    names = tuple(columns(matrix.rows[0], matrix.targets)) if matrix.rows else ()
    yield Table((*keys, *names), tuple(_cells(row, matrix, keys) for row in matrix.rows))
    if any(row.changed for row in matrix.rows):
        yield Section(f"{MARK} differs from the tree before it")
    details = [row for row in matrix.rows if row.detail]
    if details:
        yield Section("Refusals and errors")
    for row in details:
        yield Fact(" ".join(_key(row, key) for key in keys), clean(row.detail or ""))


def render_csv(matrix: Matrix) -> str:
    """Comma-separated values (RFC 4180), a header first; no marks."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    names = list(columns(matrix.rows[0], matrix.targets)) if matrix.rows else []
    writer.writerow(["tree", "device", "config", *names, "detail"])
    for row in matrix.rows:
        cells = columns(row, matrix.targets).values()
        writer.writerow([row.tree, row.device, row.config, *cells, row.detail or ""])
    return text.getvalue()


def render_matrix_text(matrix: Matrix, console: Console) -> None:
    """Print the table."""
    from mlapath.report.text import print_blocks

    print_blocks(matrix_blocks(matrix), console)


def render_matrix_markdown(matrix: Matrix) -> str:
    """A table of GitHub-flavoured Markdown."""
    from mlapath.report.markdown import blocks_text

    return blocks_text(matrix_blocks(matrix))


def _keys(matrix: Matrix) -> tuple[str, ...]:
    """The columns that tell rows apart."""
    shown = [key for key in ("device", "config") if len({_key(r, key) for r in matrix.rows}) > 1]
    return ("tree", *shown)


def _key(row: Row, name: str) -> str:
    return clean(str(getattr(row, name)))


def _cells(row: Row, matrix: Matrix, keys: tuple[str, ...]) -> tuple[Cell, ...]:
    cells = columns(row, matrix.targets)
    return (
        *(Cell(_key(row, key)) for key in keys),
        *(
            Cell(f"{text}{MARK}" if name in row.changed else text, _tone(name, text, row))
            for name, text in cells.items()
        ),
    )


def _tone(name: str, text: str, row: Row) -> Tone:
    return _TONES.get(text, Tone.STRONG if name in row.changed else Tone.PLAIN)
