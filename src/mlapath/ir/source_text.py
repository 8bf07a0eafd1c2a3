"""The source text at a position, on one line, for evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mlapath.ir.nodes import Pos

_TOKEN = re.compile(
    r"""
    (?P<string> \"\"\"(?:\\.|[^\\])*?\"\"\" | '''(?:\\.|[^\\])*?'''
              | \"(?:\\.|[^\\"\n])*\" | '(?:\\.|[^\\'\n])*' )
  | (?P<space> (?: \s | \\\n | \#[^\n]* )+ )
  | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)


def split_lines(text: str) -> list[str]:
    r"""The lines that positions count: ended by ``\n``, ``\r\n`` or ``\r`` and nothing else.

    ``str.splitlines`` also splits at form feeds and the like, which may stand in a line.
    A byte-order mark is left out, as columns do not count it.
    """
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def segment(lines: Sequence[str], pos: Pos) -> str:
    """The text at ``pos`` on one line: without comments, white space outside strings collapsed.

    Args:
        lines: of the whole file, from ``split_lines``.
        pos: of a node of that file.
    """
    line, col, end_line, end_col = pos
    if line == end_line:
        text = lines[line - 1][col:end_col]
    else:
        middle = lines[line : end_line - 1]
        text = "\n".join([lines[line - 1][col:], *middle, lines[end_line - 1][:end_col]])
    return _one_line(text)


def _one_line(text: str) -> str:
    pieces: list[str] = []
    for match in _TOKEN.finditer(text):
        piece = match.group()
        if match.lastgroup == "space":
            before = pieces[-1] if pieces else ""
            after = text[match.end() : match.end() + 1]
            wrapped = "\n" in piece and (before in {"", *"([{"} or after in {"", *")]}"})
            piece = "" if wrapped else " "
        elif match.lastgroup == "string" and "\n" in piece:
            piece = " ".join(piece.split())
        pieces.append(piece)
    return "".join(pieces).strip()
