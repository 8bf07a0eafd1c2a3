"""The vLLM that an interpreter would import, found without importing it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from mlapath.base.errors import TreeError
from mlapath.source.environment import Distribution, distributions_in
from mlapath.source.folder import PACKAGE, describe, holds
from mlapath.source.probe import Interpreter, candidates, probe
from mlapath.source.tree import SourceTree


def installed_tree(
    python: str | Path | None = None, env: Mapping[str, str] | None = None
) -> SourceTree:
    """Open the vLLM of `python`, or of the first likely interpreter that has one.

    Raises TreeError if there is none, or `python` cannot be run.
    """
    if python is not None:
        found = _tree_of(probe(python))
        if found is None:
            raise TreeError(
                f"no vllm is installed for {python}; give --vllm with a version or a folder"
            )
        return found
    tried: list[str] = []
    for path in candidates(os.environ if env is None else env):
        try:
            found = _tree_of(probe(path))
        except TreeError:
            found = None
        if found is not None:
            note = f"vllm of {path}, since {' and '.join(tried)} has none" if tried else ""
            return found.noted((note,) if note else ())
        tried.append(str(path))
    raise TreeError(
        f"no vllm is installed for {', '.join(tried) or 'any Python on PATH'}; "
        "give --vllm with a version or a folder, or --python"
    )


def _tree_of(interpreter: Interpreter) -> SourceTree | None:
    folders = tuple(path for path in interpreter.path if path.is_dir())
    installed = distributions_in(folders)
    own = next((one for one in installed if one.name == PACKAGE), None)
    copies = _copies(interpreter, folders, own)
    if not copies:
        if own is None:
            return None
        raise TreeError(
            f"vllm {own.version} is installed for {interpreter.executable}, but its files are "
            "missing; install it again, or give --vllm with a folder"
        )
    root, *others = copies
    belongs = own is not None and _belongs(own, root, interpreter)
    tree = describe(root, own if belongs else None, installed, folders)
    notes = list(tree.notes)
    if own is not None and belongs and own.info.parent != root:
        notes.append(f"editable installation: read from {root}")
    if own is not None and not belongs:
        notes.append(
            f"Python finds vllm in {root}, ahead of the installed vllm {own.version} "
            f"in {own.info.parent}"
        )
    return replace(
        tree,
        origin="installed",
        shadows=tuple(others),
        notes=tuple(notes),
        distributions={one.name: one.version for one in installed},
        python=interpreter.executable,
    )


def _copies(
    interpreter: Interpreter, folders: tuple[Path, ...], own: Distribution | None
) -> tuple[Path, ...]:
    """Give the folders that hold a vllm, the one Python imports first.

    Finders of editable installations are asked after the search path, as setuptools sets them.
    """
    found = [folder for folder in folders if holds(folder)]
    mapped = interpreter.mapping.get(PACKAGE)
    if mapped and holds(Path(mapped).parent):
        found.append(Path(mapped).parent)
    source = own.editable_source() if own is not None else None
    if source is not None and not found:
        # A build backend whose finder is not understood: PEP 610 still tells the folder.
        found.extend(place for place in (source, source / "src") if holds(place))
    unique: dict[Path, Path] = {}
    for folder in found:
        unique.setdefault(folder.resolve(), folder)
    return tuple(unique.values())


def _belongs(own: Distribution, root: Path, interpreter: Interpreter) -> bool:
    """Tell whether `root` holds the files of the installed distribution `own`."""
    source = own.editable_source()
    # A "strict" editable installation links the files into a folder below the source.
    if source is not None and root.resolve().is_relative_to(source.resolve()):
        return True
    places = [own.info.parent]
    mapped = interpreter.mapping.get(PACKAGE)
    if mapped:
        places.append(Path(mapped).parent)
    return root.resolve() in {place.resolve() for place in places}
