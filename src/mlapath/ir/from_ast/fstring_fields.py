"""Where the replacement fields of an f-string stand, by the grammar before Python 3.12.

That grammar reads an f-string as an ordinary string token first: what stands in a field has
no backslash, no comment, and not the quotes of the string.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_GAP = re.compile(r"(?:[ \t\f\n]|\\\n|#[^\n]*)*")
_OPENING = re.compile(r"([A-Za-z]*)('''|\"\"\"|'|\")")
_ENDINGS = {
    quotes: re.compile(rf"(?:[^\\]|\\.)*?{quotes}", re.DOTALL)
    for quotes in ("'''", '"""', "'", '"')
}
# A backslash escapes no brace, but one of ``\N{...}`` belongs to the name.
_COOKED = r"[^\\{}]|\\N\{[^}]*\}|\\[^{}]|\\(?=[{}])"
_RAW = r"[^{}]"
_DOUBLED = r"|\{\{|\}\}"
_TEXTS = {
    # (raw, inside a format spec): there doubled braces are none
    (False, False): re.compile(f"(?:{_COOKED}{_DOUBLED})*", re.DOTALL),
    (False, True): re.compile(f"(?:{_COOKED})*", re.DOTALL),
    (True, False): re.compile(f"(?:{_RAW}{_DOUBLED})*", re.DOTALL),
    (True, True): re.compile(f"(?:{_RAW})*", re.DOTALL),
}
_SPACE = re.compile(r"\s*", re.ASCII)


class Field(NamedTuple):
    """One ``{expression!conversion:spec}``, as offsets into the text.

    Attributes:
        start: of the ``{``.
        first: of the expression, white space around it included.
        last: the end of that.
        colon: of the format spec; -1 if there is none.
        end: behind the ``}``.
        inner: the fields in the format spec.
    """

    start: int
    first: int
    last: int
    colon: int
    end: int
    inner: tuple[Field, ...]


def fields_of(text: str) -> list[Field]:
    """The fields of the f-strings among the concatenated string tokens of ``text``.

    Raises:
        ValueError: the text is not what it should be.
    """
    found: list[Field] = []
    at = _after(_GAP, text, 0)
    while at < len(text):
        opening = _OPENING.match(text, at)
        ending = None if opening is None else _ENDINGS[opening[2]].match(text, opening.end())
        if opening is None or ending is None:
            raise ValueError("not a string token")
        prefix = opening[1].lower()
        if "f" in prefix:
            inside = text[: ending.end() - len(opening[2])]
            fields, stop = _fields(inside, opening.end(), "r" in prefix, False)
            if stop != len(inside):
                raise ValueError("a brace without its match")
            found += fields
        at = _after(_GAP, text, ending.end())
    return found


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return at if match is None else match.end()


def _fields(text: str, at: int, raw: bool, in_spec: bool) -> tuple[list[Field], int]:
    """The fields from ``at`` on, and where the text or the format spec ends."""
    found: list[Field] = []
    literal = _TEXTS[raw, in_spec]
    while True:
        at = _after(literal, text, at)
        if text[at : at + 1] != "{":
            return found, at
        field = _field(text, at, raw)
        found.append(field)
        at = field.end


def _field(text: str, start: int, raw: bool) -> Field:
    last = at = _end_of_expression(text, start + 1)
    if text[at : at + 1] == "=":
        at = _after(_SPACE, text, at + 1)
    if text[at : at + 1] == "!":
        at += 2
    colon = -1
    inner: list[Field] = []
    if text[at : at + 1] == ":":
        colon = at
        inner, at = _fields(text, at + 1, raw, True)
    if text[at : at + 1] != "}":
        raise ValueError("a field without its end")
    return Field(start, start + 1, last, colon, at + 1, tuple(inner))


def _end_of_expression(text: str, at: int) -> int:
    """Where a ``!``, ``:``, ``=`` or ``}`` outside of strings and brackets ends it."""
    depth = 0
    while at < len(text):
        char = text[at]
        if char in "'\"":
            quotes = char * 3 if text.startswith(char * 3, at) else char
            at = text.find(quotes, at + len(quotes))
            if at < 0:
                break
            at += len(quotes)
            continue
        if depth == 0 and char in "!:=}<>":
            if char in "!=<>" and text[at + 1 : at + 2] == "=":
                at += 2
                continue
            if char not in "<>":
                return at
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        at += 1
    raise ValueError("an expression without its end")
