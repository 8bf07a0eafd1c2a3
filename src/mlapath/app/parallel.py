"""Many questions at once, in processes of their own; one that fails does not stop the others."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from multiprocessing import get_context
from typing import TypeAlias

from mlapath.app.ask import Answer, Sources, evaluated, recalled, sources_of
from mlapath.app.companions import Wish, wish_of
from mlapath.app.request import AnalyzeRequest, TreeRequest
from mlapath.base.errors import ExitCode, MlapathError, UsageError
from mlapath.source import Progress, silent

_Open: TypeAlias = Callable[[TreeRequest, Wish], Sources]
CHUNK = 4
"""Questions of one tree that a process takes at a time."""


@dataclass(frozen=True)
class Told:
    """The answer to a question, or why there is none; exactly one of both is None.

    ``code``: the exit code that the error stands for. ``rejected``: the error is that the tree
    does not take the scenario.
    """

    answer: Answer | None
    error: str | None = None
    code: ExitCode = ExitCode.OK
    rejected: bool = False


def ask_all(
    requests: Sequence[AnalyzeRequest], jobs: int | None = None, progress: Progress = silent
) -> tuple[Told, ...]:
    """Answer every request, in order.

    What the cache has is not evaluated. jobs: processes, as many as there are cores by default.
    """
    told: dict[int, Told] = {}
    open_sources = cache(sources_of)
    for at, request in enumerate(requests):
        found = _recalled(request, open_sources)
        if found is not None:
            told[at] = found
    left = [at for at in range(len(requests)) if at not in told]
    progress("answers", len(told), len(requests))
    for at, found in _evaluate(requests, left, jobs or os.cpu_count() or 1):
        told[at] = found
        progress("answers", len(told), len(requests))
    return tuple(told[at] for at in range(len(requests)))


def _recalled(request: AnalyzeRequest, open_sources: _Open) -> Told | None:
    """What the cache tells, or that the source cannot be had."""
    try:
        answer = recalled(request, open_sources(request.tree, wish_of(request.scenario)))
    except MlapathError as error:
        return Told(None, str(error), error.exit_code)
    return None if answer is None else Told(answer)


def _evaluate(
    requests: Sequence[AnalyzeRequest], left: Sequence[int], jobs: int
) -> Iterator[tuple[int, Told]]:
    chunks = list(_chunks(requests, left))
    if jobs == 1 or len(left) <= 1:
        for chunk in chunks:
            yield from zip(chunk, told_of([requests[at] for at in chunk]), strict=True)
        return
    with ProcessPoolExecutor(min(jobs, len(chunks)), get_context("spawn")) as pool:
        running = {pool.submit(told_of, [requests[at] for at in chunk]): chunk for chunk in chunks}
        for done in as_completed(running):
            chunk = running[done]
            try:
                results = done.result()
            except BrokenProcessPool:
                lost = "the process that evaluated it ended early (out of memory?)"
                results = [Told(None, lost, ExitCode.INTERNAL)] * len(chunk)
            yield from zip(chunk, results, strict=True)


def _chunks(requests: Sequence[AnalyzeRequest], left: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Places of requests for one tree that stand together, a few at a time."""
    for _, group in groupby(left, key=lambda at: requests[at].tree):
        together = tuple(group)
        for start in range(0, len(together), CHUNK):
            yield together[start : start + CHUNK]


def told_of(requests: Sequence[AnalyzeRequest]) -> list[Told]:
    """Evaluate requests one after the other; what is common to them is opened once."""
    open_sources = cache(sources_of)
    return [_told(request, open_sources) for request in requests]


def _told(request: AnalyzeRequest, open_sources: _Open) -> Told:
    try:
        return Told(evaluated(request, open_sources(request.tree, wish_of(request.scenario))))
    except MlapathError as error:
        return Told(None, str(error), error.exit_code, isinstance(error, UsageError))
    except Exception as error:  # noqa: BLE001 - one crash is a finding, not the end of the others
        text = f"internal error: {type(error).__name__}: {error}"
        return Told(None, text, ExitCode.INTERNAL)
