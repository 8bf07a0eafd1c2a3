"""What engine flags mean to a tree, read from its command-line code once and then kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from mlapath.app.answers import names_a_file
from mlapath.base.own import own_digest
from mlapath.base.plain import from_plain, to_plain
from mlapath.cache.store import BlobStore
from mlapath.resolve.program import Program
from mlapath.scenario.engine_flags import FlagTable, ParsedFlags, read_flag_table
from mlapath.source import SourceTree

KIND = "flags"
"""The kind of the cache's entries that hold what flags mean."""


@dataclass(frozen=True)
class Flags:
    """The engine flags of a tree; without a store nothing is kept."""

    tree: SourceTree
    program: Program
    store: BlobStore | None

    @cached_property
    def table(self) -> FlagTable:
        """All flags of the tree.

        Raises:
            TreeError: the tree has no engine arguments, or they cannot be read.
        """
        return read_flag_table(self.program)

    def parse(self, words: Sequence[str]) -> ParsedFlags:
        """What flags set, as ``FlagTable.parse`` says it.

        Raises:
            TreeError: as ``table``.
            UsageError: the tree does not take the flags.
        """
        if self.store is None or names_a_file(words):
            return self.table.parse(words)
        facts = [own_digest(), self.tree.identity, list(words)]
        key = blake2b(json.dumps(facts).encode(), digest_size=20).hexdigest()
        data = self.store.get(key)
        if data is not None:
            return from_plain(ParsedFlags, json.loads(data))
        parsed = self.table.parse(words)
        self.store.put(key, json.dumps(to_plain(parsed)).encode())
        return parsed


__all__ = ["KIND", "Flags"]
