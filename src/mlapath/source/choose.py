"""Choose the file that an installer would take for a version and a platform."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from packaging.specifiers import SpecifierSet
from packaging.tags import Tag
from packaging.version import Version

from mlapath.base.errors import TreeError
from mlapath.source.index import IndexFile

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


def choose_file(
    files: Iterable[IndexFile], requirement: SpecifierSet, platform: Platform
) -> IndexFile:
    """Give the newest final version that fits; of its files, the wheel pip would take.

    Yanked files only if nothing else fits; an sdist only without a wheel for the platform.
    Raises TreeError if nothing fits.
    """
    offered = list(files)
    fitting = [file for file in offered if requirement.contains(file.version)]
    if not fitting:
        # An exact pre-release request is honoured: `contains` then needs to be told.
        fitting = [
            file for file in offered if requirement.contains(file.version, prereleases=True)
        ]
    fitting = [file for file in fitting if not file.yanked] or fitting
    usable = [file for file in fitting if not file.is_wheel or _for(platform, file)]
    if not usable:
        raise TreeError(_nothing(offered, requirement, platform, bool(fitting)))
    return max(usable, key=lambda file: _rank(file, platform))


def versions_of(files: Iterable[IndexFile], *, prereleases: bool = False) -> tuple[Version, ...]:
    """List the versions, oldest first, without yanked and (by default) pre-releases."""
    return tuple(
        sorted(
            {
                file.version
                for file in files
                if not file.yanked and (prereleases or not file.version.is_prerelease)
            }
        )
    )


def _for(platform: Platform, file: IndexFile) -> bool:
    return any(platform.accepts(tag) for tag in file.tags)


def _rank(file: IndexFile, platform: Platform) -> tuple[object, ...]:
    specific = max(
        (_baseline(tag) for tag in file.tags if platform.accepts(tag)), default=(-1, -1, -1)
    )
    return (
        file.version,
        file.is_wheel,
        specific,
        file.build or (-1, ""),
        file.filename,
    )


def _baseline(tag: Tag) -> tuple[int, int, int]:
    if tag.platform == "any":
        return (0, 0, 0)
    match = re.search(r"_(\d+)_(\d+)_", tag.platform)
    return (1, int(match[1]), int(match[2])) if match else (1, 0, 0)


def _nothing(
    offered: list[IndexFile], requirement: SpecifierSet, platform: Platform, fitting: bool
) -> str:
    if fitting:
        return f"the package index has {requirement} but nothing for {platform}"
    newest = [str(version) for version in versions_of(offered)[-5:]]
    return (
        f"the package index has no version {requirement}; newest there: {', '.join(newest)}"
        if newest
        else f"the package index has no version {requirement}"
    )
