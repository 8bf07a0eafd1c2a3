"""Scenarios by name."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from mlapath.base.errors import UsageError
from mlapath.base.nearest import did_you_mean
from mlapath.project.entry import Entry, Project


def select_entries(project: Project, names: Sequence[str]) -> tuple[Entry, ...]:
    """The scenarios that ``names`` mean, in the file's order; all where there are no names.

    A name means itself, all that its matrix makes (``prod`` means ``prod/h100``), or what a
    pattern with ``*`` matches.

    Raises:
        UsageError: a name that means none, with the nearest.
    """
    if not names:
        return project.entries
    for name in names:
        if not any(means(name, entry.name) for entry in project.entries):
            known = [entry.name for entry in project.entries]
            raise UsageError(
                f"{project.file.name} has no scenario {name!r}{did_you_mean(name, known)}"
            )
    return tuple(e for e in project.entries if any(means(name, e.name) for name in names))


def means(name: str, full: str) -> bool:
    """Whether ``name``, as a user says it, means the scenario ``full``."""
    return full == name or full.startswith(f"{name}/") or fnmatchcase(full, name)
