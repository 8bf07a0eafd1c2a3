"""Frozen dataclasses as plain data for JSON, and back.

Fields may be scalars, enumerations, dataclasses, tuples of one type, mappings with text keys, and
anything else that is JSON already, which passes through as it is.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_plain(value: Any) -> Any:
    """The value as dicts, lists and scalars."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    return value


def from_plain(kind: type[T], data: Any) -> T:
    """The inverse of ``to_plain`` for a value of type ``kind``.

    Raises:
        TypeError, ValueError, KeyError: the data is not of that type.
    """
    value: T = _built(kind, data)
    return value


def _built(kind: Any, data: Any) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _optional(get_args(kind), data)
    if origin is tuple:
        item = get_args(kind)[0]
        return tuple(_built(item, x) for x in data)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        item = get_args(kind)[1]
        return {key: _built(item, x) for key, x in data.items()}
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{name: _built(hints.get(name), x) for name, x in data.items()})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    return data


def _optional(kinds: tuple[Any, ...], data: Any) -> Any:
    """One of several types: a single one beside None, or else what is JSON already."""
    others = [kind for kind in kinds if kind is not type(None)]
    return data if data is None or len(others) != 1 else _built(others[0], data)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
