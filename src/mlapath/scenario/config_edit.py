"""``--set`` and ``--unset``: edits to a model configuration by dotted key."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import cast

from mlapath.base.errors import ConfigError, UsageError
from mlapath.base.nearest import did_you_mean
from mlapath.scenario.config_file import JsonObject, JsonValue, ModelConfig

_UNESCAPED_DOT = re.compile(r"(?<!\\)\.")


def edit_config(config: ModelConfig, sets: Sequence[str], unsets: Sequence[str]) -> ModelConfig:
    r"""Apply ``--unset KEY`` and then ``--set KEY=VALUE`` edits; the input stays as it is.

    A key is dotted (``text_config.index_topk``); a dot inside a name is written ``\.`` and a
    number indexes a list. A value is JSON, or else a string.

    Raises:
        UsageError: not of the form KEY=VALUE, or a key both set and unset.
        ConfigError: the key to unset, or an object on the way to a key, does not exist.
    """
    assignments = [_split_assignment(text) for text in sets]
    removals = list(unsets)
    for key, _ in assignments:
        if key in removals:
            raise UsageError(f"--set and --unset both name {key!r}")
    values = deepcopy(dict(config.values))
    for key in removals:
        _remove(values, key)
    for key, value in assignments:
        _assign(values, key, value)
    edits = [f"--unset {key}" for key in removals] + [f"--set {text}" for text in sets]
    removed = (*config.removed, *(tuple(_names(key)) for key in removals))
    return replace(config, values=values, edits=(*config.edits, *edits), removed=removed)


def _split_assignment(text: str) -> tuple[str, JsonValue]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise UsageError(f"--set {text!r}: expected KEY=VALUE")
    try:
        return key, cast("JsonValue", json.loads(value))
    except RecursionError:
        raise UsageError(f"--set {key}=…: the value is nested too deeply") from None
    except ValueError:
        return key, value


def _names(key: str) -> list[str]:
    return [part.replace("\\.", ".") for part in _UNESCAPED_DOT.split(key)]


def _container(values: JsonObject, key: str) -> tuple[JsonObject | list[JsonValue], str]:
    """Walk to the object or list that holds the last name of ``key``."""
    *way, last = _names(key)
    current: JsonObject | list[JsonValue] = values
    for name in way:
        step = _get(current, name, key)
        if not isinstance(step, (dict, list)):
            raise ConfigError(f"config key {key!r}: {name!r} is not an object")
        current = step
    return current, last


def _get(container: JsonObject | list[JsonValue], name: str, key: str) -> JsonValue:
    if isinstance(container, list):
        return container[_index(container, name, key)]
    if name not in container:
        raise ConfigError(
            f"config key {key!r}: there is no {name!r}{did_you_mean(name, container)}"
        )
    return container[name]


def _index(container: list[JsonValue], name: str, key: str) -> int:
    if not name.isdecimal() or int(name) >= len(container):
        raise ConfigError(
            f"config key {key!r}: {name!r} is not an index of a list of {len(container)}"
        )
    return int(name)


def _remove(values: JsonObject, key: str) -> None:
    container, last = _container(values, key)
    _get(container, last, key)
    if isinstance(container, list):
        del container[int(last)]
    else:
        del container[last]


def _assign(values: JsonObject, key: str, value: JsonValue) -> None:
    container, last = _container(values, key)
    if isinstance(container, list):
        container[_index(container, last, key)] = value
    else:
        container[last] = value
