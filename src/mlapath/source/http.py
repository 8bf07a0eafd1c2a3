"""HTTP as this layer uses it: byte ranges and whole files, retries, one-line errors.

Proxies and credentials come from the environment and `.netrc`, as `requests` reads them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlapath.base.errors import NetworkError
from mlapath.source.session import ATTEMPTS, redacted, session_for, unreachable
from mlapath.source.settings import IndexSettings

if TYPE_CHECKING:
    import requests
    from typing_extensions import Self

_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
_CHUNK = 64 * 1024


class RangesUnsupportedError(Exception):
    """The server answers a range request with something else than that range."""


@dataclass(frozen=True)
class Part:
    """Bytes `start …` of a file that has `total` bytes."""

    start: int
    data: bytes
    total: int
    etag: str | None


class Http:
    """A session with the user's certificates, time limit (seconds) and trusted hosts."""

    def __init__(self, settings: IndexSettings) -> None:
        self.session = session_for(settings)
        self.timeout = settings.timeout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()

    def tail(self, url: str, count: int) -> Part:
        """Give the last `count` bytes (all, if there are fewer).

        Raises RangesUnsupportedError, or NetworkError.
        """
        try:
            return self._part(url, f"bytes=-{count}", count, None)
        except RangesUnsupportedError:
            total = self._length(url)
            if total == 0:
                raise
            return self.span(url, max(0, total - count), total)

    def span(
        self, url: str, start: int, stop: int, advance: Callable[[int], None] | None = None
    ) -> Part:
        """Give the bytes `start:stop`, telling `advance` the number of bytes so far."""
        part = self._part(url, f"bytes={start}-{stop - 1}", stop - start, advance)
        if part.start != start or len(part.data) != stop - start:
            raise RangesUnsupportedError(redacted(url))
        return part

    @contextmanager
    def stream(
        self, url: str, headers: Mapping[str, str] | None = None, method: str = "GET"
    ) -> Iterator[requests.Response]:
        """Open `url` without content coding; the caller reads the body."""
        import requests

        sent = {"Accept-Encoding": "identity", **(headers or {})}
        try:
            with self.session.request(
                method,
                url,
                headers=sent,
                stream=True,
                timeout=self.timeout,
            ) as response:
                yield response
        except requests.RequestException as error:
            raise NetworkError(unreachable(url, error)) from error

    def _part(
        self, url: str, value: str, limit: int, advance: Callable[[int], None] | None
    ) -> Part:
        for attempt in range(ATTEMPTS):
            try:
                return self._part_once(url, value, limit, advance)
            except NetworkError:
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError("unreachable")

    def _part_once(
        self, url: str, value: str, limit: int, advance: Callable[[int], None] | None
    ) -> Part:
        with self.stream(url, {"Range": value}) as response:
            if response.status_code in (401, 403, 404, 410):
                raise NetworkError(f"{redacted(url)} answers {response.status_code}")
            match = _CONTENT_RANGE.fullmatch(response.headers.get("Content-Range", ""))
            coded = response.headers.get("Content-Encoding", "identity") != "identity"
            if response.status_code != 206 or not match or coded:
                raise RangesUnsupportedError(redacted(url))
            start, last, total = (int(text) for text in match.groups())
            expected = last - start + 1
            if expected > limit:
                raise RangesUnsupportedError(redacted(url))
            data = bytearray()
            for chunk in response.iter_content(_CHUNK):
                data += chunk
                if len(data) > expected:
                    break
                if advance:
                    advance(len(data))
            if len(data) != expected:
                raise NetworkError(f"the answer of {redacted(url)} broke off; try again")
            return Part(start, bytes(data), total, response.headers.get("ETag"))

    def _length(self, url: str) -> int:
        with self.stream(url, method="HEAD") as response:
            ranges = response.headers.get("Accept-Ranges", "")
            length = response.headers.get("Content-Length", "")
            if response.status_code != 200 or ranges != "bytes" or not length.isdecimal():
                return 0
            return int(length)
