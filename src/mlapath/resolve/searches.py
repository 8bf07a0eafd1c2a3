"""Searches of a tree by names, each made once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from mlapath.resolve.references import Reference, references
from mlapath.resolve.writes import WriteSite, write_sites


@dataclass
class Searches:
    """What was searched for in the Python files ``paths`` below ``root``; keeps what was found."""

    root: Path
    paths: tuple[str, ...]
    _writes: dict[str, tuple[WriteSite, ...]] = field(default_factory=dict)
    _references: dict[str, tuple[Reference, ...]] = field(default_factory=dict)

    def writes(self, attr: str) -> tuple[WriteSite, ...]:
        """Every write to an attribute of that name."""
        if attr not in self._writes:
            self._writes[attr] = tuple(write_sites(self.root, iter(self.paths), attr))
        return self._writes[attr]

    def references(self, name: str) -> tuple[Reference, ...]:
        """Every place that may refer to a name."""
        if name not in self._references:
            self._references[name] = tuple(references(self.root, self.paths, name))
        return self._references[name]


__all__ = ["Searches"]
