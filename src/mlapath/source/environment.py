"""What is installed in the folders of a search path, told from their metadata folders."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from packaging.utils import canonicalize_name

from mlapath.source.metadata import EntryPoint, parse_entry_points, parse_metadata

PLUGIN_PREFIX = "vllm."


@dataclass(frozen=True)
class Distribution:
    """One installed distribution: canonical name, version, and its metadata folder.

    `info` is a `.dist-info` or `.egg-info` folder (or an `.egg-info` file).
    """

    name: str
    version: str
    info: Path

    def text(self, file: str) -> str:
        """Give a metadata file's text; empty if there is none."""
        try:
            return (self.info / file).read_text("utf-8", "replace")
        except OSError:
            return ""

    @property
    def metadata_text(self) -> str:
        """METADATA or PKG-INFO."""
        if self.info.is_file():
            return self.info.read_text("utf-8", "replace")
        return self.text("METADATA") or self.text("PKG-INFO")

    def plugins(self) -> tuple[EntryPoint, ...]:
        """Give the entry points whose group starts with `vllm.`."""
        return tuple(
            point
            for point in parse_entry_points(self.text("entry_points.txt"), self.name)
            if point.group.startswith(PLUGIN_PREFIX)
        )

    def editable_source(self) -> Path | None:
        """Give the folder of an editable installation, from `direct_url.json` (PEP 610)."""
        try:
            data = json.loads(self.text("direct_url.json") or "null")
            if not data["dir_info"].get("editable"):
                return None
            parts = urlsplit(data["url"])
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        if parts.scheme != "file":
            return None
        from urllib.request import url2pathname

        return Path(url2pathname(unquote(parts.path)))


def distributions_in(folders: Iterable[Path]) -> tuple[Distribution, ...]:
    """List what is installed in `folders`; of two with one name, the first found counts."""
    found: dict[str, Distribution] = {}
    for folder in folders:
        try:
            entries = sorted(folder.iterdir())
        except OSError:
            continue
        for entry in entries:
            if entry.suffix in (".dist-info", ".egg-info"):
                distribution = _distribution(entry)
                if distribution is not None:
                    found.setdefault(distribution.name, distribution)
    return tuple(found.values())


def _distribution(info: Path) -> Distribution | None:
    name, dash, version = info.stem.partition("-")
    if info.suffix == ".egg-info":
        # An egg-info folder's name may lack the version or add the Python version.
        metadata = parse_metadata(Distribution("", "", info).metadata_text)
        name, version = metadata.name or name, metadata.version or version.partition("-py")[0]
    elif not dash:
        return None
    return Distribution(canonicalize_name(name), version, info) if name else None
