"""``mlapath.toml``: the scenarios that a project cares about, by name."""

from mlapath.project.entry import Entry, Project
from mlapath.project.find import find_project
from mlapath.project.read import read_project
from mlapath.project.select import select_entries
from mlapath.project.words import scenarios_of

__all__ = [
    "Entry",
    "Project",
    "find_project",
    "read_project",
    "scenarios_of",
    "select_entries",
]
