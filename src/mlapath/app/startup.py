"""How often a worker runs the model before the first step, and with what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from mlapath.app.evaluate import Evaluation
from mlapath.app.given import taken_back
from mlapath.app.phases import call_driver
from mlapath.values.value import V


class Counts(NamedTuple):
    """Runs of the model, by their attention metadata.

    empty: without. decodes, others: with those of steps. graph_decodes, graph_others: with those
    that builders make for the capture of a full graph.
    """

    empty: int
    decodes: int
    others: int
    graph_decodes: int
    graph_others: int


@dataclass(frozen=True)
class Start:
    """What a worker does before the first step; None: not known.

    runs: whether it runs the model. requests: whether a warm-up runs it with attention metadata.
    warmups: the runs of warm-ups. captures: those of captures, of graphs that are kept and of
    those that only measure memory.
    """

    runs: bool | None
    requests: bool | None
    warmups: Counts | None = None
    captures: Counts | None = None


STARTS = Start(runs=True, requests=None)
"""A worker that runs the model to measure it, as those of accelerators do."""


def read_start(found: Evaluation) -> Start:
    """What the worker does before the first step."""
    told, limited = _asked(found, "start")
    if type(told.d) is not tuple:
        return Start(None, None)
    runs, requests = (part.d if type(part.d) is bool else None for part in told.d[:2])
    if limited:
        return Start(runs, requests or None)
    warmups, captured = map(_counts, told.d[2:])
    told, limited = _asked(found, "measure")
    measured = None if limited else _counts(told)
    both = None
    if captured is not None and measured is not None:
        both = Counts(*map(sum, zip(captured, measured, strict=True)))
    return Start(runs, requests, warmups, both)


def _asked(found: Evaluation, name: str) -> tuple[V, bool]:
    """What a function of ``start.pysrc`` gives, and whether the evaluation came to a limit."""
    given = [found.config or V(None), found.engine.store["kept"]["layers"]]
    with taken_back(found.engine):
        run, value = call_driver(found, "start", name, given)
    return (V(None), True) if run.stop is not None else (value, bool(run.trace.limits))


def _counts(value: V) -> Counts | None:
    numbers = tuple(part.d for part in value.d) if type(value.d) is tuple else ()
    known = len(numbers) == len(Counts._fields) and all(type(number) is int for number in numbers)
    return Counts(*numbers) if known else None


__all__ = ["STARTS", "Counts", "Start", "read_start"]
