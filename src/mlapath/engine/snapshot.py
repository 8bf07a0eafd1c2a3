"""The engine's own state at a moment, to go back to when an evaluation is given up."""

from __future__ import annotations

from typing import Any

_FRAME = ("control", "handled", "on_yield", "pos")
_LISTS = ("guards", "passed", "pending")
_SAVED = ("clock", "position", "seen")


class Snapshot:
    """All that is not in the heap's log. What was traced stays: it did happen in each round."""

    def __init__(self, it: Any) -> None:
        self._it = it
        self._frame = it.frame
        self._plain = {name: getattr(it, name) for name in ("depth", "maybe", "quiet", "caught")}
        self._lists = {name: list(getattr(it, name)) for name in ("tries",)}
        self._way = it.way
        self._calls = (list(it.way.entered), list(it.way.tentative))
        self._tries = [(active, dict(active.pending)) for active in it.tries]
        self._frames: list[tuple[Any, dict[str, Any], dict[str, list[Any]], dict[Any, Any]]] = []
        frame = it.frame
        while frame is not None:
            self._frames.append((
                frame, {name: getattr(frame, name) for name in _FRAME},
                {name: list(getattr(frame, name)) for name in _LISTS}, dict(frame.operands),
            ))  # fmt: skip
            frame = frame.parent
        heap = it.heap
        self._marks = list(heap.marks)
        self._newest = heap.newest
        self._saved = [
            (saved, {name: getattr(saved, name) for name in _SAVED}, dict(saved.delta),
             dict(saved.base), dict(saved.stale))
            for saved in heap.saved
        ]  # fmt: skip
        self._outcomes = [(pending, pending.outcome) for pending in heap.saved]

    def restore(self) -> None:
        """Go back; the heap's log is still to be undone."""
        it = self._it
        it.frame = self._frame
        for name, value in self._plain.items():
            setattr(it, name, value)
        for name, items in self._lists.items():
            getattr(it, name)[:] = items
        it.way = self._way
        it.way.entered[:], it.way.tentative[:] = self._calls
        for active, pending in self._tries:
            active.pending = pending
        for frame, plain, lists, operands in self._frames:
            for name, value in plain.items():
                setattr(frame, name, value)
            for name, items in lists.items():
                getattr(frame, name)[:] = items
            frame.operands = operands
        for pending, outcome in self._outcomes:
            pending.outcome = outcome
        self.restore_saved()

    def restore_saved(self) -> None:
        """Go back as far as the states of the alternatives put aside are concerned."""
        heap = self._it.heap
        heap.marks[:] = self._marks
        heap.newest = self._newest
        heap.saved[:] = [saved for saved, *_ in self._saved]
        for saved, plain, delta, base, stale in self._saved:
            for name, value in plain.items():
                setattr(saved, name, value)
            saved.delta, saved.base, saved.stale = delta, base, stale
            saved.met, saved.alive = {}, True


__all__ = ["Snapshot"]
