"""Examples in the pages: a command in a ``sh`` block, its output in the ``text`` block after it.

In what it prints, a line ``…`` stands for lines that are left out, and `` …`` at the end of a line
for the rest of that line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CUT = "…"
_PAIR = re.compile(r"```sh\n([^`]*)```\s*\n(?:[^\n`]+\n+)*?```text\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """The words after ``mlapath`` of a command, and the lines that its output must have."""

    words: tuple[str, ...]
    lines: tuple[str, ...]


def examples(text: str) -> list[Example]:
    """The examples of a page."""
    found = []
    for commands, shown in _PAIR.findall(text):
        last = commands.strip().splitlines()[-1].rpartition(" && ")[2].split()
        found.append(Example(tuple(last[1:]), tuple(shown.splitlines())))
    return found


def first_difference(example: Example, output: str) -> str | None:
    """The first line shown that the output does not have at that place; None where all agree."""
    rest = iter(output.splitlines())
    anywhere = False
    for shown in example.lines:
        if shown.strip() == CUT:
            anywhere = True
            continue
        for line in rest:
            if _agrees(shown, line):
                break
            if not anywhere:
                return f"{shown!r}, but it prints {line!r}"
        else:
            return repr(shown)
        anywhere = False
    return None


def _agrees(shown: str, line: str) -> bool:
    if shown.endswith(f" {CUT}"):
        return line.startswith(shown[: -len(CUT)])
    return shown.rstrip() == line.rstrip()
