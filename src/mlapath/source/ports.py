"""What this layer needs from others, as protocols: a store and a listener for progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol


class Store(Protocol):
    """A cache; `mlapath.cache.CacheDir` is one."""

    def find(self, kind: str, key: str) -> Path | None: ...

    def publish(self, kind: str, key: str, build: Callable[[Path], None]) -> Path: ...

    def read(self, kind: str, key: str) -> bytes | None: ...

    def write(self, kind: str, key: str, data: bytes) -> None: ...

    def keys(self, kind: str) -> tuple[str, ...]: ...


class Progress(Protocol):
    """Called while something is fetched: what, bytes so far, bytes in all (None: unknown)."""

    def __call__(self, what: str, done: int, total: int | None) -> None: ...


def silent(what: str, done: int, total: int | None) -> None:
    """Ignore progress."""
