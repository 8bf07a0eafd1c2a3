"""Which package index to ask, as the user told pip or uv."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True)
class IndexSettings:
    """Where packages come from. `index_urls` in order, the main index first."""

    index_urls: tuple[str, ...]
    find_links: tuple[str, ...] = ()
    trusted_hosts: tuple[str, ...] = ()
    cert: str | None = None
    client_cert: str | None = None
    proxy: str | None = None
    timeout: float = 30.0

    @property
    def digest(self) -> str:
        """Tell apart settings that may give other files for the same version."""
        text = "\n".join([*self.index_urls, "--", *self.find_links])
        return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()
