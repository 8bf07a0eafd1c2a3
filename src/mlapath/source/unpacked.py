"""Make trees and companions from a folder that `fetch` or `archive` filled in the cache."""

from __future__ import annotations

from pathlib import Path

from mlapath.base.errors import TreeError
from mlapath.source.environment import distributions_in
from mlapath.source.manifest import SITE, Manifest
from mlapath.source.metadata import Metadata, parse_metadata
from mlapath.source.tree import Companion, Origin, SourceTree


def tree_from(folder: Path, origin: Origin, package: str = "vllm") -> SourceTree:
    """Read the tree published at `folder`. Raises TreeError if it is damaged or has no vllm."""
    manifest = Manifest.read(folder)
    root = folder / SITE
    if not (root / package).is_dir():
        raise TreeError(f"{manifest.archive} holds no {package} package")
    own = next((one for one in distributions_in([root]) if one.name == package), None)
    metadata = parse_metadata(own.metadata_text) if own is not None else _unpacked_sdist(root)
    return SourceTree(
        package=package,
        root=root,
        listed=manifest.files,
        version=manifest.version or metadata.version or None,
        origin=origin,
        requires=metadata.requires,
        plugins=own.plugins() if own is not None else (),
        notes=manifest.notes,
        archive=manifest.archive,
        dist_info=own.info if own is not None else None,
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


def _unpacked_sdist(root: Path) -> Metadata:
    try:
        return parse_metadata((root / "PKG-INFO").read_text("utf-8", "replace"))
    except OSError:
        return Metadata()
