"""Open the vLLM tree that the user names, and the packages that go with it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from mlapath.base.errors import TreeError
from mlapath.source.discover import discover_settings
from mlapath.source.indexed import IndexAccess
from mlapath.source.platforms import Platform
from mlapath.source.ports import Progress, Store, silent
from mlapath.source.settings import IndexSettings
from mlapath.source.tree import Companion, SourceTree

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet


def open_tree(
    spec: str | Path | None,
    *,
    cache: Store,
    python: str | Path | None = None,
    platform: str | None = None,
    progress: Progress = silent,
    offline: bool = False,
    settings: IndexSettings | None = None,
) -> SourceTree:
    """Open the tree `spec`: a version, a folder, an archive, or None for the installed one.

    `python` is the interpreter whose vLLM is meant if `spec` is None, and whose pip settings
    count. `platform` (default linux_x86_64) chooses among the wheels of a version. With
    `offline` the index is never asked. Raises TreeError (NetworkError if the index cannot be
    reached), one clear line each.
    """
    if spec is None:
        from mlapath.source.installed import installed_tree

        return installed_tree(python)
    version = as_version(spec)
    if version is not None:
        access = IndexAccess(
            settings or discover_settings(prefix=_prefix(python)), cache, progress, offline=offline
        )
        return access.tree(version, Platform.parse(platform))
    path = Path(spec).expanduser()
    if not str(spec):
        raise TreeError("--vllm is empty; give a version (such as 0.16.0), a folder or an archive")
    if path.is_file():
        from mlapath.source.archive import archive_tree

        return archive_tree(path, cache)
    if not path.exists():
        raise TreeError(
            f"{spec} is neither a version (such as 0.16.0) nor an existing folder or archive"
        )
    from mlapath.source.folder import folder_tree

    return folder_tree(path)


def open_companion(
    package: str,
    of: SourceTree | str,
    *,
    cache: Store,
    platform: str | None = None,
    progress: Progress = silent,
    offline: bool = False,
    settings: IndexSettings | None = None,
) -> Companion | None:
    """Open the configuration part of `package` (`transformers`).

    `of` is the tree it goes with, or a requirement (`>=4.56,<5`) or version. For a tree: the
    package in its environment if there is one; else the newest final release that the tree
    requires, from the index. None if the tree's environment lacks the package, or nothing is
    required. Raises TreeError or NetworkError.
    """
    from mlapath.source.companion import beside, requirement_of

    target = Platform.parse(platform)
    if isinstance(of, SourceTree):
        found = beside(of, package)
        if found is not None or of.distributions is not None:
            return found
        requirement = requirement_of(of, package, target)
        if requirement is None:
            return None
    else:
        requirement = _requirement(of)
    access = IndexAccess(settings or discover_settings(), cache, progress, offline=offline)
    return access.companion(package, requirement, target)


def list_releases(
    package: str = "vllm",
    *,
    cache: Store,
    offline: bool = False,
    prereleases: bool = False,
    settings: IndexSettings | None = None,
) -> tuple[str, ...]:
    """List the versions of `package` on the index, oldest first. Raises NetworkError."""
    access = IndexAccess(settings or discover_settings(), cache, silent, offline=offline)
    return access.releases(package, prereleases=prereleases)


def as_version(spec: str | Path) -> str | None:
    """Give `spec` as a normal version if it is text that reads as one (PEP 440).

    A folder of that name is meant by `./0.16.0`.
    """
    if not isinstance(spec, str):
        return None
    try:
        return str(Version(spec.strip().removeprefix("==")))
    except InvalidVersion:
        return None


def _requirement(text: str) -> SpecifierSet:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    version = as_version(text)
    try:
        return SpecifierSet(f"=={version}" if version else text)
    except InvalidSpecifier as error:
        raise TreeError(f"not a version or requirement: {text!r}") from error


def _prefix(python: str | Path | None) -> Path:
    """Give the environment of an interpreter, from its place alone."""
    return Path(python).absolute().parent.parent if python is not None else Path(sys.prefix)
