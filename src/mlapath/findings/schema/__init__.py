"""The JSON Schemas (2020-12) of the machine-readable outputs, as package data."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, cast

NAMES = ("report-1", "reports-1", "tree-1", "matrix-1", "check-1", "diff-1", "fires-1",
         "fires_reports-1", "graph-1")  # fmt: skip


def load_schema(name: str) -> dict[str, Any]:
    """Give the schema ``name`` of ``NAMES``; its ``$id`` is the file's name."""
    text = files(__name__).joinpath(f"{name}.json").read_text("utf-8")
    return cast("dict[str, Any]", json.loads(text))
