"""Whole answers by all that they depend on: mlapath, the tree, its companion, the scenario."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from mlapath.base.own import own_digest
from mlapath.base.plain import from_plain, to_plain
from mlapath.cache.store import BlobStore
from mlapath.findings.model import Report
from mlapath.scenario.scenario import Scenario
from mlapath.source import Companion, SourceTree

KIND = "answers"
"""The kind of the cache's entries that hold reports."""


@dataclass(frozen=True)
class Answers:
    """Reports that were made before; without a store there are none and none are kept."""

    store: BlobStore | None

    def find(
        self, tree: SourceTree, companion: Companion | None, scenario: Scenario
    ) -> Report | None:
        """The report of that very question, if it was asked before."""
        if self.store is None or names_a_file(scenario.flags):
            return None
        data = self.store.get(answer_key(tree, companion, scenario))
        if data is None:
            return None
        try:
            return from_plain(Report, json.loads(zlib.decompress(data)))
        except (zlib.error, ValueError, TypeError, KeyError):
            return None  # of another shape: as good as absent

    def keep(
        self, tree: SourceTree, companion: Companion | None, scenario: Scenario, report: Report
    ) -> None:
        """Keep a report for the next time."""
        if self.store is not None and not names_a_file(scenario.flags):
            text = json.dumps(to_plain(report), separators=(",", ":"))
            self.store.put(answer_key(tree, companion, scenario), zlib.compress(text.encode(), 1))


def answer_key(tree: SourceTree, companion: Companion | None, scenario: Scenario) -> str:
    """What the report is stored under."""
    beside = None if companion is None else companion.identity
    facts = [own_digest(), tree.identity, beside, to_plain(scenario)]
    return blake2b(json.dumps(facts).encode(), digest_size=20).hexdigest()


def names_a_file(flags: Sequence[str]) -> bool:
    """Whether a flag may bring in a file of this machine, whose content no key knows."""
    words = [part for flag in flags for part in (flag, flag.partition("=")[2]) if part]
    return any(os.path.exists(os.path.expanduser(word)) for word in words)
