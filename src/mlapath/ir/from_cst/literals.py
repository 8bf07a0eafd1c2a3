"""The values of number and string tokens."""

from __future__ import annotations

import ast
import warnings

import libcst as cst

from mlapath.ir.errors import LoweringError


def number_value(node: cst.Integer | cst.Float | cst.Imaginary, line: int) -> complex:
    """The value of a number token (underscores and prefixes as Python reads them)."""
    text = node.value
    try:
        if isinstance(node, cst.Integer):
            return int(text, 0)
        return float(text) if isinstance(node, cst.Float) else complex(text)
    except ValueError as error:  # more digits than sys.get_int_max_str_digits()
        raise LoweringError(line, f"bad number: {error}") from error


def string_value(token: str, line: int) -> str | bytes:
    """The value of one string or bytes token, prefix and quotes included."""
    if "\\" in token:
        return _evaluated(token, line)
    body = token.lstrip("rRuUbB")
    width = 3 if body.startswith(('"""', "'''")) else 1
    inner = body[width:-width]
    if "b" not in token[:2].lower() or len(body) == len(token):
        return inner
    try:
        return inner.encode("ascii")
    except UnicodeEncodeError as error:
        raise LoweringError(line, "bytes can only contain ASCII literal characters") from error


def text_value(text: str, opener: str, line: int) -> str:
    """The value of literal text inside an f-string that begins with ``opener``."""
    text = text.replace("{{", "{").replace("}}", "}")
    if "\\" not in text or "r" in opener.lower():
        return text
    quotes = opener[-1] * 3
    # The space keeps a final quote or backslash of the text off the closing quotes.
    return str(_evaluated(f"{quotes}{text} {quotes}", line))[:-1]


def _evaluated(token: str, line: int) -> str | bytes:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in the analysed source
            value: str | bytes = ast.literal_eval(token)
    except (SyntaxError, ValueError) as error:
        raise LoweringError(line, f"bad string: {error}") from error
    return value
