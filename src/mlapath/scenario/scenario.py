"""The deployment that is analysed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mlapath.base.errors import UsageError
from mlapath.scenario.batch import Batch
from mlapath.scenario.config_file import ModelConfig
from mlapath.scenario.devices import Device
from mlapath.scenario.packages import PackageFacts

DEFAULT_TARGETS = ("forward_mha", "forward_mqa")
_TARGET = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_ENV = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)


@dataclass(frozen=True)
class Scenario:
    """A model on a device with flags, environment and packages.

    ``flags``: engine flag tokens as ``vllm serve`` takes them, not interpreted yet. ``model``:
    the model's name on a pasted command line. ``env``: what the user set; ``inherited_env``: the
    caller's environment where ``--inherit-env`` asked for it, of which only what the tree reads
    may count, and ``env`` wins. ``targets``: function names whose reachability is asked.
    """

    config: ModelConfig
    device: Device
    flags: tuple[str, ...] = ()
    model: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    inherited_env: Mapping[str, str] = field(default_factory=dict)
    packages: PackageFacts = field(default_factory=PackageFacts)
    targets: tuple[str, ...] = DEFAULT_TARGETS
    batch: Batch | None = None


def parse_env(assignments: Iterable[str]) -> dict[str, str]:
    """Read ``NAME=VALUE`` arguments; of two for one name the last wins, as in a shell.

    Raises:
        UsageError: not of that form.
    """
    env = {}
    for text in assignments:
        match = _ENV.fullmatch(text)
        if match is None:
            raise UsageError(f"--env {text!r}: expected NAME=VALUE")
        env[match[1]] = match[2]
    return env


def parse_targets(names: Iterable[str]) -> tuple[str, ...]:
    """Check the form of target names and drop repeats; whether they exist is the tree's word.

    Raises:
        UsageError: not a dotted name.
    """
    targets = dict.fromkeys(name.strip() for name in names)
    for name in targets:
        if _TARGET.fullmatch(name) is None:
            raise UsageError(
                f"--target {name!r}: expected a function name such as forward_mha or Class.method"
            )
    return tuple(targets)
