"""Values of a TOML table, checked: each error names the file, the key and what was expected."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from mlapath.base.errors import ConfigError
from mlapath.base.nearest import did_you_mean
from mlapath.scenario.config_file import JsonValue


@dataclass(frozen=True)
class At:
    """A place in a project file, for messages."""

    file: str
    key: str = ""

    def __truediv__(self, name: str) -> At:
        return At(self.file, f"{self.key}.{name}" if self.key else name)

    def fail(self, problem: str) -> NoReturn:
        """Raise ConfigError: one line."""
        where = f"{self.file}: {self.key}" if self.key else self.file
        raise ConfigError(f"{where}: {problem}")


def check_keys(table: Mapping[str, Any], known: Iterable[str], at: At) -> None:
    """Refuse a key that is not ``known``, with those that look alike."""
    names = list(known)
    for key in table:
        if key not in names:
            at.fail(f"unknown key {key!r}{did_you_mean(key, names)}")


def as_table(value: Any, at: At) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        at.fail(f"expected a table, found {kind(value)}")
    return value


def as_text(value: Any, at: At) -> str:
    if not isinstance(value, str) or not value.strip():
        at.fail(f"expected text, found {kind(value)}")
    return value


def as_flag(value: Any, at: At) -> bool:
    if not isinstance(value, bool):
        at.fail(f"expected true or false, found {kind(value)}")
    return value


def as_texts(value: Any, at: At) -> tuple[str, ...]:
    """A list of texts; one text stands for a list of it."""
    if isinstance(value, str):
        return (as_text(value, at),)
    if not isinstance(value, list):
        at.fail(f"expected text or a list of texts, found {kind(value)}")
    return tuple(as_text(item, at / str(number)) for number, item in enumerate(value))


def as_words(value: Any, at: At) -> tuple[str, ...]:
    """Words of a command line: a list, or one text that is split as a shell would."""
    if not isinstance(value, str):
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            at.fail(f"expected text or a list of texts, found {kind(value)}")
        return tuple(value)
    try:
        return tuple(shlex.split(value.replace("\\\r\n", " ").replace("\\\n", " ")))
    except ValueError as error:
        at.fail(f"cannot be split into words: {error}")


def as_strings(value: Any, at: At) -> dict[str, str]:
    """A table of texts; whole numbers are taken as text, as in an environment."""
    result = {}
    for name, item in as_table(value, at).items():
        if isinstance(item, int) and not isinstance(item, bool):
            item = str(item)  # noqa: PLW2901
        if not isinstance(item, str):
            (at / name).fail(f"expected text, found {kind(item)}")
        result[name] = item
    return result


def as_json(value: Any, at: At) -> JsonValue:
    """A value that a JSON configuration can hold."""
    if isinstance(value, dict):
        return {name: as_json(item, at / name) for name, item in value.items()}
    if isinstance(value, list):
        return [as_json(item, at / str(number)) for number, item in enumerate(value)]
    if isinstance(value, (bool, int, str)):
        return value
    if not isinstance(value, float) or not math.isfinite(value):
        at.fail(f"{kind(value)} has no place in a model's configuration")
    return value


def kind(value: Any) -> str:
    """How a message calls a value's type."""
    if isinstance(value, str):
        return "text" if value.strip() else "empty text"
    names = {bool: "true or false", int: "a number", float: "a number", list: "a list"}
    if isinstance(value, dict):
        return "a table"
    return names.get(type(value), f"a {type(value).__name__}")
