"""A tree or companion from the package index, by way of the cache.

`pins/` remembers which file a version meant under the same index settings, so that a cached
version needs no network. `trees/` and `companions/` hold the unpacked files, by archive.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from mlapath.base.errors import NetworkError
from mlapath.source.keep import Keep, keep_companion, keep_source
from mlapath.source.manifest import SITE
from mlapath.source.platforms import Platform
from mlapath.source.ports import Progress, Store
from mlapath.source.settings import IndexSettings
from mlapath.source.tree import Companion, SourceTree
from mlapath.source.unpacked import companion_from, tree_from

if TYPE_CHECKING:
    from mlapath.source.http import Http
    from mlapath.source.index import IndexFile

PINS = "pins"
TREES = "trees"
COMPANIONS = "companions"
_STALE_NOTE = (
    "was taken from the cache as other index settings gave it, since the index cannot be reached"
)


class IndexAccess:
    """The index as one run sees it: settings, cache, listener, and whether it may be asked."""

    def __init__(
        self, settings: IndexSettings, cache: Store, progress: Progress, *, offline: bool = False
    ) -> None:
        self.settings = settings
        self._cache = cache
        self._progress = progress
        self._offline = offline

    def tree(self, version: str, platform: Platform) -> SourceTree:
        """Give vLLM `version` for `platform`. Raises NetworkError or TreeError."""
        place, notes = self._obtain(
            "vllm", SpecifierSet(f"=={version}"), platform, TREES, keep_source
        )
        return tree_from(place / SITE, "index").noted(notes)

    def companion(self, package: str, requirement: SpecifierSet, platform: Platform) -> Companion:
        """Give the newest final release of `package` that fits, its configuration part only."""
        place, notes = self._obtain(
            package, requirement, platform, COMPANIONS, keep_companion(package)
        )
        return companion_from(place / SITE, package).noted(notes)

    def releases(self, package: str, *, prereleases: bool = False) -> tuple[str, ...]:
        """List the versions on the index, oldest first."""
        from mlapath.source.choose import versions_of
        from mlapath.source.index import index_files

        with self._http(f"the list of {package} releases") as http:
            files = index_files(package, self.settings, http)
        return tuple(str(version) for version in versions_of(files, prereleases=prereleases))

    def _obtain(
        self, package: str, wanted: SpecifierSet, platform: Platform, kind: str, keep: Keep
    ) -> tuple[Path, tuple[str, ...]]:
        # The hash tells apart what the plain name cannot, such as `>5` and `<5`.
        text = hashlib.blake2b(str(wanted).encode(), digest_size=4).hexdigest()
        stem = _plain(f"{canonicalize_name(package)}{wanted}-{text}-{platform}")
        pin = f"{stem}-{self.settings.digest}"
        known = self._pinned(pin, kind)
        if known is not None:
            return known, ()
        try:
            key, place = self._ask(package, wanted, platform, kind, keep)
        except NetworkError:
            for other in self._cache.keys(PINS):
                known = self._pinned(other, kind) if other.startswith(f"{stem}-") else None
                if known is not None:
                    return known, (f"{package} {wanted} {_STALE_NOTE}",)
            raise
        self._cache.write(PINS, pin, json.dumps({"kind": kind, "key": key}).encode())
        return place, ()

    def _ask(
        self, package: str, wanted: SpecifierSet, platform: Platform, kind: str, keep: Keep
    ) -> tuple[str, Path]:
        """Fetch from the index; give the key and the folder under which it lies in the cache."""
        from mlapath.source.choose import choose_file
        from mlapath.source.fetch import fetch_into
        from mlapath.source.index import index_files

        with self._http(f"{package} {wanted}") as http:
            file = choose_file(index_files(package, self.settings, http), wanted, platform)
            key = _key(file)
            place = self._cache.publish(
                kind,
                key,
                lambda folder: fetch_into(folder, package, file, keep, http, self._progress),
            )
        return key, place

    def _pinned(self, pin: str, kind: str) -> Path | None:
        data = self._cache.read(PINS, pin)
        if data is None:
            return None
        try:
            found = json.loads(data)
            return self._cache.find(kind, found["key"]) if found["kind"] == kind else None
        except (ValueError, KeyError, TypeError):
            return None

    def _http(self, what: str) -> Http:
        if self._offline:
            raise NetworkError(
                f"{what} is not in the cache, and asking the package index is switched off"
            )
        from mlapath.source.http import Http

        return Http(self.settings)


def _key(file: IndexFile) -> str:
    return _plain(f"{file.filename}-{(file.sha256 or 'unhashed')[:16]}")


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._+-]", "_", text)
