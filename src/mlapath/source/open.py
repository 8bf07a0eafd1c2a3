"""Open the vLLM tree that the user names."""

from __future__ import annotations

from pathlib import Path

from packaging.version import InvalidVersion, Version

from mlapath.base.errors import TreeError
from mlapath.source.choose import Platform
from mlapath.source.discover import discover_settings
from mlapath.source.indexed import IndexAccess
from mlapath.source.ports import Progress, Store, silent
from mlapath.source.settings import IndexSettings
from mlapath.source.tree import SourceTree


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

    Raises TreeError (NetworkError if the index cannot be reached), one clear line each.
    """
    version = as_version(spec)
    if version is None:
        raise TreeError("only versions yet")
    access = IndexAccess(settings or discover_settings(), cache, progress, offline=offline)
    return access.tree(version, Platform.parse(platform))


def as_version(spec: str | Path | None) -> str | None:
    """Give `spec` as a version (PEP 440) if it reads as one, and no such path exists."""
    if not isinstance(spec, str):
        return None
    try:
        version = str(Version(spec.removeprefix("==")))
    except InvalidVersion:
        return None
    return None if Path(spec).exists() else version
