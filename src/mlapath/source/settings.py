"""Which package index to ask, as the user told pip or uv."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True)
class IndexSettings:
    """Where packages come from.

    `index_urls` in order; None among them is the public index, whose address the client library
    knows. Settings of the same name in pip: `find-links`, `trusted-host`, `cert`, `client-cert`,
    `proxy`, `timeout` (seconds).
    """

    index_urls: tuple[str | None, ...]
    find_links: tuple[str, ...] = ()
    trusted_hosts: tuple[str, ...] = ()
    cert: str | None = None
    client_cert: str | None = None
    proxy: str | None = None
    timeout: float = 30.0

    @property
    def digest(self) -> str:
        """Tell apart settings that may give other files for the same version."""
        text = "\n".join([*(url or "" for url in self.index_urls), "--", *self.find_links])
        return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
