"""Whether files are still as they were, told without reading them."""

from __future__ import annotations

import os
from hashlib import blake2b
from typing import TypeAlias

Folder: TypeAlias = tuple[str, str, str]
"""Root, package and ``stat_digest`` of a folder that was read."""
TOOL_FOLDERS = frozenset({"__pycache__", ".git", ".mypy_cache", ".ruff_cache"})
"""Folders of tools, in which no source lies."""


def stat_digest(root: str, package: str) -> str:
    """A digest (hex) of the names, sizes and times of change of the files below a folder.

    As long as it is the same, so is what is read there, short of someone who sets times back.
    """
    found: list[str] = []
    folders = [os.path.join(root, package)]
    while folders:
        try:
            entries = list(os.scandir(folders.pop()))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir():
                if entry.name not in TOOL_FOLDERS:
                    folders.append(entry.path)
            else:
                found.append(f"{entry.path}\0{stamp_of(entry)}\n")
    text = "".join(sorted(found)).encode("utf-8", "surrogateescape")
    return blake2b(text, digest_size=16).hexdigest()


def stamp_of(file: os.DirEntry[str] | str) -> tuple[int, int] | None:
    """Size (bytes) and time of change (ns) of a file; None where it is not there."""
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
