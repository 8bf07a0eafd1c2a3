"""Make trees and companions from a folder that `fetch` or `archive` filled in the cache."""

from __future__ import annotations

from pathlib import Path

from mlapath.base.errors import TreeError
from mlapath.source.manifest import SITE, Manifest
from mlapath.source.metadata import EntryPoint, Metadata, parse_entry_points, parse_metadata
from mlapath.source.tree import Companion, Origin, SourceTree

PLUGIN_PREFIX = "vllm."


def tree_from(folder: Path, origin: Origin, package: str = "vllm") -> SourceTree:
    """Read the tree published at `folder`. Raises TreeError if it is damaged or has no vllm."""
    manifest = Manifest.read(folder)
    root = folder / SITE
    if not (root / package).is_dir():
        raise TreeError(f"{manifest.archive} holds no {package} package")
    info = dist_info_of(root, package)
    metadata = _metadata(root, info)
    return SourceTree(
        package=package,
        root=root,
        listed=manifest.files,
        version=manifest.version or metadata.version or None,
        origin=origin,
        requires=metadata.requires,
        plugins=plugins_in(info, package),
        notes=manifest.notes,
        archive=manifest.archive,
        dist_info=info,
        kept=manifest.kept,
    )


def companion_from(folder: Path, package: str) -> Companion:
    """Read the companion published at `folder`."""
    manifest = Manifest.read(folder)
    return Companion(
        package=package,
        root=folder / SITE,
        listed=manifest.files,
        name=package,
        version=manifest.version,
        notes=manifest.notes,
    )


def dist_info_of(site: Path, package: str) -> Path | None:
    """Give the `.dist-info` folder of `package` directly below `site`, or None."""
    wanted = package.replace("-", "_").lower()
    for path in sorted(site.glob("*.dist-info")):
        if path.name.partition("-")[0].lower() == wanted:
            return path
    return None


def plugins_in(dist_info: Path | None, distribution: str) -> tuple[EntryPoint, ...]:
    """Read the entry points of one distribution whose group starts with `vllm.`."""
    if dist_info is None:
        return ()
    try:
        text = (dist_info / "entry_points.txt").read_text("utf-8", "replace")
    except OSError:
        return ()
    return tuple(
        point
        for point in parse_entry_points(text, distribution)
        if point.group.startswith(PLUGIN_PREFIX)
    )


def _metadata(root: Path, info: Path | None) -> Metadata:
    place = root / "PKG-INFO" if info is None else info / "METADATA"
    try:
        return parse_metadata(place.read_text("utf-8", "replace"))
    except OSError:
        return Metadata()
