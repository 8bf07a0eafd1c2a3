"""Choose the file that an installer would take for a version and a platform."""

from __future__ import annotations

import re
from collections.abc import Iterable

from packaging.specifiers import SpecifierSet
from packaging.tags import Tag
from packaging.version import Version

from mlapath.base.errors import TreeError
from mlapath.source.index import IndexFile
from mlapath.source.platforms import Platform


def choose_file(
    files: Iterable[IndexFile], requirement: SpecifierSet, platform: Platform
) -> IndexFile:
    """Give the newest final version that fits; of its files, the wheel pip would take.

    A pre-release counts if `requirement` names one, or if there is nothing else.
    Yanked files only if nothing else fits; an sdist only without a wheel for the platform.
    Raises TreeError if nothing fits.
    """
    offered = list(files)
    # What `contains` says of pre-releases unless told differs between releases of packaging.
    named = bool(requirement.prereleases)
    fitting = [file for file in offered if requirement.contains(file.version, prereleases=named)]
    if not fitting:
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
