"""Text from others inside GitHub-flavoured Markdown."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[\\`*\[\]<>#|~&$]|(?<![^\W_])_|_(?![^\W_])")
_STARTS_BLOCK = re.compile(r"(?=[-+](?:\s|$)|-[-\s]*$)|(?<=\d)(?=[.)](?:\s|$))")
_NUMBER = re.compile(r"\d{0,9}")


def escape_markdown(text: str) -> str:
    """Make one line of text stand for itself within a line or a table's cell."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def escape_block(text: str) -> str:
    """Make one line of text stand for itself where it begins a paragraph or a list item."""
    escaped = escape_markdown(text)
    number = _NUMBER.match(escaped)
    assert number is not None
    at = number.end()
    return f"{escaped[:at]}\\{escaped[at:]}" if _STARTS_BLOCK.match(escaped, at) else escaped


def code_span(text: str) -> str:
    """Quote one line of text as code, with a fence longer than any run of backticks inside.

    Not for a table: there a ``|`` would still end the cell.
    """
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{text}{pad}{fence}"
