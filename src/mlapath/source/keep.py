"""Which members of an archive are unpacked; the rest is only listed."""

from __future__ import annotations

import re
from collections.abc import Callable

from mlapath.source import limits

Keep = Callable[[str, int], bool]
"""Takes a member's name and unpacked size in bytes."""

_DATA_SUFFIXES = (".json", ".toml", ".jinja", ".yaml", ".yml", ".pyi")
_COMPANION = re.compile(
    r"(?:[^/]+\.py"
    r"|utils/.+\.py"
    r"|integrations/(?:__init__|heterogeneity/[^/]+)\.py"
    r"|models/__init__\.py"
    r"|models/(?:.+/)?__init__\.py"
    r"|models/(?:.+/)?configuration_[^/]+\.py"
    r"|models/auto/[^/]+\.py)"
)


def keep_source(name: str, size: int) -> bool:
    """Keep Python files, the metadata and small data files that evaluation may read."""
    if name.endswith(".py") or _is_metadata(name):
        return True
    return name.endswith(_DATA_SUFFIXES) and size <= limits.DATA_BYTES


def keep_sdist(name: str, size: int) -> bool:
    """Keep of an sdist what an installation would have, the metadata and the requirements."""
    folder, _, rest = name.partition("/")
    if folder == "vllm":
        return keep_source(name, size)
    if folder == "vllm.egg-info" or name == "PKG-INFO":
        return True
    return folder == "requirements" and rest.endswith(".txt") and size <= limits.DATA_BYTES


def keep_companion(package: str) -> Keep:
    """Keep what tells the defaults of configuration classes: no modelling code."""
    prefix = f"{package}/"

    def keep(name: str, size: int) -> bool:
        del size
        if _is_metadata(name):
            return True
        return name.startswith(prefix) and bool(_COMPANION.fullmatch(name[len(prefix) :]))

    return keep


def _is_metadata(name: str) -> bool:
    folder, _, rest = name.partition("/")
    return folder.endswith(".dist-info") and "/" not in rest
