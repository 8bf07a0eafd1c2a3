"""What a file's text imports, by absolute names: statements anywhere in it, comments apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

WORD = re.compile(r"\bimport\b")
STATEMENT = re.compile(r"(?:^|[;:])[ \t]*(?:from[ \t]+([.\w]+)[ \t]+)?import(?!\w)")
"""The beginning of a statement, in its line."""
FROM = re.compile(r"[ \t]*(?:\\\n[ \t]*)?(\((?:[^)#]|#[^\n]*)*\)?|(?:[^\n;#\\]|\\\n)*)")
PLAIN = re.compile(r"[ \t]+((?:[^\n;#\\]|\\\n)+)")
"""What comes after it."""
COMMENT = re.compile(r"#[^\n]*")
NAME = re.compile(r"[\w.]+|\*")
EVERYTHING = "*"


def imports_of(text: str, module: str, *, package: bool) -> Iterator[tuple[str, int]]:
    """(name, line) of what a file may import: modules, and names that may be modules.

    ``NAME.*`` for all of a package's. module: the file's own name. package: it is an
    ``__init__.py``.
    """
    for start, line in _lines(text):
        end = text.find("\n", start)
        for match in STATEMENT.finditer(text[start : end if end >= 0 else len(text)]):
            listed = (FROM if match[1] else PLAIN).match(text, start + match.end())
            if listed is None:
                continue
            base = _absolute(match[1], module, package=package) if match[1] else ""
            if base:
                yield base, line
            if base is not None:
                for name in _names(listed[1]):
                    yield f"{base}.{name}" if base else name, line


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """(where it starts, its number) of each line that has the word."""
    last, line = 0, 1
    seen = -1
    for match in WORD.finditer(text):
        start = text.rfind("\n", 0, match.start()) + 1
        if start != seen:
            line += text.count("\n", last, start)
            last = seen = start
            yield start, line


def _names(listed: str) -> Iterator[str]:
    bare = COMMENT.sub("", listed).replace("\\\n", " ").strip("() \t\n")
    for part in bare.split(","):
        words = part.split()
        if words and NAME.fullmatch(words[0]):
            yield words[0]


def _absolute(name: str, module: str, *, package: bool) -> str | None:
    """The absolute name of a ``from`` clause; None where it leads out of the tree."""
    bare = name.lstrip(".")
    level = len(name) - len(bare)
    if not level:
        return bare
    parts = module.split(".")
    keep = len(parts) - level + (1 if package else 0)
    if keep < 1:
        return None
    return ".".join((*parts[:keep], *([bare] if bare else [])))


__all__ = ["EVERYTHING", "imports_of"]
