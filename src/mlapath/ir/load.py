"""IR of a source text, from the cache where it is there."""

from __future__ import annotations

from contextlib import suppress
from hashlib import blake2b

from mlapath.cache.store import BlobStore
from mlapath.ir.codec import FORMAT, decode, encode
from mlapath.ir.errors import CodecError
from mlapath.ir.nodes import ModuleIR

KIND = "ir"
"""The kind of the cache's entries that hold IR."""


def load_module(text: str, path: str, store: BlobStore | None) -> ModuleIR:
    """The IR of one file, lowered only if ``store`` does not have it.

    Args:
        text: the decoded file.
        path: relative to the tree's root; files with the same text share an entry.
        store: where to look first and where to leave the result; None caches nothing.

    Raises:
        ParseError: the text is not Python, or has syntax this version does not lower.
    """
    key = cache_key(text)
    if store is not None:
        data = store.get(key)
        if data is not None:
            with suppress(CodecError):  # lowered and stored anew below
                return decode(data)._replace(path=path)
    from mlapath.ir.lower import lower_module  # a warm run needs none of it

    module = lower_module(text, path)
    if store is not None:
        with suppress(CodecError):  # nested too deeply to store: it is lowered each time
            store.put(key, encode(module))
    return module


def cache_key(text: str) -> str:
    """What the IR of ``text`` is stored under: a digest of the text and of the format."""
    digest = blake2b(FORMAT.encode() + b"\0", digest_size=20)
    digest.update(text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
