"""What a file's text imports, by absolute names: statements anywhere in it, comments apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

FROM = re.compile(
    r"(?:^|[;:])[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]*"
    r"(?:\\\n[ \t]*)?(\((?:[^)#]|#[^\n]*)*\)?|(?:[^\n;#\\]|\\\n)*)",
    re.MULTILINE,
)
PLAIN = re.compile(r"(?:^|[;:])[ \t]*import[ \t]+((?:[^\n;#\\]|\\\n)+)", re.MULTILINE)
COMMENT = re.compile(r"#[^\n]*")
EVERYTHING = "*"


def imports_of(text: str, module: str, *, package: bool) -> Iterator[tuple[str, int]]:
    """(name, line) of what a file may import: modules, and names that may be modules.

    ``NAME.*`` for all of a package's. module: the file's own name. package: it is an
    ``__init__.py``.
    """
    for match in FROM.finditer(text):
        base = _absolute(match[1], module, package=package)
        if base is None:
            continue
        line = text.count("\n", 0, match.start(1)) + 1
        yield base, line
        for name in _names(match[2]):
            yield f"{base}.{name}", line
    for match in PLAIN.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        for name in _names(match[1]):
            yield name, line


def _names(listed: str) -> Iterator[str]:
    bare = COMMENT.sub("", listed).replace("\\\n", " ").strip("() \t\n")
    for part in bare.split(","):
        words = part.split()
        if words and re.fullmatch(r"[\w.]+|\*", words[0]):
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
