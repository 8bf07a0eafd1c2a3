"""The vLLM tree that is analysed, and the packages whose source lies with it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from mlapath.source.extensions import extension_modules
from mlapath.source.files import FileSet, scan
from mlapath.source.integrity import Survey, survey
from mlapath.source.manifest import Stamp
from mlapath.source.metadata import EntryPoint
from mlapath.source.record import RecordEntry, parse_record

Origin = Literal["index", "installed", "directory", "archive"]


@dataclass(frozen=True, eq=False)
class SourceTree(FileSet):
    """Source of one vLLM: `root` holds the folder `vllm`.

    `version` is None if nothing tells it. `requires`: the `Requires-Dist` lines. `plugins`: entry
    points whose group starts with `vllm.`. `shadows`: other copies of vllm that Python would
    find, first found first. `distributions`: canonical name to version of everything installed
    in the same environment; None where there is no environment (index, archive, checkout).
    `notes`: what a reader of a verdict should know, one sentence each. `python`: path of the
    interpreter that the tree was found with. `search_path`: the folders where Python looks for
    packages beside the tree; empty where `distributions` is None.
    """

    version: str | None
    origin: Origin
    requires: tuple[str, ...] = ()
    plugins: tuple[EntryPoint, ...] = ()
    shadows: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    distributions: Mapping[str, str] | None = None
    archive: str | None = None
    dist_info: Path | None = None
    python: Path | None = None
    search_path: tuple[Path, ...] = ()
    kept: Mapping[str, Stamp] | None = field(default=None, repr=False)

    def noted(self, notes: tuple[str, ...]) -> SourceTree:
        """Give the same tree with further notes."""
        return replace(self, notes=(*self.notes, *notes)) if notes else self

    @cached_property
    def identity(self) -> tuple[object, ...]:
        """All that an answer may depend on, as plain values: the same if and only if these are."""
        listed = hashlib.blake2b("\n".join(self.files).encode("utf-8", "replace"))
        return (
            self.version, self.origin, str(self.root), self.digest, self.modified, self.requires,
            [(p.group, p.name, p.value) for p in self.plugins], [str(p) for p in self.shadows],
            self.notes, None if self.distributions is None else sorted(self.distributions.items()),
            self.archive, self.built, [str(p) for p in self.search_path], listed.hexdigest(),
        )  # fmt: skip

    @cached_property
    def extensions(self) -> tuple[str, ...]:
        """Dotted names of the compiled modules, e.g. `vllm._C`; sorted."""
        return extension_modules(self.files)

    @cached_property
    def built(self) -> bool:
        """Whether the tree is as installed or compiled, so that a missing extension is a fact.

        An sdist or a fresh checkout is not: which extensions a build would make is not known.
        """
        return bool(self.record or self.extensions)

    @property
    def digest(self) -> str:
        """A hex digest of the content, see `mlapath.source.integrity`; computed once."""
        return self._survey.digest

    @property
    def modified(self) -> tuple[str, ...]:
        """Files of the package that differ from RECORD; empty where there is no RECORD."""
        return self._survey.modified

    @cached_property
    def record(self) -> Mapping[str, RecordEntry]:
        """RECORD; empty where there is none."""
        if self.dist_info is None:
            return {}
        try:
            return parse_record((self.dist_info / "RECORD").read_text("utf-8", "replace"))
        except OSError:
            return {}

    @cached_property
    def _survey(self) -> Survey:
        kept = self.kept or {}
        # Only a folder in our own cache is taken to have no files but those written into it.
        cached = self.kept is not None and self.origin != "directory"
        present = sorted(kept) if cached else scan(self.root, self.package)
        return survey(self.root, self.package, present, self.record, kept, self.extensions)


@dataclass(frozen=True, eq=False)
class Companion(FileSet):
    """Another package's source, e.g. the configuration classes of `transformers`."""

    name: str
    version: str | None
    notes: tuple[str, ...] = ()

    @cached_property
    def identity(self) -> tuple[object, ...]:
        """All that an answer may depend on, as plain values."""
        return self.name, self.version, self.notes, self.stamp

    def noted(self, notes: tuple[str, ...]) -> Companion:
        """Give the same companion with further notes."""
        return replace(self, notes=(*self.notes, *notes)) if notes else self
