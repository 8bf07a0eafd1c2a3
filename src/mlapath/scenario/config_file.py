"""Read a model's ``config.json`` the way vLLM would, and refuse what it could not use."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeAlias

from mlapath.base.errors import ConfigError

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"

MAX_BYTES = 16 * 1024**2
MAX_DEPTH = 100
_CONFIG = "config.json"
_QUANT = "hf_quant_config.json"


@dataclass(frozen=True)
class ModelConfig:
    """A Hugging Face model configuration.

    ``label``: the path as the user gave it. ``values``: the object of ``config.json``.
    ``hf_quant_config``: the object of ``hf_quant_config.json`` beside it, or None. ``notes``:
    what the reader of the report should know, such as a key given twice. ``edits``: the ``--set``
    and ``--unset`` that were applied. ``removed``: the keys of the latter, split at their dots.
    ``files``: the files it was read from, and those that would have been if they were there.
    """

    label: str
    values: Mapping[str, JsonValue]
    hf_quant_config: Mapping[str, JsonValue] | None = None
    notes: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()
    removed: tuple[tuple[str, ...], ...] = ()
    files: tuple[str, ...] = ()

    @property
    def architectures(self) -> tuple[str, ...]:
        """The names under ``architectures``; empty where there are none."""
        names = self.values.get("architectures")
        return tuple(n for n in names if isinstance(n, str)) if isinstance(names, list) else ()


def read_config(path: str) -> ModelConfig:
    """Read the configuration file ``path``, or the ``config.json`` of the folder ``path``.

    Raises:
        ConfigError: absent, unreadable, larger than 16 MiB, not UTF-8, not JSON, nested deeper
            than 100 levels, or not an object. One line that names the file and the place.
    """
    file = Path(path).expanduser()
    if file.is_dir():
        if not (file / _CONFIG).is_file():
            raise ConfigError(f"{path}: the folder has no {_CONFIG}{_other_format(file)}")
        file = file / _CONFIG
    values, notes = _read_object(file)
    quant_file = file.with_name(_QUANT)
    files = tuple(os.path.abspath(x) for x in (file, quant_file))
    if file.name != _CONFIG or not quant_file.is_file():
        return ModelConfig(path, values, None, notes, files=files)
    quant, quant_notes = _read_object(quant_file)
    return ModelConfig(path, values, quant, notes + quant_notes, files=files)


def _other_format(folder: Path) -> str:
    if (folder / "params.json").is_file():
        return "; params.json (Mistral's format) is not read"
    return ""


def _read_object(file: Path) -> tuple[JsonObject, tuple[str, ...]]:
    text = _decode(file, _read_bytes(file))
    _check_depth(file, text)
    twice: list[str] = []

    def build(pairs: list[tuple[str, JsonValue]]) -> JsonObject:
        built = dict(pairs)
        if len(built) != len(pairs):
            keys = [key for key, _ in pairs]
            twice.extend(sorted({key for key in keys if keys.count(key) > 1}))
        return built

    try:
        value: JsonValue = json.loads(text, object_pairs_hook=build)
    except json.JSONDecodeError as error:
        _fail(file, f"not valid JSON: {error.msg}, line {error.lineno} column {error.colno}")
    except ValueError as error:  # an integer of more digits than Python converts
        _fail(file, f"not usable as JSON: {str(error).partition(';')[0]}")
    if not isinstance(value, dict):
        _fail(file, f"expected a JSON object, found {_kind(value)}")
    return value, tuple(f"{file.name}: key {key!r} is given twice, the last wins" for key in twice)


def _read_bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        _fail(file, "no such file")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        _fail(file, f"cannot be read: {reason or error}")
    if len(data) > MAX_BYTES:
        _fail(file, f"larger than {MAX_BYTES // 1024**2} MiB: not a model's configuration")
    return data


def _decode(file: Path, data: bytes) -> str:
    if not data.strip():
        _fail(file, "the file is empty")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        _fail(file, f"not UTF-8 text (byte {error.start})")
    if text.startswith("\ufeff"):
        _fail(file, "starts with a byte-order mark, which vLLM's JSON reader refuses")
    return text


def _check_depth(file: Path, text: str) -> None:
    """Count brackets outside strings, so that the parser's recursion stays bounded."""
    depth = 0
    in_string = escaped = False
    for char in text:
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                _fail(file, f"nested deeper than {MAX_DEPTH} levels")
        elif char in "]}":
            depth -= 1


def _kind(value: JsonValue) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", int: "a number", float: "a number", str: "a string"}
    return names.get(type(value), "a list")


def _fail(file: Path, problem: str) -> NoReturn:
    raise ConfigError(f"{file}: {problem}")
