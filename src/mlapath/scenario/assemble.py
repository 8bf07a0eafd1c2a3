"""From the words of a command line to scenarios, one for each device."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mlapath.base.errors import UsageError
from mlapath.scenario.batch import parse_batch
from mlapath.scenario.cmdline import CommandLine, split_command_line
from mlapath.scenario.config_edit import edit_config
from mlapath.scenario.config_file import read_config
from mlapath.scenario.devices import Device, parse_device
from mlapath.scenario.local_device import find_local_device
from mlapath.scenario.packages import parse_packages
from mlapath.scenario.scenario import DEFAULT_TARGETS, Scenario, parse_env, parse_targets


@dataclass(frozen=True)
class ScenarioWords:
    """A deployment as the user typed it, each option's values in the order given.

    ``engine``: what stands after ``--``. ``inherited_env``: the caller's environment if it is to
    count, else empty. ``more_targets``: asked about beside ``targets`` or the default ones.
    """

    config: str | None = None
    devices: Sequence[str] = ()
    engine: Sequence[str] = ()
    env: Sequence[str] = ()
    inherited_env: Mapping[str, str] = field(default_factory=dict)
    present: Sequence[str] = ()
    absent: Sequence[str] = ()
    sets: Sequence[str] = ()
    unsets: Sequence[str] = ()
    targets: Sequence[str] = ()
    more_targets: Sequence[str] = ()
    batch: str | None = None


def assemble(
    words: ScenarioWords, local_device: Callable[[], Device] = find_local_device
) -> tuple[Scenario, ...]:
    """Read everything that the words name; one scenario for each different device, in order.

    Without a device the machine's own counts. ``--env`` wins over assignments in a pasted line.

    Raises:
        UsageError, ConfigError: one line, at the first word that is wrong.
    """
    line = split_command_line(words.engine)
    devices = [parse_device(text) for text in words.devices]
    env = {**line.env, **parse_env(words.env)}
    packages = parse_packages(words.present, words.absent)
    targets = parse_targets([*(words.targets or DEFAULT_TARGETS), *words.more_targets])
    batch = None if words.batch is None else parse_batch(words.batch)
    config = edit_config(read_config(_config_path(words, line)), words.sets, words.unsets)
    return tuple(
        Scenario(
            config=config,
            device=device,
            flags=line.flags,
            model=line.model,
            env=env,
            inherited_env=words.inherited_env,
            packages=packages,
            targets=targets,
            batch=batch,
        )
        for device in dict.fromkeys(devices or [local_device()])
    )


def _named_by(line: CommandLine) -> str | None:
    """A pasted ``vllm serve FOLDER`` names its own configuration."""
    folder = line.model is not None and Path(line.model).expanduser().is_dir()
    return line.model if folder else None


def names_config(words: ScenarioWords) -> bool:
    """Whether the words say which configuration is meant."""
    return words.config is not None or _named_by(split_command_line(words.engine)) is not None


def _config_path(words: ScenarioWords, line: CommandLine) -> str:
    found = words.config if words.config is not None else _named_by(line)
    if found is not None:
        return found
    raise UsageError("--config is needed: the model's config.json, or the folder that has it")
