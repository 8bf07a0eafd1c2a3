"""Source trees: found, fetched, verified and read, never imported."""

from mlapath.source.discover import discover_settings
from mlapath.source.indexed import IndexAccess
from mlapath.source.metadata import EntryPoint
from mlapath.source.open import open_tree
from mlapath.source.ports import Progress, Store, silent
from mlapath.source.settings import IndexSettings
from mlapath.source.tree import Companion, Origin, SourceTree

__all__ = [
    "Companion",
    "EntryPoint",
    "IndexAccess",
    "IndexSettings",
    "Origin",
    "Progress",
    "SourceTree",
    "Store",
    "discover_settings",
    "open_tree",
    "silent",
]
