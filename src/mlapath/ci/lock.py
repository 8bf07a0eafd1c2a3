"""The baseline: ``mlapath.lock``, JSON that is made to be reviewed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mlapath.base.errors import ConfigError
from mlapath.ci.codec import ShapeError, decode, encode
from mlapath.ci.snapshot import Scalar, Snapshot
from mlapath.scenario.config_file import JsonObject, JsonValue

SCHEMA = "mlapath.lock/1"
UPGRADES: Mapping[str, Callable[[JsonObject], JsonObject]] = {}
"""For each old schema, what makes the content of the next one (with its ``schema``) of it."""
_WIDTH = 99


@dataclass(frozen=True)
class Asked:
    """The question that an answer belongs to. ``config_digest``: of the edited configuration."""

    config: str
    config_digest: str
    device: str
    flags: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()
    batch: str | None = None
    targets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A scenario's question and answer; ``vllm``: the version that gave it, where known."""

    asked: Asked
    answer: Snapshot
    vllm: str | None = None


@dataclass(frozen=True)
class Lock:
    """A baseline; scenarios by name."""

    scenarios: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of vLLM whose answers it has."""
        return tuple(sorted({entry.vllm or "unknown" for entry in self.scenarios.values()}))


def render_lock(lock: Lock) -> str:
    """Give the file's text: keys sorted, one fact a line, the same for the same answers."""
    return _pretty({"schema": SCHEMA, **encode(lock)}, 0) + "\n"


def parse_lock(text: str, label: str) -> Lock:
    """Read a baseline, an older one by way of its upgrades.

    Raises:
        ConfigError: not JSON (such as with merge conflicts in it), not a baseline, or one of a
            newer mlapath. One line.
    """
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{label}: not valid JSON: {error}") from None
    if not isinstance(data, dict) or not isinstance(data.get("schema"), str):
        raise ConfigError(f"{label}: not a baseline of mlapath")
    while data["schema"] in UPGRADES:
        data = UPGRADES[data["schema"]](data)
    if data["schema"] != SCHEMA:
        raise ConfigError(
            f"{label}: has schema {data['schema']!r}, and this mlapath reads {SCHEMA!r}: "
            "use the mlapath that wrote it, or write it anew"
        )
    try:
        return decode(Lock, {key: value for key, value in data.items() if key != "schema"})
    except ShapeError as error:
        raise ConfigError(f"{label}: {str(error).lstrip('.')}") from None


def _pretty(value: JsonValue, depth: int) -> str:
    """Objects open up; a list of plain values stays on one line: in a list, or where it fits."""
    if isinstance(value, (list, dict)) and value:
        one_line = _dump(value)
        if isinstance(value, list) and _plain(value) and len(one_line) + depth <= _WIDTH:
            return one_line
        inner = "\n" + " " * (depth + 1)
        if isinstance(value, list):
            parts = [_dump(v) if _plain(v) else _pretty(v, depth + 1) for v in value]
            return f"[{inner}{(',' + inner).join(parts)}\n{' ' * depth}]"
        parts = [f"{_dump(key)}: {_pretty(item, depth + 1)}" for key, item in value.items()]
        return f"{{{inner}{(',' + inner).join(parts)}\n{' ' * depth}}}"
    return _dump(value)


def _plain(value: JsonValue) -> bool:
    return not isinstance(value, dict) and (
        not isinstance(value, list) or not any(isinstance(v, (list, dict)) for v in value)
    )


def _dump(value: JsonValue) -> str:
    """JSON that can be written as UTF-8: what has no encoding there is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isascii() or _encodable(text) else json.dumps(value)


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


__all__ = ["SCHEMA", "UPGRADES", "Asked", "Entry", "Lock", "Scalar", "parse_lock", "render_lock"]
