"""A file on an HTTP server, read piecewise: what `zipfile` needs to open a remote wheel.

Reads are answered from segments already fetched; a read outside of them fetches. `prefetch`
brings many pieces with few requests.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING

from mlapath.base.errors import NetworkError, TreeError
from mlapath.source.http import Http
from mlapath.source.limits import DIRECTORY_BYTES
from mlapath.source.ports import Progress, silent
from mlapath.source.session import redacted

if TYPE_CHECKING:
    from typing_extensions import Self

TAIL_BYTES = 1024 * 1024
GAP_BYTES = 256 * 1024


class RemoteFile(io.RawIOBase):
    """A read-only, seekable view of the file at `url`.

    Raises RangesUnsupportedError at construction if the server gives only whole files, and
    NetworkError if it cannot be reached or the file changes between two requests.
    """

    def __init__(self, http: Http, url: str, progress: Progress = silent) -> None:
        super().__init__()
        self._http = http
        self._url = url
        self._progress = progress
        self._position = 0
        self.requests = 1
        tail = http.tail(url, TAIL_BYTES)
        self.size = tail.total
        self._etag = tail.etag
        self._segments: list[tuple[int, bytes]] = [(tail.start, tail.data)]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self.size}[whence]
        self._position = max(0, base + offset)
        return self._position

    def read(self, size: int | None = -1) -> bytes:
        start = min(self._position, self.size)
        stop = self.size if size is None or size < 0 else min(start + size, self.size)
        data = self._bytes(start, stop)
        self._position = start + len(data)
        return data

    def readall(self) -> bytes:
        return self.read(-1)

    def prefetch(self, spans: Iterable[tuple[int, int]], what: str) -> None:
        """Fetch the half-open byte `spans`, close ones in one request; report progress."""
        wanted = [span for span in spans if self._cached(*span) is None]
        pieces = coalesce(wanted, GAP_BYTES)
        total = sum(stop - start for start, stop in pieces)
        done = 0
        for start, stop in pieces:
            self._fetch(start, stop, _advance(self._progress, what, done, total))
            done += stop - start
        self._progress(what, total, total)

    def _bytes(self, start: int, stop: int) -> bytes:
        if start >= stop:
            return b""
        found = self._cached(start, stop)
        if found is None:
            if stop - start > DIRECTORY_BYTES:
                raise TreeError(f"{redacted(self._url)} has an absurdly large directory; refused")
            self._fetch(start, min(self.size, max(stop, start + 4096)), None)
            found = self._cached(start, stop)
            assert found is not None
        return found

    def _cached(self, start: int, stop: int) -> bytes | None:
        for base, data in self._segments:
            if base <= start and stop <= base + len(data):
                return data[start - base : stop - base]
        return None

    def _fetch(self, start: int, stop: int, advance: Callable[[int], None] | None) -> None:
        part = self._http.span(self._url, start, stop, advance)
        self.requests += 1
        if part.total != self.size or part.etag != self._etag:
            raise NetworkError(
                f"the file changed on the server while it was read: {redacted(self._url)}; "
                "try again"
            )
        self._segments.append((part.start, part.data))


def coalesce(spans: Iterable[tuple[int, int]], gap: int) -> list[tuple[int, int]]:
    """Join half-open spans that overlap or lie at most `gap` bytes apart; sorted."""
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if joined and start - joined[-1][1] <= gap:
            joined[-1] = (joined[-1][0], max(joined[-1][1], stop))
        else:
            joined.append((start, stop))
    return joined


def _advance(progress: Progress, what: str, base: int, total: int) -> Callable[[int], None]:
    return lambda count: progress(what, base + count, total)
