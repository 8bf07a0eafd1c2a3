"""Where a tree speaks of a name: in code, or as a text that is just that name.

A byte-level search, then the tokens of the files found: comments, and texts that say more than
the name, do not count.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mlapath.resolve.writes import around


@dataclass(frozen=True)
class Reference:
    """A name at ``path:line``, with the class and the innermost function around it, or ""."""

    path: str
    line: int
    owner: str
    function: str


def references(root: Path, paths: Iterable[str], name: str) -> list[Reference]:
    """Every place that may refer to ``name``, without the definitions of functions called so."""
    raw = name.encode()
    needle = re.compile(rb"\b" + re.escape(raw) + rb"\b")
    found: list[Reference] = []
    for path in paths:
        try:
            data = (root / path).read_bytes()
        except OSError:
            continue
        if raw not in data or not needle.search(data):
            continue
        text = data.decode("utf-8", "replace")
        lines = text.splitlines()
        numbers = dict.fromkeys(_lines_of(text, name))
        found.extend(Reference(path, number, *around(lines, number)) for number in numbers)
    return found


def _lines_of(text: str, name: str) -> Iterator[int]:
    before = ""
    seen = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            seen = token.start[0]
            if token.type == tokenize.NAME:
                if token.string == name and before != "def":
                    yield seen
                before = token.string
            elif token.type == tokenize.STRING and name in token.string:
                if _plain(token.string) in (name, None):
                    yield seen
            elif token.type != tokenize.NL:
                before = ""
    except (tokenize.TokenError, SyntaxError):  # newer than this Python: each line that names it
        for number, line in enumerate(text.splitlines(), 1):
            if number > seen and re.search(rf"\b{re.escape(name)}\b", line):
                yield number


def _plain(literal: str) -> str | None:
    """The text that a literal stands for; None where that is not known."""
    try:
        value = ast.literal_eval(literal)
    except (SyntaxError, ValueError):
        return None
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
