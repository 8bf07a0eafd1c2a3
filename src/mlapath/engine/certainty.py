"""Which calls are made, and which lines run, on every way through the program that completes.

Alternatives run one after the other. A call is certain within one if nothing that is not known
leads past it since the alternative began; a function that is called for certain in each of the
alternatives of a guard is called for certain before they part. The same holds for lines.
"""

from __future__ import annotations

from typing import Any

from mlapath.engine.control import Frame, Outcome, Pending
from mlapath.engine.trace import CallEdge, LineSeen

Entry = tuple["CallEdge | LineSeen", bool]
"""A call or a line, and whether it is this one, or else one of the same function in its place."""


class Way:
    """One alternative while it runs, or the whole program.

    clock: the heap's clock where it began. entered: calls that are certain within it. tentative:
    calls that are made unless an exception came first, of which it is not settled yet whether
    it is caught.
    """

    __slots__ = ("clock", "entered", "tentative")

    def __init__(self, clock: int = -1) -> None:
        self.clock = clock
        self.entered: list[Entry] = []
        self.tentative: list[Entry] = []

    def certain(self, entry: Entry) -> None:
        """The call is certain within this way."""
        if self.clock >= 0:
            self.entered.append(entry)
            return
        edge, itself = entry
        edge.covered = True
        edge.certain = edge.certain or itself


def leaving(it: Any, way: Way) -> list[Pending]:
    """The alternatives that left the straight path since the way began.

    Also those that were there before and are joined with later states: of rounds that are
    evaluated as one, that is done in the end.
    """
    joined = {id(saved) for saved, _ in it.rounds.merged} if it.rounds is not None else ()
    return [saved for saved in it.heap.saved if saved.clock > way.clock or id(saved) in joined]


def enter(it: Any, edge: CallEdge) -> None:
    """The callee is entered: for certain where nothing that is not known leads past it."""
    way: Way = it.way
    if edge.certain:
        return
    left = leaving(it, way)
    if not left:
        way.certain((edge, True))
    elif all(p.outcome.kind == "raise" for p in left):
        way.tentative.append((edge, True))


def reached(it: Any, fr: Frame, line: int) -> None:
    """A line of the frame's file is reached."""
    seen = it.trace.part_of(it.region, fr.path).get(line) or it.trace.line(
        it.region, fr.path, line
    )
    if not seen.covered:
        reach_line(it, fr, seen)


def reach_line(it: Any, fr: Frame, seen: LineSeen) -> None:
    """A line is reached that is not known to run for certain yet."""
    guards = fr.guards
    if seen.guards is None or len(guards) < len(seen.guards):
        seen.guards = tuple(guards)
    way: Way = it.way
    if seen.way is way:
        return
    if not it.heap.saved or not (left := leaving(it, way)):
        way.certain((seen, True))
        seen.way = way
    elif all(p.outcome.kind == "raise" for p in left):
        way.tentative.append((seen, True))


def confirm(it: Any, first: int, raised: bool) -> None:
    """Settle the calls that were made unless an exception came first.

    They are certain where each handler ended in an exception again, which nothing else catches.
    """
    way: Way = it.way
    if not raised:
        del way.tentative[first:]
    elif not leaving(it, way):
        for entry in way.tentative[first:]:
            way.certain(entry)
        del way.tentative[first:]


class Parting:
    """A guard whose outcome is not known: what its two alternatives have in common."""

    def __init__(self, it: Any) -> None:
        self.way: Way = it.way
        left = leaving(it, self.way)
        self.counts = all(p.outcome.kind == "raise" for p in left)
        self.tentative = bool(left)

    def joined(self, it: Any, sides: list[tuple[Way, Outcome]]) -> None:
        """Both alternatives were run: ``sides`` has each with its ending.

        One that ended in an exception that nothing catches does not count, as the program ends;
        unless something left it before.
        """
        if not self.counts:
            return
        going, tentative = [], self.tentative
        for at, (way, end) in enumerate(sides):
            until = sides[at + 1][0].clock if at + 1 < len(sides) else it.heap.clock
            left = [p.outcome.kind for p in leaving(it, way) if p.born <= until]
            if end.kind != "raise" or it.may_be_caught(end.value) or set(left) - {"raise"}:
                going.append(way)
            elif left:
                tentative = True
        sure = _common([way.entered for way in going])
        for entry in sure:
            if tentative:
                self.way.tentative.append(entry)
            else:
                self.way.certain(entry)
        known = {edge.callee for edge, _ in sure}
        perhaps = _common([[*way.entered, *way.tentative] for way in going])
        self.way.tentative.extend(entry for entry in perhaps if entry[0].callee not in known)


def _common(calls: list[list[Entry]]) -> list[Entry]:
    """The calls whose callee is called in each of the lists; the same of lines."""
    if not calls or not all(calls):
        return []
    callees = set.intersection(*({edge.callee for edge, _ in entries} for entries in calls))
    themselves = [{id(edge) for edge, itself in entries if itself} for entries in calls]
    edges = {id(edge): edge for entries in calls for edge, _ in entries if edge.callee in callees}
    return [(edge, all(i in ids for ids in themselves)) for i, edge in edges.items()]


__all__ = ["Parting", "Way", "confirm", "enter", "leaving", "reach_line", "reached"]
