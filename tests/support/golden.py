"""Golden files: the expected output of a renderer, kept in ``tests/golden``.

``MLAPATH_ACCEPT=1 pytest`` writes what is new; the difference is then reviewed like code.
"""

from __future__ import annotations

import os
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent.parent / "golden"


def check_golden(name: str, actual: str) -> None:
    """Compare with ``tests/golden/NAME``, byte for byte."""
    file = _FOLDER / name
    if os.environ.get("MLAPATH_ACCEPT"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(actual.encode())
    expected = file.read_bytes().decode() if file.exists() else ""
    assert actual == expected, f"{name} differs: review, then accept with MLAPATH_ACCEPT=1"
