"""RECORD of a wheel or an installed distribution: the files with their hashes.

Format: the "Recording installed projects" page of the PyPA specifications.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass

_ALGORITHMS = frozenset({"sha256", "sha384", "sha512"})


@dataclass(frozen=True)
class RecordEntry:
    """One file; `algorithm` and `digest` (urlsafe base64, no padding) are empty if not given."""

    algorithm: str
    digest: str
    size: int | None

    def matches(self, data: bytes) -> bool | None:
        """Tell whether `data` has this hash; None if the record has no hash to check."""
        if self.algorithm not in _ALGORITHMS:
            return None
        found = hashlib.new(self.algorithm, data).digest()
        return base64.urlsafe_b64encode(found).rstrip(b"=").decode() == self.digest


def parse_record(text: str) -> Mapping[str, RecordEntry]:
    """Read RECORD; names with `/`. Lines that do not fit the format are left out."""
    entries: dict[str, RecordEntry] = {}
    for row in csv.reader(io.StringIO(text)):
        if len(row) < 1 or not row[0]:
            continue
        algorithm, _, digest = (row[1] if len(row) > 1 else "").partition("=")
        size = row[2] if len(row) > 2 else ""
        entries[row[0].replace("\\", "/")] = RecordEntry(
            algorithm, digest.rstrip("="), int(size) if size.isdecimal() else None
        )
    return entries
