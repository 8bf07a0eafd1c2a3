"""Where a tree writes to an attribute of a given name.

A byte-level search, then a parse of the lines found. Textual, so it also sees code that the
evaluator never ran.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NAME_OF_TYPE = re.compile(r"\b\w+\s*:\s*$")
COMPOUND = re.compile(
    r"\s*(?:async\s+)?(?:if|elif|else|for|while|with|try|except|finally|class|match|case)\b"
)
"""Statements whose own colon may stand before an assignment on the same line."""


@dataclass(frozen=True)
class WriteSite:
    """``receiver.attr = …`` at ``path:line``; receiver "" for ``setattr(…, "attr", …)``.

    ``owner``: the class in whose body the line stands, by indentation, or ""; ``function``: the
    innermost ``def`` around it, or "".
    """

    path: str
    line: int
    receiver: str
    owner: str
    function: str = ""


def write_sites(root: Path, paths: Iterator[str], attr: str) -> list[WriteSite]:
    """Every write to ``.attr`` in the files, sorted by path and line.

    ``{self.attr=}`` in an f-string is none: no assignment goes on with ``}``, ``!`` or ``:``.
    """
    name = re.escape(attr)
    needle = attr.encode()
    one = rf"((?:\w+(?:\([^()]*\)|\[[^\]]*\])?\.)+){name}"
    forms = (
        re.compile(
            rf"(?:^|[^\w.]){one}\s*(?::[^=\n]+)?"
            rf"(?:[-+*/|&^%@]|//|\*\*|<<|>>)?=(?!=|\s*[}}!:])"
        ),
        re.compile(rf"^[\s(]*(?:[\w.\[\]*]+\s*,\s*)*{one}\s*,[\s\w.,\[\]*)]*=(?!=)"),
        re.compile(rf"^[\s(]*(?:[\w.\[\]*]+\s*,\s*)+{one}\s*\)?\s*=(?!=)"),
        re.compile(rf"\b(?:as|for)\s+{one}\b(?!\s*[.(\[])"),
    )
    set_call = re.compile(rf"(?:\bsetattr|\b__setattr__)\s*\([^\n]*,\s*['\"]{name}['\"]")
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
            written = (m for form in forms for m in form.finditer(text)
                       if not _is_annotation(text[: m.start(1)]))  # fmt: skip
            match = next(written, None)
            if match is None and not set_call.search(text):
                continue
            receiver = match[1].rstrip(".") if match is not None else ""
            owner, function = around(lines, number)
            found.append(WriteSite(path, number, receiver, owner, function))
    return found


def _is_annotation(before: str) -> bool:
    """Whether what follows is the type of a name with a default: ``x: torch.dtype = …``."""
    if before.rstrip().endswith("|"):  # no target of an assignment begins so
        return True
    return NAME_OF_TYPE.search(before) is not None and COMPOUND.match(before) is None


def around(lines: list[str], number: int) -> tuple[str, str]:
    """The innermost class and function whose bodies hold a line, by indentation; "" for none."""
    function = ""
    indent = len(lines[number - 1]) - len(lines[number - 1].lstrip())
    for text in reversed(lines[: number - 1]):
        stripped = text.lstrip()
        depth = len(text) - len(stripped)
        if stripped and depth < indent and not stripped.startswith(("#", ")", "]", "}")):
            if stripped.startswith("class "):
                return _name(stripped[6:]), function
            if stripped.startswith(("def ", "async def ")) and not function:
                function = _name(stripped.removeprefix("async ")[4:])
            indent = depth
        if not indent:
            break
    return "", function


def _name(text: str) -> str:
    return re.split(r"[(:\s\[]", text, maxsplit=1)[0]
