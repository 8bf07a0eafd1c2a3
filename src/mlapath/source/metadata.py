"""METADATA, PKG-INFO and entry_points.txt of a distribution."""

from __future__ import annotations

import configparser
from dataclasses import dataclass
from email.parser import HeaderParser


@dataclass(frozen=True)
class EntryPoint:
    """A plug-in: `name = value` in `group`, of the named distribution."""

    group: str
    name: str
    value: str
    distribution: str

    @property
    def package(self) -> str:
        """The package that is imported for it."""
        return self.value.partition(":")[0].partition(".")[0].strip()


@dataclass(frozen=True)
class Metadata:
    """Name, version and `Requires-Dist` lines (as written), each empty if absent."""

    name: str = ""
    version: str = ""
    requires: tuple[str, ...] = ()


def parse_metadata(text: str) -> Metadata:
    """Read the headers of METADATA or PKG-INFO."""
    message = HeaderParser().parsestr(text)
    return Metadata(
        name=str(message.get("Name", "")).strip(),
        version=str(message.get("Version", "")).strip(),
        requires=tuple(
            " ".join(str(line).split()) for line in message.get_all("Requires-Dist", [])
        ),
    )


def parse_entry_points(text: str, distribution: str) -> tuple[EntryPoint, ...]:
    """Read entry_points.txt; an unreadable one counts as empty."""
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None, strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(text)
    except configparser.Error:
        return ()
    return tuple(
        EntryPoint(group, name, value.strip(), distribution)
        for group in parser.sections()
        for name, value in parser.items(group)
    )
