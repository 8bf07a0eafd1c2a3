"""The user's cache folder: complete folders and small files, published atomically."""

from mlapath.cache.folder import CacheDir, Usage

__all__ = ["CacheDir", "Usage"]
