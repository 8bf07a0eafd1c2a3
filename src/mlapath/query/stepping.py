"""Who may call a function in a step, beside the code that was evaluated.

A worker does one thing at a time: what it runs before the first step, or between two, leads to no
call in one. What that code hands on or keeps may be called at any time, in a step as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from mlapath.query.callers import CONSTRUCTING, Callers, Node
from mlapath.resolve.mentions import HANDED_ON, Mention
from mlapath.resolve.names import Names
from mlapath.resolve.references import Reference

IMPLIED = frozenset({"forward", "backward", "run"})
"""Methods that torch and ``threading`` call for those who name something else."""
PLAIN = frozenset({
    "ABC", "Enum", "Generic", "IntEnum", "Module", "NamedTuple", "Protocol", "StrEnum", "object",
})  # fmt: skip
"""Classes of libraries that call no other method of their heirs but those."""


@dataclass
class Stepping(Callers):
    """The search, of steps alone; what ``whole`` excludes is excluded.

    whole: the search of all that a worker does. between: functions that a worker runs between
    steps only, by path and name. ``ran.functions``: those that were evaluated in a step.
    """

    whole: Callers = field(kw_only=True)
    between: frozenset[tuple[str, str]] = field(kw_only=True)
    _bases: dict[str, frozenset[str]] = field(default_factory=dict)

    def outside(self, path: str, owner: str, name: str) -> str | None:
        """Why code that was not evaluated may call a function in a step; None if none can."""
        why = self.whole.outside(path, owner, name)
        if why is None or self._is_implied(owner, name):
            return why
        return super().outside(path, owner, name)

    def _is_implied(self, owner: str, name: str) -> bool:
        """Whether Python or a library may call a function that nothing names."""
        if name in IMPLIED or name.startswith("__") and name not in CONSTRUCTING:
            return True
        return bool(owner and name not in CONSTRUCTING and self._foreign(owner))

    def _foreign(self, owner: str) -> frozenset[str]:
        if owner not in self._bases:
            self._bases[owner] = self.names.foreign(owner) - PLAIN
        return self._bases[owner]

    @property
    def reachable(self) -> frozenset[str]:
        return self.whole.reachable

    def _word(self, node: Node) -> str:
        return node.owner if node.owner and node.name in CONSTRUCTING else node.name

    def _begins(self, node: Node, word: str) -> str | None:
        if not self._may_lead(node):
            return None
        if self._is_implied(node.owner, node.name):
            return self.whole.outside(*node)
        return super()._begins(node, word) or self._given_away(node, word)

    def _named_by(self, node: Node, word: str) -> Iterator[tuple[Node, str]]:
        if self._may_lead(node):
            yield from super()._named_by(node, word)

    def _may_lead(self, node: Node) -> bool:
        between = (node.path, node.name) in self.between
        return not between and self.whole.outside(*node) is not None

    def chosen_by_text(self, node: Node, word: str) -> str:
        return self.whole.chosen_by_text(node, word)

    def may_have_run(self, path: str, function: str, line: int) -> bool:
        return self.whole.may_have_run(path, function, line)

    def kept_by(self, node: Node, word: str) -> str:
        return self.whole.kept_by(node, word)

    def _given_away(self, node: Node, word: str) -> str | None:
        """A place that hands a node on, or uses it later, and may run at any time.

        A variable's value may be taken by whatever reads it.
        """
        if not node.name:
            return None
        index = self.names.index(node.path)
        variable, generator = node.name not in index.defined, node.name in index.generators
        for ref in (*self._mentions_of(node, word)[0], *self._inner(node, word)):
            if self._is_stored(ref) or (ref.path, ref.line, word) in self.ran.operators:
                continue  # what reads the variable, or names the operator, is asked of that
            if (
                variable and not self._is_picked(ref, word) or self._is_kept(ref, word)
                or generator and not self._is_run(ref, word)
            ):  # fmt: skip
                why = self._may_run(ref)
                if why is not None:
                    return why
        return None

    def _is_stored(self, ref: Reference) -> bool:
        """Whether a place is what a variable of a module or class gets."""
        index = self.names.index(ref.path)
        inside = ref.function not in ("", HANDED_ON) and ref.function not in index.defined
        return index.parsed and inside

    def _is_picked(self, ref: Reference, word: str) -> bool:
        """Whether a place but calls an item of what a variable holds."""
        index = self.names.index(ref.path)
        place = Mention(ref.line, ref.owner, ref.function)
        named = sum(found.get(word, []).count(place) for found in (index.names, index.own))
        picked = index.picked.get(word, []).count(place)
        others = (*index.read.get(word, ()), *index.given.get(word, ()))
        return 0 < picked == named and all(other.mention != place for other in others)

    def _inner(self, node: Node, word: str) -> Iterator[Reference]:
        for mention in self.names.index(node.path).inner.get(word, ()):
            yield Reference(node.path, *mention)

    def _is_kept(self, ref: Reference, word: str) -> bool:
        """Whether a place does something else with a name than to call it at once."""
        index = self.names.index(ref.path)
        place = (ref.line, ref.owner, ref.function)
        named = [m for found in (index.names, index.own, index.inner) for m in found.get(word, ())]
        if place not in (*named, *(given.mention for given in index.given.get(word, ()))):
            return True
        if any(place in found.get(word, ()) for found in (index.inner_kept, index.late)):
            return True
        kept = index.kept.get(word, []).count(Mention(*place))
        called = sum(given.mention == place and self.names.only_calls(given.callee, keyword)
                     for given in index.handed.get(word, ())
                     if isinstance(keyword := given.parameter, str))  # fmt: skip
        return kept > called

    def _is_run(self, ref: Reference, word: str) -> bool:
        """Whether what a call gives is run to its end at once, if it is a generator."""
        place = (ref.line, ref.owner, ref.function)
        return place in self.names.index(ref.path).consumed.get(word, ())

    def _may_run(self, ref: Reference) -> str | None:
        """Why the code at a place may run, at any time; None if it cannot."""
        place = (ref.path, ref.owner, ref.function)
        if place in self.whole.ran.functions:
            ran = self.whole.ran.run(ref.path, ref.line)
            return f"{ref.path}:{ref.line} hands it on" if ran else None
        for node, at in self.whole.around(ref):
            if self.whole.outside(*node) is not None:
                return f"{at} hands it on"
        return None


def named_from(names: Names, paths: Iterable[str], functions: Iterable[str]) -> frozenset[str]:
    """What functions of some files name, and the functions of these files that they name."""
    words: dict[str, set[str]] = {}
    unread: set[str] = set()
    for path in paths:
        index = names.index(path)
        for found in (index.names, index.own, index.inner, index.given, index.handed):
            for word, mentions in found.items():
                for mention in mentions:
                    at = mention if isinstance(mention, Mention) else mention.mention
                    words.setdefault(at.function, set()).add(word.lstrip("'."))
        for word, reads in index.read.items():
            for read in reads:
                words.setdefault(read.mention.function, set()).update((word, read.attr))
        if not index.parsed:
            unread.update(index.names)
    queue = list(functions)
    seen = set(queue)
    for name in queue:
        further = words.get(name, set()) - seen
        seen |= further
        queue.extend(further)
    return frozenset(seen | unread)


def stepping(
    whole: Callers, stepped: frozenset[tuple[str, str, str]], between: frozenset[tuple[str, str]]
) -> Stepping:
    """The search of steps alone.

    stepped: functions that were evaluated in a step. between: those that a worker runs between
    steps only, by path and name.
    """
    return Stepping(whole.names, replace(whole.ran, functions=stepped), whole=whole,
                    between=between)  # fmt: skip


__all__ = ["Stepping", "named_from", "stepping"]
