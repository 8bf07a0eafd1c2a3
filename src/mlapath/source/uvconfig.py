"""Index settings of uv, from its variables and `uv.toml` files."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

Values = dict[str, list[str]]


def uv_environment(env: Mapping[str, str]) -> Values:
    """Read the `UV_*` variables, under pip's names for the settings."""
    found: Values = {}
    for variable, name in (
        ("UV_INDEX_URL", "index-url"),
        ("UV_DEFAULT_INDEX", "index-url"),
        ("UV_EXTRA_INDEX_URL", "extra-index-url"),
        ("UV_INDEX", "extra-index-url"),
        ("UV_FIND_LINKS", "find-links"),
        ("UV_INSECURE_HOST", "trusted-host"),
    ):
        values = [_unnamed(value) for value in env.get(variable, "").replace(",", " ").split()]
        if values:
            found[name] = [*found.get(name, ()), *values]
    if env.get("UV_NO_INDEX"):
        found["no-index"] = [env["UV_NO_INDEX"]]
    return found


def uv_files(env: Mapping[str, str], etc: Path = Path("/etc")) -> Values:
    """Read the user's and the system's `uv.toml` (or the one `UV_CONFIG_FILE` names)."""
    if env.get("UV_NO_CONFIG"):
        return {}
    home = Path(env["HOME"]) if env.get("HOME") else Path.home()
    if env.get("UV_CONFIG_FILE"):
        places = [Path(env["UV_CONFIG_FILE"])]
    elif sys.platform == "win32":
        places = [
            Path(env.get("APPDATA", home / "AppData" / "Roaming")) / "uv" / "uv.toml",
            Path(env.get("PROGRAMDATA", r"C:\ProgramData")) / "uv" / "uv.toml",
        ]
    else:
        systems = (env.get("XDG_CONFIG_DIRS") or str(etc / "xdg")).split(os.pathsep)
        places = [
            Path(env.get("XDG_CONFIG_HOME") or home / ".config") / "uv" / "uv.toml",
            *(Path(folder) / "uv" / "uv.toml" for folder in systems),
            etc / "uv" / "uv.toml",
        ]
    found: Values = {}
    for place in places:
        for name, values in _settings(place).items():
            found.setdefault(name, values)
    return found


def _settings(place: Path) -> Values:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        data: dict[str, Any] = tomllib.loads(place.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    pip = data.get("pip")
    found: Values = {}
    for table in (data, pip if isinstance(pip, dict) else {}):
        for key, name in (
            ("index-url", "index-url"),
            ("extra-index-url", "extra-index-url"),
            ("find-links", "find-links"),
            ("allow-insecure-host", "trusted-host"),
        ):
            value = table.get(key)
            if isinstance(value, str):
                found.setdefault(name, [value])
            elif isinstance(value, list):
                found.setdefault(name, [text for text in value if isinstance(text, str)])
        if table.get("no-index") is True:
            found["no-index"] = ["true"]
    for index in data.get("index", ()):
        if isinstance(index, dict) and isinstance(index.get("url"), str):
            if index.get("explicit"):
                continue
            name = "index-url" if index.get("default") else "extra-index-url"
            found.setdefault(name, []).append(index["url"])
    return found


def _unnamed(value: str) -> str:
    """Drop the name of a `name=url` index."""
    name, equals, url = value.partition("=")
    return url if equals and "://" in url and "/" not in name and ":" not in name else value
