"""Texts of evidence without what an edit of layout changes: spaces, quotes, trailing commas."""

from __future__ import annotations

import re

MAX_TEXT = 100
"""Less than evidence keeps, so that where it was cut does not show."""

_TOKEN = re.compile(
    r"""
    (?P<string> "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
  | (?P<space> \s+ )
  | (?P<word> \w+ )
  | (?P<other> . )
    """,
    re.VERBOSE | re.DOTALL,
)
_PLACE = re.compile(r"([\w./<>-]+\.py):\d+")
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")
_LITERAL = re.compile(r"""[rbfuRBFU]{0,2}["']""")
_OPEN, _CLOSE = "([{", ")]}"
_TIGHT = frozenset("([{.~@")
"""After these, and before closing brackets and the like, no space is kept."""
_GLUED = frozenset(")]},.:;")


def plain_code(text: str) -> str:
    """Give source text in one layout, cut at ``MAX_TEXT`` characters with an ellipsis."""
    pieces: list[str] = []
    tuples: list[bool] = []
    space = False
    for match in _TOKEN.finditer(text):
        piece = match.group()
        if match.lastgroup == "space":
            space = True
            continue
        if match.lastgroup == "string":
            piece = _quoted(piece)
        elif piece in _OPEN:
            # A comma makes a tuple only behind a bracket that nothing calls or indexes.
            tuples.append(piece == "(" and not (pieces and _callable(pieces[-1]) and not space))
        elif piece in _CLOSE:
            alone = tuples.pop() if tuples else False
            if pieces and pieces[-1] == "," and not (alone and _commas(pieces) == 1):
                pieces.pop()
        if space and pieces and pieces[-1][-1] not in _TIGHT and piece[0] not in _GLUED:
            pieces.append(" ")
        pieces.append(piece)
        space = False
    return cut(_bare(pieces))


def plain_message(text: str) -> str:
    """Give the message of an exception; one that is only known as code, as code."""
    text = plain_text(text)
    return plain_code(text) if _LITERAL.match(text) else text


def plain_text(text: str) -> str:
    """Give a message on one line, without line numbers and addresses."""
    return _ADDRESS.sub("0x…", _PLACE.sub(r"\1", " ".join(text.split())))


def cut(text: str) -> str:
    """``text``, or its beginning with an ellipsis."""
    text = text.removesuffix("…").rstrip()
    return text if len(text) < MAX_TEXT else text[: MAX_TEXT - 1].rstrip() + "…"


def _bare(pieces: list[str]) -> str:
    """The text without brackets around all that is assigned or returned, which say nothing."""
    start, depth = 0, 0
    for at, piece in enumerate(pieces):
        depth += (piece in _OPEN) - (piece in _CLOSE)
        if depth == 0 and piece in ("=", "return"):
            start = at + 1
    while start < len(pieces) and pieces[start] == " ":
        start += 1
    value = pieces[start:]
    if not start or value[:1] != ["("] or not _encloses(value):
        return "".join(pieces)
    end = None if value[-1] == "…" else -1
    return "".join((*pieces[:start], *value[1:end]))


def _encloses(value: list[str]) -> bool:
    """Whether the first bracket is closed at the end, and makes no tuple or generator.

    Of a text that was cut before the end, as far as it shows.
    """
    depth = 0
    for at, piece in enumerate(value):
        depth += (piece in _OPEN) - (piece in _CLOSE)
        if depth == 0:
            return at == len(value) - 1
        if depth == 1 and piece in {",", "for", "yield"}:
            return False
    return value[-1] == "…"


def _quoted(literal: str) -> str:
    inside = literal[1:-1]
    if literal[0] == "'" and '"' not in inside and "\\" not in inside:
        return f'"{inside}"'
    return literal


def _callable(piece: str) -> bool:
    return piece[-1].isalnum() or piece[-1] in "_)]"


def _commas(pieces: list[str]) -> int:
    """Commas of the innermost bracket that is open at the end."""
    depth = count = 0
    for piece in reversed(pieces):
        if piece in _CLOSE:
            depth += 1
        elif piece in _OPEN:
            if depth == 0:
                break
            depth -= 1
        elif piece == "," and depth == 0:
            count += 1
    return count
