"""Small files by key, each with a checksum: what is damaged is as good as absent."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

from mlapath.base.errors import TreeError
from mlapath.cache.folder import CacheDir

_DIGEST_SIZE = 16


@dataclass(frozen=True)
class BlobStore:
    """The entries of one kind in a cache.

    A key must name everything its bytes depend on, as entries are never out of date.
    """

    cache: CacheDir
    kind: str

    def beside(self, kind: str) -> BlobStore:
        """The entries of another kind in the same cache."""
        return BlobStore(self.cache, kind)

    def get(self, key: str) -> bytes | None:
        """Give the bytes, or None if they are absent, unreadable or not what was put.

        What is damaged is logged, one line each.
        """
        stored = self.cache.read(self.kind, key)
        if stored is None:
            return None
        data = stored[_DIGEST_SIZE:]
        if stored[:_DIGEST_SIZE] != _digest(key, data):
            import logging  # slow to import, seldom needed

            logging.getLogger(__name__).warning(
                "mlapath: the cache entry %s/%s is damaged and made anew", self.kind, key
            )
            return None
        return data

    def put(self, key: str, data: bytes) -> bool:
        """Store the bytes, replacing older ones; False if the cache cannot be written."""
        try:
            self.cache.write(self.kind, key, _digest(key, data) + data)
        except TreeError:
            return False
        return True


def _digest(key: str, data: bytes) -> bytes:
    """Of the key too, so that an entry under another's name is no entry."""
    digest = blake2b(key.encode(), digest_size=_DIGEST_SIZE)
    digest.update(data)
    return digest.digest()
