"""Read a project file: ``mlapath.toml``, or ``[tool.mlapath]`` of a ``pyproject.toml``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mlapath.base.errors import ConfigError
from mlapath.project.entry import DEFAULT_BASELINE, Project
from mlapath.project.expand import expand
from mlapath.project.values import At, as_table, as_text, as_texts, check_keys

PYPROJECT = "pyproject.toml"
KEYS = ("vllm", "python", "baseline", "fail-on", "scenarios")
MAX_BYTES = 4 * 1024**2


def read_project(file: Path) -> Project:
    """Read a project file and work out inheritance and matrices.

    What the scenarios name (configurations, devices, flags) is not looked at yet.

    Raises:
        ConfigError: unreadable, not TOML, an unknown key (with the nearest names), or a value of
            the wrong form. One line that names the file and the key.
    """
    table = load_toml(file)
    at = At(file.name)
    if file.name == PYPROJECT:
        own = own_table(table)
        if own is None:
            at.fail("there is no [tool.mlapath]")
        table, at = own, At(file.name, "tool.mlapath")
    check_keys(table, KEYS, at)
    text = {
        key: as_text(table[key], at / key)
        for key in ("vllm", "python", "baseline") if key in table
    }  # fmt: skip
    fail_on = as_texts(table["fail-on"], at / "fail-on") if "fail-on" in table else None
    scenarios = as_table(table.get("scenarios", {}), at / "scenarios")
    return Project(
        file=file,
        entries=expand(scenarios, at / "scenarios"),
        vllm=text.get("vllm"),
        python=text.get("python"),
        baseline=text.get("baseline", DEFAULT_BASELINE),
        fail_on=fail_on,
    )


def load_toml(file: Path) -> dict[str, Any]:
    """Parse a TOML file.

    Raises:
        ConfigError: unreadable, too large, not UTF-8 or not TOML, with the place.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read: {error.strerror or error}") from error
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{file}: larger than {MAX_BYTES // 1024**2} MiB")
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: not UTF-8 text (byte {error.start})") from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{file}: not valid TOML: {error}") from None


def own_table(table: dict[str, Any]) -> dict[str, Any] | None:
    """``[tool.mlapath]`` of a ``pyproject.toml``, or None."""
    tool = table.get("tool")
    own = tool.get("mlapath") if isinstance(tool, dict) else None
    return own if isinstance(own, dict) else None
