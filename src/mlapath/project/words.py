"""A scenario of the project as the words of a command line, and assembled from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from mlapath.base.errors import ConfigError, UsageError
from mlapath.project.entry import Entry, Project
from mlapath.project.part import SPECIAL
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.scenario.devices import Device
from mlapath.scenario.local_device import find_local_device
from mlapath.scenario.scenario import Scenario


def words_of(entry: Entry, folder: Path) -> ScenarioWords:
    """The options that would say the same; targets include those that are expected of."""
    return ScenarioWords(
        config=str(folder / Path(entry.config).expanduser()),
        devices=() if entry.device is None else (entry.device,),
        engine=entry.flags,
        env=[f"{name}={value}" for name, value in entry.env.items()],
        present=entry.present,
        absent=entry.absent,
        sets=[f"{key}={json.dumps(value)}" for key, value in entry.sets.items()],
        unsets=entry.unsets,
        targets=entry.targets,
        more_targets=[name for name in entry.expect if name not in SPECIAL],
        batch=entry.batch,
    )


def scenarios_of(
    project: Project,
    entry: Entry,
    more: ScenarioWords | None = None,
    local_device: Callable[[], Device] = find_local_device,
) -> tuple[Scenario, ...]:
    """Read what the entry names, and what a command line says in ``more``, which wins.

    One scenario for each device: one, unless ``more`` names several. The configuration keeps the
    label that the file gives it.

    Raises:
        ConfigError, UsageError: one line that starts with the scenario's name.
    """
    own, more = words_of(entry, project.folder), more or ScenarioWords()
    joined = replace(
        own,
        devices=more.devices or own.devices,
        engine=(*own.engine, *more.engine),
        env=(*own.env, *more.env),
        inherited_env=more.inherited_env,
        present=(*own.present, *more.present),
        absent=(*own.absent, *more.absent),
        sets=(*own.sets, *more.sets),
        unsets=(*own.unsets, *more.unsets),
        targets=more.targets or own.targets,
        more_targets=(*own.more_targets, *more.more_targets),
        batch=more.batch or own.batch,
    )
    try:
        scenarios = assemble(joined, local_device)
    except (ConfigError, UsageError) as error:
        raise type(error)(f"scenario {entry.name}: {error}") from error
    label = Path(entry.config).as_posix()
    return tuple(replace(s, config=replace(s.config, label=label)) for s in scenarios)
