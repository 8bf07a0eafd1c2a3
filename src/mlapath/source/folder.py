"""A tree that lies in a folder: site-packages, checkout, unpacked sdist, or the package."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from mlapath.base.errors import TreeError
from mlapath.source.checkout import required_by, version_in
from mlapath.source.editable import mapped_package
from mlapath.source.environment import Distribution, distributions_in
from mlapath.source.manifest import FILE_NAME
from mlapath.source.metadata import Metadata, parse_metadata
from mlapath.source.tree import SourceTree
from mlapath.source.unpacked import tree_from

PACKAGE = "vllm"
_BELOW = ("lib*/python3*/site-packages", "Lib/site-packages", "vllm-*", "src")
_HINT = "give site-packages, a checkout, an unpacked sdist, or a version such as 0.16.0"


def folder_tree(path: Path) -> SourceTree:
    """Open the tree at or right below `path`. Raises TreeError if there is none."""
    folder = path.expanduser().absolute()
    root, site = locate(folder)
    if (root / FILE_NAME).is_file():
        return tree_from(root, "directory")
    search = tuple(dict.fromkeys((site, root)))
    installed = distributions_in(search)
    own = next((one for one in installed if one.name == PACKAGE), None)
    return describe(root, own, installed, search)


def describe(
    root: Path,
    own: Distribution | None,
    installed: tuple[Distribution, ...],
    search: tuple[Path, ...],
) -> SourceTree:
    """Collect what is known of the tree at `root`.

    `own` is the distribution it was installed as. `installed` is the environment around it; one
    that holds only vLLM's own metadata (a checkout's egg-info) is none.
    """
    metadata, notes = _metadata(root, own)
    environment: Mapping[str, str] | None = None
    if any(one.name != PACKAGE for one in installed) or _is_site(root):
        environment = {one.name: one.version for one in installed}
    recorded = own is not None and own.info.parent == root and own.info.suffix == ".dist-info"
    return SourceTree(
        package=PACKAGE,
        root=root,
        listed=None,
        version=metadata.version or None,
        origin="directory",
        requires=metadata.requires,
        plugins=tuple(point for one in installed for point in one.plugins()),
        notes=notes,
        distributions=environment,
        dist_info=own.info if own is not None and recorded else None,
        search_path=search if environment is not None else (),
    )


def locate(folder: Path) -> tuple[Path, Path]:
    """Give the folder that holds `vllm/__init__.py`, and the one with its metadata.

    The two differ for an editable installation. `folder` may also be the package itself, the
    root of an environment, or have the tree right below it. Raises TreeError, saying what to do.
    """
    if folder.name == PACKAGE and (folder / "__init__.py").is_file() and not holds(folder):
        return folder.parent, folder.parent
    below = [place for pattern in _BELOW for place in sorted(folder.glob(pattern))]
    for place in (folder, *below):
        root = place if holds(place) else mapped_package(place, PACKAGE)
        if root is not None:
            return root, place
    raise TreeError(_missing(folder))


def holds(folder: Path) -> bool:
    """Tell whether Python would find a vllm package directly in `folder`."""
    return (folder / PACKAGE / "__init__.py").is_file()


def _metadata(root: Path, own: Distribution | None) -> tuple[Metadata, tuple[str, ...]]:
    if own is not None:
        return parse_metadata(own.metadata_text), ()
    try:
        return parse_metadata((root / "PKG-INFO").read_text("utf-8", "replace")), ()
    except OSError:
        pass
    version = version_in(root)
    requires = required_by(root)
    notes = () if version else ("the tree does not tell its version",)
    return Metadata(PACKAGE, version or "", requires), notes


def _is_site(root: Path) -> bool:
    return root.name in ("site-packages", "dist-packages")


def _missing(folder: Path) -> str:
    if not folder.exists():
        return f"no such folder or archive: {folder}"
    try:
        names = os.listdir(folder)
    except OSError as error:
        return f"cannot read {folder}: {error.strerror or error}"
    if not names:
        return f"{folder} is empty; {_HINT}"
    if "__init__.py" in names and {"config", "engine", "model_executor"} & set(names):
        return f"{folder} looks like the vllm package, but its folder must be named vllm"
    return f"{folder} holds no vllm package; {_HINT}"
