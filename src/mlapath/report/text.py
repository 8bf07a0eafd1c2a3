"""Blocks on a terminal or in a pipe.

Every line stands alone (no boxes, no trailing space); what does not fit wraps under itself. In a
pipe nothing wraps and nothing is coloured, so that ``grep`` finds whole paths.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.text import Text

from mlapath.findings.model import Report
from mlapath.report.blocks import Block, Cell, Fact, Headline, Section, Step, Table, Title, Tone
from mlapath.report.document import report_blocks
from mlapath.report.overview import overview_blocks

_STYLES = {
    Tone.PLAIN: "",
    Tone.STRONG: "bold",
    Tone.GOOD: "bold green",
    Tone.WARN: "bold yellow",
    Tone.BAD: "bold red",
}
_INDENT = 2
_LABEL = 18
_STEP = 10
_NARROW = 60
_ASCII = str.maketrans({"→": "->", "…": "...", "–": "-", "×": "x"})


def render_text(reports: Sequence[Report], console: Console, verbosity: int = 0) -> None:
    """Print one report in full; of several a table, and each in full when verbose."""
    if len(reports) != 1:
        print_blocks(overview_blocks(reports), console)
        if verbosity <= 0:
            return
    for at, report in enumerate(reports):
        if at or len(reports) != 1:
            console.line()
        print_blocks(report_blocks(report, verbosity), console)


def print_blocks(blocks: Iterable[Block], console: Console) -> None:
    """Print blocks in order, with a blank line before each heading."""
    before: Block | None = None
    for block in blocks:
        if _starts_part(block, before):
            console.line()
        for line in _lines(block, console, repeated=_same_label(block, before)):
            line.rstrip()
            console.print(_for_encoding(line, console), soft_wrap=True, highlight=False)
        before = block


def _starts_part(block: Block, before: Block | None) -> bool:
    if before is None:
        return False
    if isinstance(block, Headline):
        return not isinstance(before, Headline) or not before.subject or not block.subject
    return isinstance(block, (Section, Table))


def _same_label(block: Block, before: Block | None) -> bool:
    return isinstance(block, Step) and isinstance(before, Step)


def _lines(block: Block, console: Console, *, repeated: bool) -> Iterator[Text]:
    if isinstance(block, Title):
        yield from _wrap(Text(block.text, "bold"), console, 0)
    elif isinstance(block, Headline):
        yield from _headline(block, console)
    elif isinstance(block, Section):
        yield from _wrap(Text(block.title, "bold"), console, 0)
    elif isinstance(block, Fact):
        yield from _labelled(block.label, _with_place(block.text, block.at), console)
    elif isinstance(block, Step):
        label = "" if repeated else "evidence"
        word = block.label.ljust(_STEP) + " "
        body = Text.assemble((word, "cyan"), _with_place(block.text, block.at))
        yield from _labelled(label, body, console, hang=len(word))
    else:
        yield from _table(block, console)


def _headline(block: Headline, console: Console) -> Iterator[Text]:
    text = Text.assemble((f"{block.subject} " if block.subject else "", "bold"))
    text.append(block.word, _STYLES[block.tone])
    if block.text:
        text.append(f": {block.text}")
    return _wrap(text, console, 0)


def _with_place(text: str, at: str | None) -> Text:
    body = Text(text)
    if at is not None:
        body.append(f"  {at}" if text else at, "dim")
    return body


def _labelled(label: str, body: Text, console: Console, hang: int = 0) -> Iterator[Text]:
    """Put a label before a body; on a narrow terminal, above it."""
    if console.width < _NARROW:
        if label:
            yield Text(" " * _INDENT + label, "dim")
        yield from _wrap(body, console, 2 * _INDENT)
        return
    head = Text.assemble((" " * _INDENT + label.ljust(_LABEL - 1) + " ", "dim"))
    for at, line in enumerate(_wrap(body, console, 0, taken=_INDENT + _LABEL, hang=hang)):
        yield (head if at == 0 else Text(" " * (_INDENT + _LABEL))) + line


def _wrap(
    text: Text, console: Console, indent: int, taken: int = 0, hang: int = 0
) -> Iterator[Text]:
    """Wrap to the console's width less ``taken``; lines after the first ``hang`` further in."""
    width = max(console.width - taken - indent - hang, 10)
    first, *_ = text.wrap(console, width + hang) or [Text()]
    yield Text(" " * indent) + first
    rest = text[len(first.plain) :]
    rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
    if rest.plain:
        for line in rest.wrap(console, width):
            yield Text(" " * (indent + hang)) + line


def _table(table: Table, console: Console) -> Iterator[Text]:
    columns = list(
        zip(table.header, *([cell.text for cell in row] for row in table.rows), strict=True)
    )
    widths = [max(map(len, column)) for column in columns]
    if sum(widths) + 2 * (len(widths) - 1) > console.width:
        yield from _as_facts(table)
        return
    yield _row([Cell(name, Tone.STRONG) for name in table.header], widths)
    for row in table.rows:
        yield _row(row, widths)


def _row(cells: Sequence[Cell], widths: Sequence[int]) -> Text:
    parts = [
        Text(cell.text.ljust(w), _STYLES[cell.tone]) for cell, w in zip(cells, widths, strict=True)
    ]
    return Text("  ").join(parts)


def _as_facts(table: Table) -> Iterator[Text]:
    """Give a table that is too wide row by row, without its empty cells."""
    column = max(map(len, table.header)) + 2
    for row in table.rows:
        yield Text(row[0].text, "bold")
        for name, cell in zip(table.header[1:], row[1:], strict=True):
            if cell.text != "-":
                head = Text.assemble((" " * _INDENT + name.ljust(column), "dim"))
                yield Text.assemble(head, (cell.text, _STYLES[cell.tone]))


def _for_encoding(line: Text, console: Console) -> Text:
    """Give an ASCII line where the stream cannot take more."""
    encoding = console.encoding
    try:
        line.plain.encode(encoding)
    except UnicodeEncodeError:
        swapped = line.plain.translate(_ASCII).encode(encoding, "backslashreplace")
        return Text(swapped.decode(encoding))
    return line
