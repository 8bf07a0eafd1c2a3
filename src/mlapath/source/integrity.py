"""Content digest of a tree, and which files differ from what was installed.

The digest covers, under the package's folder, the name and sha256 of each Python and small data
file, and the names of compiled modules. A tree from the index and an untouched installation of
the same wheel give the same digest. Where a stamp (size and time of change) tells that a file is
as it was unpacked, RECORD's hash stands for it, and the file is not read.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mlapath.source.keep import keep_source
from mlapath.source.manifest import Stamp
from mlapath.source.record import RecordEntry


@dataclass(frozen=True)
class Survey:
    """`digest` (hex); `modified`: files changed, added or gone since RECORD was written."""

    digest: str
    modified: tuple[str, ...]


def survey(
    root: Path,
    package: str,
    present: Iterable[str],
    record: Mapping[str, RecordEntry],
    kept: Mapping[str, Stamp],
    extensions: Iterable[str],
) -> Survey:
    """Look at the files of `package` below `root`.

    `present`: the names to look at, sorted; other packages' are passed over. `record` may be
    empty: then nothing counts as modified. `kept` has the stamps of files that were unpacked and
    checked against `record`; it may be empty. `extensions`: names of compiled modules, sorted.
    """
    digest = hashlib.blake2b(digest_size=16)
    modified: list[str] = []
    prefix = f"{package}/"
    names = [name for name in present if name.startswith(prefix)]
    for name in names:
        entry = record.get(name)
        recorded = entry.digest if entry and entry.algorithm == "sha256" else None
        stamp = kept.get(name)
        if recorded and stamp is not None and Stamp.of(root / name) == stamp:
            found: str | None = recorded
        else:
            found = _hash_of(root / name, name)
            if found is None and os.path.exists(root / name):
                continue
        if record and found != recorded:
            modified.append(name)
        digest.update(f"{name}\0{found}\n".encode())
    known = set(names)
    modified.extend(name for name in record if _is_source(name, prefix) and name not in known)
    digest.update("\n".join(extensions).encode())
    return Survey(digest.hexdigest(), tuple(sorted(modified)))


def _is_source(name: str, prefix: str) -> bool:
    return name.startswith(prefix) and name.endswith(".py")


def _hash_of(path: Path, name: str) -> str | None:
    """Give the sha256 (urlsafe base64) of a source file; None if gone or not of interest."""
    try:
        if not keep_source(name, path.stat().st_size):
            return None
        found = hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return None
    return base64.urlsafe_b64encode(found).rstrip(b"=").decode()
