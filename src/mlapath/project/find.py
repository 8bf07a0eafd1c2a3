"""Which project file counts, as other tools of a repository look for theirs."""

from __future__ import annotations

from pathlib import Path

from mlapath.base.errors import ConfigError
from mlapath.project.read import PYPROJECT, load_toml, own_table

NAME = "mlapath.toml"


def find_project(given: str | None, start: Path | None = None) -> Path | None:
    """The file ``given``, or the nearest ``mlapath.toml`` or ``pyproject.toml`` that speaks of us.

    Looked for in ``start`` (default: the working folder) and the folders above it. A folder may be
    given in place of a file. None where there is none.

    Raises:
        ConfigError: the given file or folder does not have it.
    """
    if given is not None:
        path = Path(given).expanduser()
        found = _in(path) if path.is_dir() else path
        if found is None or not found.is_file():
            raise ConfigError(f"{given}: there is no {NAME}")
        return found
    folder = (start or Path.cwd()).absolute()
    for place in (folder, *folder.parents):
        found = _in(place)
        if found is not None:
            return found
    return None


def _in(folder: Path) -> Path | None:
    own = folder / NAME
    if own.is_file():
        return own
    shared = folder / PYPROJECT
    if shared.is_file():
        try:
            speaks = own_table(load_toml(shared)) is not None
        except ConfigError:  # somebody else's broken file is no error of ours
            return None
        return shared if speaks else None
    return None
