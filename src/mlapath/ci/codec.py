"""Snapshots as JSON and back, read off their annotations; what is the default is left out."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

from mlapath.scenario.config_file import JsonObject, JsonValue

T = TypeVar("T")


class ShapeError(ValueError):
    """JSON that is not what was written; the message names the key."""


def encode(value: Any) -> JsonObject:
    """A dataclass as an object with sorted keys, without fields that have their default."""
    encoded = _encode(value)
    assert isinstance(encoded, dict)
    return encoded


def decode(cls: type[T], data: JsonValue, at: str = "") -> T:
    """The dataclass that ``data`` was made of.

    Raises:
        ShapeError: an unknown or missing key, or a value of the wrong type.
    """
    result: T = _decode(cls, data, at)
    return result


def _encode(value: Any) -> JsonValue:
    if is_dataclass(value) and not isinstance(value, type):
        result: JsonObject = {}
        for each in sorted(fields(value), key=lambda f: f.name):
            item = getattr(value, each.name)
            default = (
                each.default_factory() if each.default_factory is not MISSING else each.default
            )
            if item != default or type(item) is not type(default):
                result[each.name] = _encode(item)
        return result
    if isinstance(value, Mapping):
        return {key: _encode(value[key]) for key in sorted(value)}
    if isinstance(value, tuple):
        items = list(value)
        while hasattr(value, "_fields") and items and items[-1] is None:
            items.pop()
        return [_encode(item) for item in items]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{type(value).__name__} cannot be encoded")


@cache
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _decode(kind: Any, data: Any, at: str) -> Any:
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return _decode_union(args, data, at)
    if is_dataclass(kind):
        return _decode_dataclass(kind, data, at)
    if isinstance(kind, type) and hasattr(kind, "_fields"):
        hints = _hints(kind)
        items = _list(data, at)
        if len(items) > len(hints):
            raise ShapeError(f"{at}: too many items")
        values = [
            _decode(hint, item, at) for hint, item in zip(hints.values(), items, strict=False)
        ]
        try:
            return kind(*values)
        except TypeError:
            raise ShapeError(f"{at}: too few items") from None
    if origin is tuple:
        return tuple(
            _decode(args[0], item, f"{at}[{n}]") for n, item in enumerate(_list(data, at))
        )
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(data, dict):
            raise ShapeError(f"{at}: expected an object")
        return {key: _decode(args[1], item, f"{at}.{key}") for key, item in data.items()}
    wanted = (int, float) if kind is float else (kind,)
    if type(data) not in wanted:
        raise ShapeError(f"{at}: expected {kind.__name__}")
    return data


def _decode_union(args: tuple[Any, ...], data: Any, at: str) -> Any:
    if data is None and types.NoneType in args:
        return None
    kinds = [arg for arg in args if arg is not types.NoneType]
    if len(kinds) == 1:
        return _decode(kinds[0], data, at)
    if type(data) not in kinds:
        raise ShapeError(f"{at}: expected one of {', '.join(kind.__name__ for kind in kinds)}")
    return data


def _decode_dataclass(cls: Any, data: Any, at: str) -> Any:
    if not isinstance(data, dict):
        raise ShapeError(f"{at or 'the file'}: expected an object")
    hints = _hints(cls)
    for key in data:
        if key not in hints:
            raise ShapeError(f"{at}: unknown key {key!r}")
    try:
        return cls(**{key: _decode(hints[key], item, f"{at}.{key}") for key, item in data.items()})
    except TypeError as error:
        raise ShapeError(f"{at}: {str(error).partition(')')[2].strip() or error}") from None


def _list(data: Any, at: str) -> list[Any]:
    if not isinstance(data, list):
        raise ShapeError(f"{at}: expected a list")
    return data
