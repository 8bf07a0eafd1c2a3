"""The platform whose wheel is meant; it need not be the one that mlapath runs on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlapath.base.errors import TreeError

if TYPE_CHECKING:
    from packaging.tags import Tag

_ARCHITECTURES = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True)
class Platform:
    """An operating system (`linux`, `macosx`, `win`) and a machine (`x86_64`, `aarch64`)."""

    system: str
    machine: str

    @classmethod
    def parse(cls, text: str | None) -> Platform:
        """Read `linux_x86_64`, `manylinux_2_28_aarch64`, `aarch64`, `macosx_arm64` and the like.

        None means linux on x86_64, for which most CUDA machines are built.
        """
        if not text:
            return cls("linux", "x86_64")
        flat = text.strip().lower().replace("-", "_").replace("/", "_")
        machine = next(
            (name for name in ("x86_64", "aarch64", "arm64", "amd64", "x64") if name in flat), None
        )
        if machine is None:
            raise TreeError(f"unknown platform {text!r}; try linux_x86_64 or linux_aarch64")
        system = "macosx" if "mac" in flat or "darwin" in flat else "linux"
        if flat.startswith("win"):
            system = "win"
        return cls(system, _ARCHITECTURES.get(machine, machine))

    def __str__(self) -> str:
        return f"{self.system}_{self.machine}"

    def accepts(self, tag: Tag) -> bool:
        """Tell whether a wheel with this tag is for this platform (or for any)."""
        platform = tag.platform
        if platform == "any":
            return True
        machine = platform.endswith(self.machine) or (
            self.system != "linux"
            and self.machine == "aarch64"
            and platform.endswith(("arm64", "universal2"))
        )
        if self.system == "win":
            return platform == {"x86_64": "win_amd64"}.get(self.machine, "win_arm64")
        if self.system == "macosx":
            return platform.startswith("macosx_") and (machine or platform.endswith("universal2"))
        return platform.startswith(("manylinux", "linux_")) and machine
