"""A question and its answer, found in the cache or by evaluation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from mlapath.app.answers import KIND as ANSWERS
from mlapath.app.answers import Answers
from mlapath.app.companions import Wish, companion_for, wish_of
from mlapath.app.request import AnalyzeRequest, TreeRequest
from mlapath.base.stamps import Folder
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.findings.model import Report
from mlapath.source import Companion, Progress, SourceTree, open_tree, silent

if TYPE_CHECKING:
    from mlapath.app.analyze import Reading

IR_BYTES = 1_500_000_000
MENTION_BYTES = 500_000_000
ANSWER_BYTES = 200_000_000
FLAG_BYTES = 20_000_000
"""What each may take of the disk: what was written first goes first."""
TRIM_SECONDS = 600
"""How long it may take more, before it is looked at again."""


@dataclass(frozen=True)
class Answer:
    """A report, and the folders of source that it was made from, as they were before."""

    report: Report
    folders: tuple[Folder, ...]


@dataclass(frozen=True, eq=False)
class Sources:
    """What a request reads; ``notes``: what the report says of the choice of the companion."""

    tree: SourceTree
    companion: Companion | None
    notes: tuple[str, ...]
    cache: CacheDir
    use_cache: bool

    def answer(self, report: Report) -> Answer:
        """A report that was made from these sources."""
        read = [x for x in (self.tree, self.companion) if x is not None]
        folders = tuple((str(x.root), x.package, x.stamp) for x in read)
        noted = replace(report, notes=(*self.notes, *report.notes)) if self.notes else report
        return Answer(noted, folders)

    @cached_property
    def reading(self) -> Reading:
        """The sources as a program; what they hold is lowered as it is needed."""
        from mlapath.app.analyze import read_tree  # takes the whole evaluator
        from mlapath.ir.load import KIND

        store = BlobStore(self.cache, KIND) if self.use_cache else None
        return read_tree(self.tree, self.companion, store)

    def trim(self) -> None:
        """Keep the cache within its bounds, after something was read; not each time."""
        from mlapath.app.flags import KIND as FLAGS
        from mlapath.ir.load import KIND
        from mlapath.resolve.mentions.kept import KIND as MENTIONS

        if self.use_cache and self.cache.is_due("trimmed", TRIM_SECONDS):
            self.cache.trim({KIND: IR_BYTES, MENTIONS: MENTION_BYTES, ANSWERS: ANSWER_BYTES,
                             FLAGS: FLAG_BYTES})  # fmt: skip

    @property
    def answers(self) -> Answers:
        """Those that were kept."""
        return Answers(BlobStore(self.cache, ANSWERS) if self.use_cache else None)


def sources_of(request: TreeRequest, wish: Wish, progress: Progress = silent) -> Sources:
    """Open what a request reads.

    Raises:
        TreeError: it cannot be fetched or read.
    """
    cache = CacheDir.default()
    tree = open_tree(request.vllm, cache=cache, python=request.python, progress=progress)
    companion, notes = companion_for(tree, wish, cache, progress)
    found = Sources(tree, companion, notes, cache, request.use_cache)
    for part in (tree, companion):  # as they are before anything is read
        _ = part and part.stamp
    return found


def ask(request: AnalyzeRequest, progress: Progress = silent) -> Answer:
    """The answer to a request.

    Raises:
        MlapathError: the tree cannot be read, or the scenario contradicts it.
    """
    sources = sources_of(request.tree, wish_of(request.scenario), progress)
    return recalled(request, sources) or evaluated(request, sources, progress)


def recalled(request: AnalyzeRequest, sources: Sources) -> Answer | None:
    """The answer, if the cache has it."""
    report = sources.answers.find(sources.tree, sources.companion, request.scenario)
    return None if report is None else sources.answer(report)


def evaluated(request: AnalyzeRequest, sources: Sources, progress: Progress = silent) -> Answer:
    """The answer by evaluation; the cache keeps it."""
    from mlapath.app.analyze import analyze

    report = analyze(sources.reading, request.scenario, progress)
    sources.answers.keep(sources.tree, sources.companion, request.scenario, report)
    sources.trim()
    return sources.answer(report)
