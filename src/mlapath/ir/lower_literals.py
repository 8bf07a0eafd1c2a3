"""The values of number and string tokens."""

from __future__ import annotations

import ast
import warnings

import libcst as cst


def number_value(node: cst.BaseNumber) -> int | float | complex:
    """The value of a number token (underscores and prefixes as Python reads them)."""
    text: str = node.value  # type: ignore[attr-defined]
    if isinstance(node, cst.Integer):
        return int(text, 0)
    return float(text) if isinstance(node, cst.Float) else complex(text)


def string_value(token: str) -> str | bytes:
    """The value of one string or bytes token, prefix and quotes included."""
    if "\\" not in token:
        body = token.lstrip("rRuUbB")
        width = 3 if body[:3] in ('"""', "'''") else 1
        inner = body[width:-width]
        prefix = token[: len(token) - len(body)]
        return inner.encode("ascii") if "b" in prefix.lower() else inner
    return _evaluate(token)


def text_value(text: str, opener: str) -> str:
    """The value of literal text inside an f-string that begins with ``opener``."""
    text = text.replace("{{", "{").replace("}}", "}")
    if "\\" not in text or "r" in opener.lower():
        return text
    quotes = opener[-1] * 3
    # The space keeps a final quote or backslash of the text off the closing quotes.
    return str(_evaluate(f"{quotes}{text} {quotes}"))[:-1]


def _evaluate(token: str) -> str | bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # invalid escapes in the analysed source
        value: str | bytes = ast.literal_eval(token)
    return value
