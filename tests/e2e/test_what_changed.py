"""docs/what-changed.md: made by its command, for the deployments beside it."""

from __future__ import annotations

import re
import runpy
import shlex
from pathlib import Path

import pytest
from packaging.version import Version

from mlapath.project import read_project
from support.realtree import real_tree

DOCS = Path(__file__).resolve().parents[2] / "docs"
WRITE = runpy.run_path(str(DOCS / "releases" / "write.py"))
PAGE = (DOCS / "what-changed.md").read_text("utf-8")
ROW = re.compile(r"^\| (\d[\w.]*) \| ([^|]+) \| (.+?) \| (.+) \|$", re.MULTILINE)


def rows(text: str) -> list[tuple[str, str, str, str]]:
    """Release, scenario, change, cause; a line for each scenario."""
    return [
        (release, name, change, cause)
        for release, names, change, cause in ROW.findall(text)
        for name in names.replace("\\", "").split(", ")
    ]


def asked() -> tuple[str, ...]:
    """First and last release, and the pattern of scenarios if there is one, as the page says."""
    (words,) = re.findall(r"`python docs/releases/write.py ([^`]+)`", PAGE)
    return tuple(shlex.split(words))


def test_the_page_says_how_it_was_made() -> None:
    first, last, *pattern = asked()
    shown = shlex.join(["mlapath", *WRITE["command"](first, last, *(pattern or ["*"]))])
    assert f"\n{shown}\n" in PAGE
    assert (first, last) == ("0.16.0", "0.33.0")


def test_the_project_has_the_models() -> None:
    names = [entry.name for entry in read_project(DOCS / "releases" / "mlapath.toml").entries]
    assert names == [
        "v3.2/h100", "v3.2/b200", "v3/h100", "v3/b200", "v3/12.0", "glm-4.7-flash/h100",
        "glm-4.7-flash/b200", "kimi-k2/h100", "kimi-linear/h100",
    ]  # fmt: skip


def test_rows_are_of_the_project_and_in_order() -> None:
    names = {entry.name for entry in read_project(DOCS / "releases" / "mlapath.toml").entries}
    found = rows(PAGE)
    assert {name for _, name, _, _ in found} <= names
    releases = [Version(release) for release, *_ in found]
    assert releases == sorted(releases)
    assert len(found) == len(set(found))
    assert any("forward_mha: never" in change for _, _, change, _ in found)


@pytest.mark.network
@pytest.mark.slow
def test_two_releases_are_as_the_command_says() -> None:
    for version in ("0.25.1", "0.26.0"):
        real_tree(version)
    made = rows(WRITE["table"]("0.25.1", "0.26.0", "v3.2/b200"))
    assert made
    shown = [row for row in rows(PAGE) if row[:2] == ("0.26.0", "v3.2/b200")]
    assert sorted(shown) == sorted(made)
