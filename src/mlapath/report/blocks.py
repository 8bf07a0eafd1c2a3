"""What a report for people is made of, before it has a format."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias


class Tone(Enum):
    """How a piece of text should strike the reader; a renderer gives it a colour or none."""

    PLAIN = "plain"
    STRONG = "strong"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True)
class Title:
    """The first line of a report, or of a part of it that stands alone."""

    text: str


@dataclass(frozen=True)
class Headline:
    """An answer: a word in capitals, with what it is about before and the reason after."""

    subject: str
    word: str
    tone: Tone
    text: str = ""


@dataclass(frozen=True)
class Section:
    """A heading over facts."""

    title: str


@dataclass(frozen=True)
class Fact:
    """A line under the last heading. An empty label continues the fact above."""

    label: str
    text: str
    at: str | None = None


@dataclass(frozen=True)
class Step:
    """One link of an evidence chain; ``label`` says what it is, such as config, set or branch."""

    label: str
    text: str
    at: str | None = None


class Cell(NamedTuple):
    """A cell of a table."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True)
class Table:
    """Rows as long as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


Block: TypeAlias = Title | Headline | Section | Fact | Step | Table
