"""Source trees: found, fetched, verified and read, never imported."""

from mlapath.source.discover import discover_settings
from mlapath.source.indexed import IndexAccess
from mlapath.source.metadata import EntryPoint
from mlapath.source.open import as_version, list_releases, open_companion, open_tree
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
    "as_version",
    "discover_settings",
    "list_releases",
    "open_companion",
    "open_tree",
    "silent",
]
