"""``--config``: a path, or the name of a scenario in the project's file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mlapath.base.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from mlapath.app.request import TreeRequest
    from mlapath.project import Entry, Project
    from mlapath.scenario.assemble import ScenarioWords
    from mlapath.scenario.scenario import Scenario

Named: TypeAlias = "tuple[str, Scenario]"
"""A scenario and what to call it."""


@dataclass(frozen=True)
class Gathered:
    """The scenarios, the tree, and whether a project's file brought them.

    ``names``: what to call each scenario, all different.
    """

    scenarios: tuple[Scenario, ...]
    tree: TreeRequest
    named: bool = False
    names: tuple[str, ...] = ()


def gather(words: ScenarioWords, tree: TreeRequest, project: str | None = None) -> Gathered:
    """The scenarios that the words mean, and the tree to read.

    A name of the project's file brings that scenario's own words along, before those given, and
    the file's tree where ``tree`` names none. Without targets the default ones are asked about.
    ``project``: the file, where it is not the nearest one.

    Raises:
        UsageError, ConfigError: one line, at the first word that is wrong.
    """
    from mlapath.scenario.assemble import assemble

    named = _named(words.config, project)
    if named is None:
        scenarios = assemble(words)
        return Gathered(scenarios, tree, names=_distinct(scenarios, [""] * len(scenarios)))
    from mlapath.project import scenarios_of
    from mlapath.project.trees import default_tree

    found_in, entries = named
    if tree.vllm is None and tree.python is None:
        vllm, python = default_tree(found_in)
        tree = replace(tree, vllm=vllm, python=python)
    found = [(entry.name, s) for entry in entries for s in scenarios_of(found_in, entry, words)]
    scenarios = tuple(scenario for _, scenario in found)
    names = _distinct(scenarios, [name for name, _ in found])
    return Gathered(scenarios, tree, named=True, names=names)


def gather_pairs(
    words: ScenarioWords, names: tuple[str, str], tree: TreeRequest, project: str | None
) -> tuple[tuple[tuple[Named, Named], ...], TreeRequest]:
    """Each scenario of the first name beside the one of the second; and the tree to read.

    Both are what ``--config`` takes; the words hold for both.

    Raises:
        UsageError, ConfigError: one line; one of them is neither a scenario nor a configuration,
            or they make different numbers of scenarios.
    """
    sides = [_side(words, given, tree, project) for given in names]
    (one, other) = (list(zip(side.names, side.scenarios, strict=True)) for side in sides)
    if len(one) != len(other):
        raise UsageError(
            f"{names[0]} makes {len(one)} scenarios and {names[1]} {len(other)}: name one of each"
        )
    return tuple(zip(one, other, strict=True)), sides[0].tree


def _side(words: ScenarioWords, given: str, tree: TreeRequest, project: str | None) -> Gathered:
    from mlapath.source import as_version

    if as_version(given) is not None and not Path(given).exists():
        raise UsageError(
            f"{given} is a version: two vLLMs are compared with --config, "
            "and two scenarios or configurations without"
        )
    return gather(replace(words, config=given), tree, project)


def _distinct(scenarios: Sequence[Scenario], given: Sequence[str]) -> tuple[str, ...]:
    """The given names where they tell, else configuration and device; equal ones are numbered."""
    names: list[str] = []
    for scenario, own in zip(scenarios, given, strict=True):
        alone = own if given.count(own) == 1 else ""
        name = alone or f"{own or scenario.config.label} on {scenario.device.name}"
        same = sum(taken.partition(" #")[0] == name for taken in names)
        names.append(f"{name} #{same + 1}" if same else name)
    return tuple(names)


def _named(
    config: str | None, given: str | None = None
) -> tuple[Project, tuple[Entry, ...]] | None:
    """The scenarios that ``config`` names; None where it is a path, or nothing is called so."""
    if config is None or Path(config).expanduser().exists():
        return None
    from mlapath.project import find_project, read_project
    from mlapath.project.select import means

    file = find_project(given)
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
