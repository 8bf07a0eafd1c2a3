"""A package index on 127.0.0.1 whose manners can be chosen."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass
class Index:
    """Serves the files of `folder` for every project whose name they start with.

    `manner`: `ranges`; `no-suffix` (ranges, but not of the form `-N`); `whole` (ignores Range);
    `changing` (another ETag for each answer); `short` (announces more than it sends);
    `other` (answers with another range); `broken` (status 500).
    """

    folder: Path
    manner: str = "ranges"
    as_json: bool = True
    sha256: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    yanked: set[str] = field(default_factory=set)
    password: str | None = None
    requests: list[tuple[str, str, str | None]] = field(default_factory=list)
    url: str = ""
    files_url: str = "../../files/"

    def files(self, project: str) -> list[dict[str, Any]]:
        found = []
        for path in sorted(self.folder.iterdir()):
            if path.name.startswith(f"{project}-"):
                data = path.read_bytes()
                digest = self.sha256.get(path.name, hashlib.sha256(data).hexdigest())
                found.append(
                    {
                        "filename": path.name,
                        "url": f"{self.files_url}{path.name}",
                        "hashes": {"sha256": digest},
                        "size": self.sizes.get(path.name, len(data)),
                        "yanked": path.name in self.yanked,
                    }
                )
        return found

    def fetched(self) -> list[str | None]:
        """Give the Range header of every request for a file."""
        return [value for method, path, value in self.requests if path.startswith("/files/")]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    index: Index
    server: ThreadingHTTPServer

    def log_message(self, *args: Any) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        index = self.index
        index.requests.append((self.command, self.path, self.headers.get("Range")))
        if index.password is not None and self.headers.get("Authorization") != index.password:
            self._send(401, b"")
        elif self.path.startswith("/simple/"):
            self._page(self.path.split("/")[2])
        elif self.path.startswith("/files/"):
            self._file(index.folder / self.path.split("/")[2])
        else:
            self._send(404, b"")

    def _page(self, project: str) -> None:
        files = self.index.files(project)
        if self.index.manner == "broken":
            self._send(500, b"")
        elif not files:
            self._send(404, b"")
        elif self.index.as_json:
            page = {"meta": {"api-version": "1.1"}, "name": project, "files": files}
            self._send(200, json.dumps(page).encode(), {"Content-Type": _JSON})
        else:
            links = "".join(
                f'<a href="{one["url"]}#sha256={one["hashes"]["sha256"]}">{one["filename"]}</a>'
                for one in files
            )
            page = f"<!DOCTYPE html><html><body>{links}</body></html>"
            self._send(200, page.encode(), {"Content-Type": "text/html"})

    def _file(self, path: Path) -> None:
        if not path.is_file():
            self._send(404, b"")
            return
        data = path.read_bytes()
        asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range") or "")
        manner = self.index.manner
        if asked is None or manner == "whole" or (manner == "no-suffix" and not asked[1]):
            self._send(200, data, {"Accept-Ranges": "bytes"} if manner == "no-suffix" else {})
            return
        if asked[1]:
            start, stop = int(asked[1]), min(int(asked[2] or len(data) - 1) + 1, len(data))
        else:
            start, stop = max(0, len(data) - int(asked[2])), len(data)
        if manner == "other":
            stop = start + max(1, (stop - start) // 2)
        etag = f'"{len(self.index.requests)}"' if manner == "changing" else '"same"'
        headers = {"Content-Range": f"bytes {start}-{stop - 1}/{len(data)}", "ETag": etag}
        body = data[start:stop]
        if manner == "short" and start > 0:
            self.close_connection = True
            self._send(206, body[:-1], headers, length=len(body))
            return
        self._send(206, body, headers)

    def _send(
        self, status: int, body: bytes, headers: dict[str, str] | None = None, length: int = -1
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body) if length < 0 else length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


_JSON = "application/vnd.pypi.simple.v1+json"


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *args: Any) -> None:
        """A client may hang up; the test tells by what the client does."""


@contextmanager
def serving(index: Index) -> Iterator[Index]:
    """Serve `index` until the block is left; `index.url` is its address."""
    handler = type("Handler", (_Handler,), {"index": index})
    with _Server(("127.0.0.1", 0), handler) as server:
        index.url = f"http://127.0.0.1:{server.server_port}/simple/"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield index
        finally:
            server.shutdown()
            thread.join()
