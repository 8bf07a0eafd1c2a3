"""One folder on disk that several processes may use at once.

Nothing half-written is ever visible: folders and files are made under `tmp/` and renamed into
place. The first process to rename wins; the others drop their copy and use the winner's.
A process that is killed leaves at most something under `tmp/`, named after it; the next one that
writes removes it.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from mlapath.base.errors import TreeError

ENV_VARIABLE = "MLAPATH_CACHE_DIR"
_STALE_SECONDS = 24 * 3600
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+!-]{0,199}")


@dataclass(frozen=True)
class Usage:
    """What one kind of cached thing takes: number of entries and bytes."""

    kind: str
    entries: int
    size: int


@dataclass(frozen=True)
class CacheDir:
    """The cache at `root` (absolute; made on first use)."""

    root: Path

    @classmethod
    def default(cls, env: Mapping[str, str] | None = None) -> CacheDir:
        """Give the user's cache: `MLAPATH_CACHE_DIR`, else the platform's cache folder."""
        chosen = (os.environ if env is None else env).get(ENV_VARIABLE)
        if chosen:
            return cls(Path(chosen).expanduser().absolute())
        from platformdirs import user_cache_path

        return cls(user_cache_path("mlapath", appauthor=False))

    def find(self, kind: str, key: str) -> Path | None:
        """Give the published folder, or None."""
        path = self._place(kind, key)
        return path if path.is_dir() else None

    def publish(self, kind: str, key: str, build: Callable[[Path], None]) -> Path:
        """Give the folder `kind/key`, calling `build(new empty folder)` if it is not there.

        What `build` raises passes through, and nothing is published. Raises TreeError if the
        cache cannot be written.
        """
        place = self._place(kind, key)
        if place.is_dir():
            return place
        scratch = self._scratch()
        try:
            scratch.mkdir()
            build(scratch)
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                scratch.rename(place)
            except OSError:
                if not place.is_dir():
                    raise
        except OSError as error:
            raise self._unwritable(error) from error
        finally:
            _remove(scratch)
        return place

    def read(self, kind: str, key: str) -> bytes | None:
        """Give the bytes of the small file `kind/key`, or None if it is not there."""
        try:
            return self._place(kind, key).read_bytes()
        except OSError:
            return None

    def write(self, kind: str, key: str, data: bytes) -> None:
        """Put the small file `kind/key` in place, replacing an older one."""
        place = self._place(kind, key)
        scratch = self._scratch()
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            scratch.write_bytes(data)
            scratch.replace(place)
        except OSError as error:
            raise self._unwritable(error) from error
        finally:
            with suppress(OSError):
                scratch.unlink()

    def keys(self, kind: str) -> tuple[str, ...]:
        """List what is published under `kind`, sorted."""
        try:
            return tuple(sorted(entry.name for entry in os.scandir(self.root / kind)))
        except OSError:
            return ()

    def usage(self) -> tuple[Usage, ...]:
        """Count entries and bytes of every kind, sorted by kind."""
        if not self.root.is_dir():
            return ()
        kinds = sorted(entry.name for entry in os.scandir(self.root) if entry.is_dir())
        return tuple(
            Usage(kind, len(self.keys(kind)), _folder_size(self.root / kind)) for kind in kinds
        )

    def clear(self, kind: str | None = None) -> int:
        """Remove everything, or one kind; give the bytes freed."""
        freed = 0
        for usage in self.usage():
            if kind is None or usage.kind == kind:
                _remove(self.root / usage.kind)
                freed += usage.size
        return freed

    def trim(self, limits: Mapping[str, int]) -> None:
        """Remove the small files that were written first where a kind takes more bytes.

        Down to nine tenths of its limit, so that this is seldom done.
        """
        for kind, limit in limits.items():
            files = _files_by_age(self.root / kind)
            size = sum(status.st_size for _, status in files)
            if size <= limit:
                continue
            for path, status in files:
                with suppress(OSError):
                    os.unlink(path)
                size -= status.st_size
                if size <= limit * 9 // 10:
                    break

    def is_due(self, task: str, seconds: float) -> bool:
        """Whether a task has not been done for so long, by any process; it counts as done now."""
        stamp = self.root / task
        with suppress(OSError):
            if 0 <= time.time() - stamp.stat().st_mtime < seconds:
                return False
        with suppress(OSError):
            stamp.touch()
        return True

    def _place(self, kind: str, key: str) -> Path:
        for name in (kind, key):
            if not _NAME.fullmatch(name):
                raise ValueError(f"not a cache name: {name!r}")
        return self.root / kind / key

    def _scratch(self) -> Path:
        folder = self.root / "tmp"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error
        _drop_stale(folder)
        return folder / f"{_machine()}-{os.getpid()}-{os.urandom(8).hex()}"

    def _unwritable(self, error: OSError) -> TreeError:
        reason = error.strerror or str(error)
        return TreeError(
            f"cannot write to the cache folder {self.root}: {reason}; "
            f"set {ENV_VARIABLE} to a folder that can be written"
        )


def _drop_stale(folder: Path) -> None:
    """Remove what processes left that are gone, and what is old."""
    limit = time.time() - _STALE_SECONDS
    for entry in os.scandir(folder):
        with suppress(OSError):
            if _is_orphan(entry.name) or entry.stat(follow_symlinks=False).st_mtime < limit:
                if entry.is_dir(follow_symlinks=False):
                    _remove(entry.path)
                else:
                    os.unlink(entry.path)


def _is_orphan(name: str) -> bool:
    """Whether the process that made a scratch file ran on this machine and is gone.

    Windows cannot be asked this way.
    """
    machine, _, rest = name.partition("-")
    number = rest.partition("-")[0]
    if os.name == "nt" or machine != _machine() or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _machine() -> str:
    """A word for this machine: several may share a folder."""
    import platform  # slow to import, seldom needed

    return blake2b(platform.node().encode(), digest_size=4).hexdigest()


def _remove(folder: Path | str) -> None:
    import shutil  # slow to import, seldom needed

    shutil.rmtree(folder, ignore_errors=True)


def _files_by_age(folder: Path) -> list[tuple[str, os.stat_result]]:
    """The files of a folder with their status, the oldest first."""
    found: list[tuple[str, os.stat_result]] = []
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return []
    for entry in entries:
        with suppress(OSError):
            if entry.is_file(follow_symlinks=False):
                found.append((entry.path, entry.stat(follow_symlinks=False)))
    return sorted(found, key=lambda item: (item[1].st_mtime_ns, item[0]))


def _folder_size(folder: Path) -> int:
    total = 0
    for base, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += os.lstat(os.path.join(base, name)).st_size
    return total
