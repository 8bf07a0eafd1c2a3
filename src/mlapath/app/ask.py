"""``mlapath analyze``: a question and its answer, found in the cache or by evaluation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mlapath.app import answers
from mlapath.app.companions import companion_for
from mlapath.app.request import AnalyzeRequest
from mlapath.base.stamps import Folder
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.findings.model import Report
from mlapath.source import Progress, open_tree, silent

IR_BYTES = 1_500_000_000
ANSWER_BYTES = 200_000_000
"""What each may take of the disk: what was written first goes first."""


@dataclass(frozen=True)
class Answer:
    """A report, and the folders of source that it was made from, as they were before."""

    report: Report
    folders: tuple[Folder, ...]


def ask(request: AnalyzeRequest, progress: Progress = silent) -> Answer:
    """The answer to a request.

    Raises:
        MlapathError: the tree cannot be read, or the scenario contradicts it.
    """
    cache = CacheDir.default()
    scenario = request.scenario
    chosen = request.tree
    tree = open_tree(chosen.vllm, cache=cache, python=chosen.python, progress=progress)
    companion, notes = companion_for(
        tree, scenario.config.values.get("model_type"), cache, progress
    )
    folders = [(str(x.root), x.package, x.stamp) for x in (tree, companion) if x is not None]
    known = answers.Answers(BlobStore(cache, answers.KIND) if chosen.use_cache else None)
    report = known.find(tree, companion, scenario)
    if report is None:
        from mlapath.app.analyze import analyze_tree  # takes the whole evaluator
        from mlapath.ir.load import KIND

        ir = BlobStore(cache, KIND) if chosen.use_cache else None
        report = analyze_tree(tree, companion, scenario, ir, progress)
        known.keep(tree, companion, scenario, report)
        if chosen.use_cache:
            cache.trim({KIND: IR_BYTES, answers.KIND: ANSWER_BYTES})
    if notes:
        report = replace(report, notes=(*notes, *report.notes))
    return Answer(report, tuple(folders))
