"""What is known of an unpacked archive, kept among its files.

The manifest lies in the folder that holds the package, so that a copy of that folder still tells
which files the archive had but were not kept, compiled modules above all.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from mlapath.base.errors import TreeError

FILE_NAME = "mlapath-manifest.json"
SITE = "site"
_SCHEMA = 1


@dataclass(frozen=True)
class Stamp:
    """A kept file as it was when unpacked: size in bytes and time of change (ns)."""

    size: int
    mtime_ns: int

    @classmethod
    def of(cls, path: Path | str) -> Stamp | None:
        """Take the stamp of a file; None if it is not there."""
        try:
            status = os.stat(path)
        except OSError:
            return None
        return cls(status.st_size, status.st_mtime_ns)


@dataclass(frozen=True)
class Manifest:
    """One archive: its name, the index's or own sha256 (hex), all its files, the kept ones."""

    package: str
    version: str
    archive: str
    sha256: str | None
    whole: bool
    """Whether the whole archive was read, and so its sha256 checked."""
    files: tuple[str, ...]
    kept: dict[str, Stamp]
    notes: tuple[str, ...] = ()

    def write(self, site: Path) -> None:
        """Write into `site`."""
        data = {"schema": _SCHEMA, **asdict(self)}
        data["kept"] = {name: [s.size, s.mtime_ns] for name, s in self.kept.items()}
        (site / FILE_NAME).write_text(json.dumps(data, separators=(",", ":")), "utf-8")

    @classmethod
    def read(cls, site: Path) -> Manifest:
        """Read from `site`. Raises TreeError if it is missing or of another schema."""
        try:
            data = json.loads((site / FILE_NAME).read_bytes())
            schema = data.pop("schema")
            kept = {name: Stamp(*stamp) for name, stamp in data.pop("kept").items()}
            files, notes = tuple(data.pop("files")), tuple(data.pop("notes"))
            manifest = cls(**data, files=files, kept=kept, notes=notes)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise TreeError(
                f"the cached tree {site} is damaged ({error}); run `mlapath cache clear`"
            ) from error
        if schema != _SCHEMA:
            raise TreeError(
                f"the cached tree {site} is of another mlapath; run `mlapath cache clear`"
            )
        return manifest


def stamps(site: Path, names: Iterable[str]) -> dict[str, Stamp]:
    """Take the stamps of the files `names` below `site`."""
    found = {name: Stamp.of(site / name) for name in names}
    return {name: stamp for name, stamp in found.items() if stamp is not None}
