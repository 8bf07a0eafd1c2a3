"""Read the index settings of pip and uv: environment, then their configuration files.

Order, as documented by both tools: `UV_*` and `PIP_*` variables, `uv.toml`, pip's files (those
named later win: global, user, the virtual environment's, `PIP_CONFIG_FILE`). Extra indexes of
all places are used.
"""

from __future__ import annotations

import configparser
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from mlapath.source.settings import IndexSettings
from mlapath.source.uvconfig import uv_environment, uv_files

Values = dict[str, list[str]]
"""Setting (pip's long option name) to values."""

_LISTS = ("extra-index-url", "find-links", "trusted-host")


def discover_settings(
    env: Mapping[str, str] | None = None,
    *,
    prefix: Path | None = None,
    etc: Path = Path("/etc"),
) -> IndexSettings:
    """Give the user's settings.

    `prefix` is the environment whose pip.conf counts, `etc` the folder of the system's files.
    """
    environment = os.environ if env is None else env
    places = [
        uv_environment(environment),
        _pip_environment(environment),
        uv_files(environment, etc),
        _pip_files(environment, prefix or Path(sys.prefix), etc),
    ]

    def first(name: str) -> str | None:
        return next((place[name][-1] for place in places if place.get(name)), None)

    def every(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for place in places for value in place.get(name, ())))

    def switched(name: str) -> bool:
        return (first(name) or "").lower() in ("1", "true", "yes", "on")

    return IndexSettings(
        index_urls=() if switched("no-index") else (first("index-url"), *every("extra-index-url")),
        find_links=every("find-links"),
        trusted_hosts=every("trusted-host"),
        cert=first("cert"),
        client_cert=first("client-cert"),
        proxy=first("proxy"),
        timeout=_seconds(first("timeout") or first("default-timeout")),
    )


def _seconds(text: str | None) -> float:
    try:
        return max(1.0, float(text)) if text else 30.0
    except ValueError:
        return 30.0


def _pip_environment(env: Mapping[str, str]) -> Values:
    found: Values = {}
    for variable, value in env.items():
        if variable.startswith("PIP_") and value.strip():
            name = variable[4:].lower().replace("_", "-")
            found[name] = value.split() if name in _LISTS else [value.strip()]
    return found


def _pip_files(env: Mapping[str, str], prefix: Path, etc: Path) -> Values:
    chosen = env.get("PIP_CONFIG_FILE")
    if chosen == os.devnull:
        return {}
    found: Values = {}
    for path in [*_pip_places(env, prefix, etc), *([Path(chosen)] if chosen else [])]:
        parser = configparser.RawConfigParser()
        try:
            parser.read(path, encoding="utf-8")
        except (configparser.Error, OSError, UnicodeError):
            continue
        for section in ("global", "download", "install"):
            if not parser.has_section(section):
                continue
            for name, value in parser.items(section):
                key = name.replace("_", "-")
                found[key] = value.split() if key in _LISTS else [value.strip()]
    return found


def _pip_places(env: Mapping[str, str], prefix: Path, etc: Path) -> Iterable[Path]:
    """Give pip's configuration files, weakest first (pip's "Configuration" page)."""
    home = Path(env["HOME"]) if env.get("HOME") else Path.home()
    if sys.platform == "win32":
        yield Path(env.get("PROGRAMDATA", r"C:\ProgramData")) / "pip" / "pip.ini"
        yield home / "pip" / "pip.ini"
        yield Path(env.get("APPDATA", home / "AppData" / "Roaming")) / "pip" / "pip.ini"
        yield prefix / "pip.ini"
        return
    config = Path(env.get("XDG_CONFIG_HOME") or home / ".config")
    if sys.platform == "darwin":
        yield Path("/Library/Application Support/pip/pip.conf")
        support = home / "Library" / "Application Support" / "pip"
        config = support.parent if support.is_dir() else config
    else:
        for folder in (env.get("XDG_CONFIG_DIRS") or str(etc / "xdg")).split(os.pathsep):
            yield Path(folder) / "pip" / "pip.conf"
        yield etc / "pip.conf"
    yield home / ".pip" / "pip.conf"
    yield config / "pip" / "pip.conf"
    yield prefix / "pip.conf"
