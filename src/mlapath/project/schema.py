"""The JSON Schema of ``mlapath.toml``, as package data: editors complete and check with it."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, cast


def project_schema() -> dict[str, Any]:
    """Give the schema (draft 7, which TOML language servers read)."""
    text = files("mlapath.project").joinpath("mlapath.schema.json").read_text("utf-8")
    return cast("dict[str, Any]", json.loads(text))
