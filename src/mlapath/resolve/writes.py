"""Where a tree writes to an attribute of a given name: a byte-level search, then a parse of the
lines found. Textual, so it also sees code that the evaluator never ran."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class WriteSite:
    """``receiver.attr = …`` at ``path:line``; receiver "" for ``setattr(…, "attr", …)``.

    ``owner``: the class in whose body the line stands, by indentation, or "".
    """

    path: str
    line: int
    receiver: str
    owner: str


def write_sites(root: Path, paths: Iterator[str], attr: str) -> list[WriteSite]:
    """Every write to ``.attr`` in the files, sorted by path and line."""
    name = re.escape(attr)
    needle = attr.encode()
    assign = re.compile(
        rf"(?:^|[^\w.])((?:\w+(?:\([^()]*\)|\[[^\]]*\])?\.)+){name}\s*(?::[^=\n]+)?"
        rf"(?:[-+*/|&^%@]|//|\*\*|<<|>>)?=(?!=)"
    )
    set_call = re.compile(rf"\bsetattr\s*\([^\n]*,\s*['\"]{name}['\"]")
    found: list[WriteSite] = []
    for path in paths:
        try:
            data = (root / path).read_bytes()
        except OSError:
            continue
        if needle not in data:
            continue
        lines = data.decode("utf-8", "replace").splitlines()
        for number, text in enumerate(lines, 1):
            if attr not in text:
                continue
            match = assign.search(text)
            if match is not None:
                receiver = match[1].rstrip(".")
                found.append(WriteSite(path, number, receiver, owner_of(lines, number)))
            elif set_call.search(text):
                found.append(WriteSite(path, number, "", owner_of(lines, number)))
    return found


def owner_of(lines: list[str], number: int) -> str:
    """The innermost class whose body holds a line, by indentation."""
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    for text in reversed(lines[: number - 1]):
        stripped = text.lstrip()
        depth = len(text) - len(stripped)
        if stripped and depth < indent and not stripped.startswith(("#", ")", "]", "}")):
            if stripped.startswith("class "):
                return re.split(r"[(:\s]", stripped[6:], maxsplit=1)[0]
            indent = depth
        if not indent:
            break
    return ""
