"""Texts cut to a length that a line of a report can hold."""

from __future__ import annotations

MAX_VALUE = 80
MAX_TEXT = 110


def shorten(text: str, limit: int = MAX_VALUE) -> str:
    """``text``, or its beginning with an ellipsis; ``limit`` counts characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
