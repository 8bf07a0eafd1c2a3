"""``--config``: a path, or the name of a scenario in the project's file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from mlapath.base.errors import ConfigError

if TYPE_CHECKING:
    from mlapath.app.request import TreeRequest
    from mlapath.project import Entry, Project
    from mlapath.scenario.assemble import ScenarioWords
    from mlapath.scenario.scenario import Scenario


@dataclass(frozen=True)
class Gathered:
    """The scenarios, the tree, and whether a project's file brought them."""

    scenarios: tuple[Scenario, ...]
    tree: TreeRequest
    named: bool = False


def gather(words: ScenarioWords, tree: TreeRequest) -> Gathered:
    """The scenarios that the words mean, and the tree to read.

    A name of the project's file brings that scenario's own words along, before those given, and
    the file's tree where ``tree`` names none. Without targets the default ones are asked about.

    Raises:
        UsageError, ConfigError: one line, at the first word that is wrong.
    """
    from mlapath.scenario.assemble import assemble

    named = _named(words.config)
    if named is None:
        return Gathered(assemble(words), tree)
    from mlapath.project import scenarios_of
    from mlapath.project.trees import default_tree

    project, entries = named
    if tree.vllm is None and tree.python is None:
        vllm, python = default_tree(project)
        tree = replace(tree, vllm=vllm, python=python)
    scenarios = tuple(s for entry in entries for s in scenarios_of(project, entry, words))
    return Gathered(scenarios, tree, named=True)


def _named(config: str | None) -> tuple[Project, tuple[Entry, ...]] | None:
    """The scenarios that ``config`` names; None where it is a path, or nothing is called so."""
    if config is None or Path(config).expanduser().exists():
        return None
    from mlapath.project import find_project, read_project
    from mlapath.project.select import means

    file = find_project(None)
    if file is None:
        return None
    project = read_project(file)
    entries = tuple(entry for entry in project.entries if means(config, entry.name))
    if entries:
        return project, entries
    from mlapath.base.nearest import did_you_mean

    hint = did_you_mean(config, [entry.name for entry in project.entries])
    raise ConfigError(
        f"{config}: no such file, and no scenario of {project.file.name} is called so{hint}"
    )
