"""Make trees and companions from a folder that `fetch` or `archive` filled."""

from __future__ import annotations

from pathlib import Path

from mlapath.base.errors import TreeError
from mlapath.source.environment import distributions_in
from mlapath.source.files import scan
from mlapath.source.manifest import Manifest
from mlapath.source.metadata import Metadata, parse_metadata
from mlapath.source.tree import Companion, Origin, SourceTree


def tree_from(root: Path, origin: Origin, package: str = "vllm") -> SourceTree:
    """Read the tree with its manifest at `root`. Raises TreeError if it is damaged.

    With origin `directory` (a copy that somebody may have edited), what lies on disk counts
    beside the listed files that were never kept.
    """
    manifest = Manifest.read(root)
    if not (root / package).is_dir():
        raise TreeError(f"{manifest.archive} holds no {package} package")
    listed = manifest.files
    if origin == "directory":
        never_kept = set(listed) - manifest.kept.keys()
        listed = tuple(sorted(never_kept.union(scan(root, package))))
    own = next((one for one in distributions_in([root]) if one.name == package), None)
    metadata = parse_metadata(own.metadata_text) if own is not None else _unpacked_sdist(root)
    return SourceTree(
        package=package,
        root=root,
        listed=listed,
        version=manifest.version or metadata.version or None,
        origin=origin,
        requires=metadata.requires,
        plugins=own.plugins() if own is not None else (),
        notes=manifest.notes,
        archive=manifest.archive,
        dist_info=own.info if own is not None else None,
        kept=manifest.kept,
    )


def companion_from(root: Path, package: str) -> Companion:
    """Read the companion with its manifest at `root`. Raises TreeError if it is damaged."""
    manifest = Manifest.read(root)
    return Companion(
        package=package,
        root=root,
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
