"""The default tree of a project."""

from __future__ import annotations

from pathlib import Path

from mlapath.project.entry import Project
from mlapath.source import as_version


def default_tree(project: Project) -> tuple[str | None, str | None]:
    """``vllm`` and ``python`` of the file, with paths as seen from the working folder."""
    return _from(project.folder, project.vllm), _from(project.folder, project.python)


def _from(folder: Path, given: str | None) -> str | None:
    if given is None or as_version(given) is not None:
        return given
    return str(folder / Path(given).expanduser())
