"""An engine for one tree and one scenario: source, companions, facts, summaries."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement

from mlapath.app.other_build import EXTENSIONS, common, other_build, version_of
from mlapath.app.plugins import plugins_of
from mlapath.drivers.files import DriverFiles
from mlapath.engine.interp import Engine
from mlapath.models.libraries import LIBRARIES
from mlapath.models.registry import Models
from mlapath.models.transformers import SOURCE
from mlapath.models.vllm_unset import UNSET
from mlapath.resolve.mentions import Mentions, mentions_of
from mlapath.resolve.program import Files, Loader, Program
from mlapath.scenario.devices import Device
from mlapath.scenario.facts import Facts
from mlapath.scenario.packages import PackageFacts
from mlapath.source import Companion, SourceTree

MODEL_FOLDER = "/model"
"""Where the scenario's configuration lies, for vLLM: a local model folder."""


@dataclass(frozen=True)
class Selected:
    """A companion of which only some modules are evaluated from source."""

    files: Companion
    pattern: Any

    @property
    def root(self) -> Any:
        """The companion's root."""
        return self.files.root

    def read(self, relpath: str) -> str:
        """A file's text."""
        return self.files.read(relpath)

    def find_module(self, name: str) -> str | None:
        """The path of a module, if it is one of those that are evaluated."""
        return self.files.find_module(name) if self.pattern.fullmatch(name) else None


def make_program(
    tree: SourceTree, companion: Companion | None, load_ir: Loader,
    read_mentions: Callable[[str], Mentions] = mentions_of,
) -> Program:  # fmt: skip
    """The program: the tree, and transformers' configuration modules beside it."""
    trees: list[Files] = [tree, DriverFiles()]
    if companion is not None:
        trees.append(Selected(companion, SOURCE))
    return Program(trees, load_ir, read_mentions)


def distributions_of(
    tree: SourceTree, companion: Companion | None, device: Device
) -> dict[str, str | None]:
    """Distributions with versions where they are known.

    The environment's, else what the metadata requires without an extra, on Linux; of a CPU build
    that the tree stands for, what it requires on every platform.
    """
    if tree.distributions is not None:
        return dict(tree.distributions)
    found: dict[str, str | None] = {}
    machine = {"platform_machine": "x86_64", "platform_system": "Linux", "sys_platform": "linux",
               "python_version": "3.12", "python_full_version": "3.12.0", "extra": "",
               "implementation_name": "cpython", "platform_python_implementation": "CPython",
               "os_name": "posix"}  # fmt: skip
    other = other_build(tree, device)
    for line in common(tree.requires) if other else tree.requires:
        try:
            requirement = Requirement(line)
        except InvalidRequirement:
            continue
        if requirement.marker is not None and not requirement.marker.evaluate(machine):
            continue
        pinned = [s.version for s in requirement.specifier if s.operator == "=="]
        version = pinned[0] if len(pinned) == 1 and "*" not in pinned[0] else None
        found[requirement.name] = version
    found["vllm"] = version_of(tree.version, other) if other else tree.version
    if companion is not None:
        found["transformers"] = companion.version
    return found


def make_facts(
    tree: SourceTree, companion: Companion | None, device: Device, env: Mapping[str, str],
    packages: PackageFacts, config: Mapping[str, Any],
    quant_config: Mapping[str, Any] | None = None, device_count: int = 1,
) -> Facts:  # fmt: skip
    """The facts of the scenario."""
    files = {f"{MODEL_FOLDER}/config.json": json.dumps(config)}
    if quant_config is not None:
        files[f"{MODEL_FOLDER}/hf_quant_config.json"] = json.dumps(quant_config)
    other = other_build(tree, device)
    return Facts(
        device=device, env=dict(env), distributions=distributions_of(tree, companion, device),
        extensions=EXTENSIONS[other] if other else frozenset(tree.extensions),
        complete=tree.distributions is not None, built=other == "cpu" or not other and tree.built,
        present=packages.present, absent=packages.absent, files=files, device_count=device_count,
        plugins=plugins_of(tree),
    )  # fmt: skip


def device_count(flags: Mapping[str, Any]) -> int:
    """How many devices the deployment needs at least: the machine has them, by assumption."""
    count = 1
    for name in ("tensor_parallel_size", "pipeline_parallel_size", "data_parallel_size",
                 "prefill_context_parallel_size"):  # fmt: skip
        value = flags.get(name)
        count *= value if isinstance(value, int) and value > 0 else 1
    return count


def make_engine(
    program: Program, facts: Facts, config: Mapping[str, Any],
    removed: tuple[tuple[str, ...], ...] = (),
) -> Engine:  # fmt: skip
    """An engine that has not run anything yet. ``removed``: keys that the user took away."""
    engine = Engine(program, Models(LIBRARIES), facts)
    engine.store["hf_config"] = dict(config)
    engine.store[UNSET] = removed
    return engine


__all__ = ["MODEL_FOLDER", "device_count", "make_engine", "make_facts", "make_program"]
