"""What ``mlapath tree`` found: which vLLM would be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mlapath.source import Origin


@dataclass(frozen=True)
class Plugin:
    """An entry point of another distribution that vLLM would load."""

    group: str
    name: str


@dataclass(frozen=True)
class TreeReport:
    """A vLLM source tree.

    ``root``: the folder that holds ``vllm/``. ``extensions``: compiled modules by dotted name.
    ``requires``: requirements as the metadata states them. ``modified``: files that differ from
    what was installed. ``shadows``: other copies that this interpreter could import.
    """

    version: str | None
    origin: Origin
    root: str
    digest: str
    extensions: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    shadows: tuple[str, ...] = ()
    plugins: tuple[Plugin, ...] = ()
    notes: tuple[str, ...] = ()
