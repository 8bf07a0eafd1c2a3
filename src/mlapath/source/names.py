"""File names inside archives: what may be written below a folder, and what may not."""

from __future__ import annotations

import re

from mlapath.base.errors import TreeError

_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
_FORBIDDEN = re.compile(r'[\x00-\x1f:*?"<>|\\]')


def safe_name(name: str, archive: str) -> str:
    """Give `name` (a `/`-separated relative path) unchanged if it is harmless on every system.

    Raises TreeError for absolute names, `..`, drive letters, control characters, empty parts
    and the device names of Windows; `archive` names the file in the message.
    """
    parts = name.split("/")
    if (
        not name
        or len(name) > 400
        or _FORBIDDEN.search(name)
        or any(part in ("", ".", "..") or part != part.rstrip(" .") for part in parts)
        or any(_DEVICE.fullmatch(part) for part in parts)
    ):
        raise TreeError(f"{archive} holds a file with an unsafe name, {name[:120]!r}; refused")
    return name
