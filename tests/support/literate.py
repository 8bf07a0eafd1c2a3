"""Cases written down in Markdown (``tests/cases``): a program, and what the evaluator must say.

A case is a heading, a sentence, a ``python`` block and an ``expect`` block. Its lines are

- ``x: 3``, ``x: 1 | 2``: the values that a name may have at the end, as Python literals;
- ``x: ?``: not known; ``x: unbound | 1``: perhaps not bound;
- ``line 7: always``, ``conditional`` or ``never``: whether the simple statement on that line of
  the program runs;
- ``raises: KeyError``: it certainly ends the program;
- ``fault: …``: the evaluator is wrong here today, and why.

Inputs come from the module ``outside``: ``flag()`` a bool, ``number()`` 0 to 3, ``maybe()`` None
or a number, ``items()`` a list of up to three numbers, ``word()`` one of "x", "y", "z";
``risky(0)`` a number, or it raises ValueError or KeyError. The evaluator knows nothing of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES = Path(__file__).resolve().parents[1] / "cases"
MARK = "reached_"


class Word(str):
    """What a case says of a value instead of a literal."""

    __slots__ = ()


UNBOUND = Word("unbound")
UNKNOWN = Word("?")
RUNS = ("always", "conditional", "never")
INPUTS = re.compile(r"^from outside import", re.MULTILINE)

_CASE = re.compile(
    r"^## (.+?)\n+(.*?)```python\n(.*?)```\n+```expect\n(.*?)```", re.MULTILINE | re.DOTALL
)
_LINE = re.compile(r"line (\d+)")


class Malformed(ValueError):  # noqa: N818 - of a case, for its writer
    """A case that does not say what it should."""


@dataclass(frozen=True)
class Case:
    """A case. ``values``: by name, the literals that it may have, or UNBOUND, UNKNOWN."""

    topic: str
    title: str
    sentence: str
    program: str
    values: dict[str, tuple[Any, ...]]
    lines: dict[int, str]
    raises: str
    fault: str

    @property
    def id(self) -> str:
        """For the test's name."""
        return f"{self.topic}-{self.title}".replace(" ", "_")

    @property
    def known(self) -> bool:
        """Whether the program has no inputs."""
        return INPUTS.search(self.program) is None

    @property
    def marked(self) -> str:
        """The program with a call of ``reached_7()`` before each statement that is asked for."""
        rows = self.program.splitlines()
        for number in self.lines:
            row = rows[number - 1]
            body = row.lstrip()
            rows[number - 1] = f"{row[: len(row) - len(body)]}{MARK}{number}(); {body}"
        marks = "".join(f"def {MARK}{number}(): pass\n" for number in self.lines)
        future = [row for row in rows if row.startswith("from __future__")]
        rest = [row for row in rows if row not in future]
        return "\n".join([*future, *marks.splitlines(), *rest]) + "\n"


def read_cases(folder: Path = CASES) -> Iterator[Case]:
    """All cases, file by file."""
    for path in sorted(folder.glob("*.md")):
        text = path.read_text("utf-8")
        found = list(_CASE.finditer(text))
        if len(found) != text.count("\n## "):
            raise Malformed(f"{path.name}: a heading without its two blocks")
        yield from (_case(path.stem, *match.groups()) for match in found)


def _case(topic: str, title: str, sentence: str, program: str, expected: str) -> Case:
    values: dict[str, tuple[Any, ...]] = {}
    lines: dict[int, str] = {}
    words = {"raises": "", "fault": ""}
    for row in filter(None, map(str.strip, expected.splitlines())):
        name, _, said = row.partition(": ")
        numbered = _LINE.fullmatch(name)
        if name in words:
            words[name] = said
        elif numbered is not None:
            if said not in RUNS:
                raise Malformed(f"{topic}, {title}: {row}")
            lines[int(numbered[1])] = said
        else:
            values[name] = tuple(_literal(part) for part in said.split(" | "))
    if not sentence.strip() or not (values or lines or words["raises"]):
        raise Malformed(f"{topic}, {title}: it says nothing")
    return Case(topic, title, sentence.strip(), program, values, lines, **words)


def _literal(text: str) -> Any:
    return Word(text) if text in (UNBOUND, UNKNOWN) else ast.literal_eval(text)


def shown(value: Any) -> str:
    """A value as a case has it."""
    return str(value) if type(value) is Word else repr(value)
