"""What the evaluation saw of one line, by the region that it ran in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mlapath.app.execution import Parts
from mlapath.engine.control import Guard
from mlapath.engine.regions import REGIONS


@dataclass(frozen=True)
class Sighting:
    """A line ran in a region: ``sure``, or under guards that are not known."""

    region: str
    sure: bool
    guards: tuple[Guard, ...]


def sightings(parts: Iterable[Parts], path: str, line: int) -> tuple[Sighting, ...]:
    """What was seen of a line, one entry for each region."""
    found: dict[str, Sighting] = {}
    for part in parts:
        for region in REGIONS:
            lines = part.get((region, path))
            if lines is None or line not in lines:
                continue
            seen = lines[line]
            new = Sighting(region, seen.covered, () if seen.covered else seen.guards or ())
            old = found.get(region)
            if old is None or (new.sure and not old.sure) or (
                new.sure == old.sure and len(new.guards) < len(old.guards)
            ):  # fmt: skip
                found[region] = new
    return tuple(found[region] for region in sorted(found))


def has_lines(parts: Iterable[Parts], path: str, first: int, last: int) -> bool:
    """Whether anything of some lines ran."""
    return any(
        first <= line <= last
        for part in parts for region in REGIONS for line in part.get((region, path), ())
    )  # fmt: skip


__all__ = ["Sighting", "has_lines", "sightings"]
