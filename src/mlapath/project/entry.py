"""What a project file says, once inheritance and matrices are worked out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mlapath.scenario.config_file import JsonValue

DEFAULT_BASELINE = "mlapath.lock"


@dataclass(frozen=True)
class Entry:
    """One scenario on one device, as written; ``config`` is relative to the project's folder.

    ``device``: None is the machine's own. ``flags``: what stands after ``--`` on a command line.
    ``present``, ``absent``, ``sets``, ``unsets``: as ``--with``, ``--without``, ``--set``,
    ``--unset``. ``expect``: the verdict that each target must have, and words for ``outcome``,
    ``backend`` and ``prefill_backend``. ``patches``: what the deployment replaces at run time,
    ``module:Class.attribute``.
    """

    name: str
    config: str
    device: str | None = None
    flags: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    sets: Mapping[str, JsonValue] = field(default_factory=dict)
    unsets: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    batch: str | None = None
    expect: Mapping[str, str] = field(default_factory=dict)
    patches: tuple[str, ...] = ()


@dataclass(frozen=True)
class Project:
    """A project file.

    ``vllm``: the default tree: a version, or a path relative to the project's folder. ``python``:
    the interpreter whose vLLM is meant where there is none. ``baseline``: the lock file, relative
    to the folder. ``fail_on``: what makes ``check`` fail, None where the file does not say.
    """

    file: Path
    entries: tuple[Entry, ...] = ()
    vllm: str | None = None
    python: str | None = None
    baseline: str = DEFAULT_BASELINE
    fail_on: tuple[str, ...] | None = None

    @property
    def folder(self) -> Path:
        """What the paths of the file are relative to."""
        return self.file.parent
