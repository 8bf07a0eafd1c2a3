"""Running something on an engine and taking it back, so that many records share one engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mlapath.engine.interp import Engine


@contextmanager
def undone(it: Engine, *, keep: bool = False) -> Iterator[None]:
    """Take back what happens inside: writes to the heap, alternatives, refusals.

    keep: leave the writes, which later records build on.
    """
    mark = it.heap.fork()
    refusals = len(it.trace.refusals)
    try:
        yield
    finally:
        if not keep:
            it.heap.take(mark)
        it.heap.close(mark)
        it.heap.saved.clear()
        it.frame.pending.clear()
        it.tries.clear()
        del it.trace.refusals[refusals:]
