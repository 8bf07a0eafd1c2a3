"""The drivers as a part of the program that is evaluated."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

PACKAGE = "mlapath_drivers"
PREFIX = "<drivers>/"
"""Paths of driver files begin like this; no evidence is taken from them."""


@dataclass(frozen=True)
class DriverFiles:
    """Finds ``mlapath_drivers.NAME`` in this package's ``.pysrc`` files."""

    root: Path = Path(PREFIX)

    def read(self, relpath: str) -> str:
        """The text of a driver."""
        name = relpath.removeprefix(PREFIX)
        return files("mlapath.drivers").joinpath(name).read_text("utf-8")

    def find_module(self, name: str) -> str | None:
        """The path of a driver module."""
        package, _, last = name.rpartition(".")
        if package != PACKAGE or not last.isidentifier():
            return None
        file = files("mlapath.drivers").joinpath(f"{last}.pysrc")
        return f"{PREFIX}{last}.pysrc" if file.is_file() else None
