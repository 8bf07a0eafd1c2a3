"""How often trees have the text of a step of evidence: it tells an edit from what follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from mlapath.app.symbols import TreeSymbols
from mlapath.ci.snapshot import Snapshot, Step
from mlapath.ci.take import chain_of, evidences
from mlapath.findings.model import Report
from mlapath.source import SourceTree


class Home(NamedTuple):
    """A function that a step stands in."""

    path: str
    function: str


@dataclass(frozen=True)
class TreeHas:
    """How often a tree has the text of a step.

    In the functions around it, where both trees have them; else 1 where one of its files has it.
    None where it has none of the files.
    """

    symbols: TreeSymbols
    paths: tuple[str, ...]
    homes: Mapping[Step, frozenset[Home]] = field(default_factory=dict)

    def __call__(self, step: Step) -> int | None:
        homes = self.homes.get(step)
        if homes:
            return sum(self.symbols.times(*home, step.text) or 0 for home in homes)
        answers = [self.symbols.has(path, step.text) for path in self.paths]
        known = [answer for answer in answers if answer is not None]
        return int(any(known)) if known else None


def paths_of(tree: SourceTree, other: Snapshot, reports: Iterable[Report]) -> tuple[str, ...]:
    """The files that answers are about: those of the evidence, and of functions on the path."""
    places = [step.at for report in reports for steps in evidences(report) for step in steps]
    paths = [place.rpartition(":")[0] for place in places if place is not None]
    modules = [name for function in other.functions for name in _prefixes(function)]
    found = (tree.find_module(module) for module in modules)
    return tuple(dict.fromkeys((*paths, *(p for p in found if p))))


def homes_of(
    sides: Iterable[tuple[Report, TreeSymbols]], every: Iterable[TreeSymbols]
) -> dict[Step, frozenset[Home]]:
    """The functions around each step of the reports, as far as every tree has them."""
    trees = tuple(every)
    found: dict[Step, set[Home]] = {}
    for report, symbols in sides:
        for evidence in evidences(report):
            for step, seen in zip(chain_of(evidence), evidence, strict=True):
                around = None if seen.at is None else symbols.locate(seen.at)
                if seen.at is None or around is None:
                    continue
                home = Home(seen.at.rpartition(":")[0], around.name)
                if all(tree.times(*home, step.text) is not None for tree in trees):
                    found.setdefault(step, set()).add(home)
    return {step: frozenset(homes) for step, homes in found.items()}


def _prefixes(function: str) -> Iterator[str]:
    """The modules that a qualified name may lie in, the longest first."""
    parts = function.split(".")
    for cut in range(len(parts) - 1, 1, -1):
        yield ".".join(parts[:cut])
