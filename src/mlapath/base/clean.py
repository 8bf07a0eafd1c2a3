"""Text from others made safe to show."""

from __future__ import annotations


def clean(text: str) -> str:
    """Make quoted text safe and one line: runs of space shrink, what cannot be printed is escaped.

    Source and configurations come from others and may hold terminal escapes.
    """
    one_line = " ".join(text.split())
    if one_line.isprintable():
        return one_line
    return "".join(c if c.isprintable() else _escape(c) for c in one_line)


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode("ascii")
