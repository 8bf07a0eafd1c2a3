"""Who may call a function beside the code that was evaluated: a search of the tree by names.

Coarse and one-sided. A function that ran adds nothing: its calls are in the traces. Any other
place that names the function may call it, unless it stands in a function that cannot be called
itself, by the same reasoning. Methods of a class of which no evaluated code made an instance, and
that only such places name, cannot be called. Nothing of a module that was not imported runs before
something imports it. A public function that nothing names may be called from outside the tree if
its module was imported; by assumption, code outside does not import others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from mlapath.query.operators import Place
from mlapath.resolve.mentions import HANDED_ON, Mention, in_path, in_text
from mlapath.resolve.names import Names
from mlapath.resolve.references import Reference

CONSTRUCTING = frozenset({"__init__", "__new__", "__post_init__"})
"""Run where an object is made; Python may call the other methods of such names at any time."""
COMMON = 400
"""In more files than this a name says nothing about who calls what."""
MOST = 2000
"""So many functions are looked at for one question."""


@dataclass(frozen=True)
class Ran:
    """What was evaluated.

    functions: (path, class or "", name). modules: paths of imported modules. made: (path, class)
    of which there are instances, their bases included. operators: where a function was handed on
    to become operators, and their names (``query.operators``). read, run: whether a text on a
    line of a function that was evaluated may have been read, and whether the line may have run.
    programs: modules where the programs of the deployment begin.
    """

    functions: frozenset[tuple[str, str, str]]
    modules: frozenset[str]
    made: frozenset[tuple[str, str]]
    operators: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)
    read: Callable[[str, int], bool] = lambda _path, _line: True
    run: Callable[[str, int], bool] = lambda _path, _line: True
    programs: frozenset[str] = frozenset()


Named = tuple[list[Reference], int]
"""Where something is named, and in how many files."""


class Node(NamedTuple):
    """A function (``owner``: its class, or ""), or the code of a module."""

    path: str
    owner: str = ""
    name: str = ""


def _told(before: Mapping[Node, tuple[Node, str] | None], node: Node, why: str) -> str:
    """The way from a node to the one that was asked for, nearest first."""
    places: list[str] = []
    step = before[node]
    while step is not None:
        node, place = step
        places.append(place)
        step = before[node]
    return " <- ".join((*[f"named at {place}" for place in places[::-1][:3]], why))


def _is_class(node: Node, word: str) -> bool:
    """Whether a node is asked for by its class.

    A text that is just a class's name is the key of a registry: what it makes is what was
    evaluated of the selection.
    """
    return bool(node.owner) and word == node.owner


@dataclass
class Callers:
    """The search; keeps what it found."""

    names: Names
    ran: Ran
    _mentions: dict[tuple[str, bool, str, str], tuple[list[Reference], int]] = field(
        default_factory=dict
    )
    _known: dict[Node, str | None] = field(default_factory=dict)

    def outside(self, path: str, owner: str, name: str) -> str | None:
        """Why code that was not evaluated may call a function; None if none can."""
        return self._search(Node(path, owner, name))

    def by_name(self, path: str, owner: str, name: str) -> str | None:
        """Why code that was not evaluated may call something of a method's name; None if not."""
        return self._search(Node(path, owner, name), name)

    def made_in(self, path: str, name: str) -> str | None:
        """Where a function that another one defines is handed on by code that ran; None: nowhere.

        Or by a decorator, or by one that did not run beside it.
        """
        index = self.names.index(path)
        for line, owner, function in index.inner_kept.get(name, ()):
            ran = (path, owner, function) in self.ran.functions
            if not ran or self.ran.run(path, line):
                return f"{path}:{line} hands it on"
        for line, _, function in self.names.decorators(path, name):
            if function:
                return f"the decorator at {path}:{line} gets it"
        return None

    def callers_within(self, path: str, name: str) -> tuple[str, ...]:
        """The functions of a file that mention one which a function around them defines."""
        mentions = self.names.index(path).inner.get(name, ())
        return tuple(dict.fromkeys(m.function for m in mentions if m.function != name))

    def module(self, path: str) -> str | None:
        """Why a module that was not imported may be, by code that was not evaluated."""
        return self._search(Node(path))

    def _search(self, start: Node, word: str = "") -> str | None:
        """A way from where something unknown may begin to a node; each node is seen once.

        word: what names ``start``, where it is not ``_word``; that is another question, and what
        is found of it says nothing of ``start`` itself.
        """
        if not word and start in self._known:
            return self._known[start]
        before: dict[Node, tuple[Node, str] | None] = {start: None}
        queue = [start]
        for node in queue:
            asked = word if word and node is start else self._word(node)
            known = self._known.get(node, "") if not (word and node is start) else ""
            if known is None:
                continue
            why = known or self._begins(node, asked)
            if why is not None:
                way = _told(before, node, why)
                if not word:
                    self._known[start] = way
                return way
            for named, place in self._named_by(node, asked):
                if named not in before:
                    before[named] = (node, place)
                    queue.append(named)
            if len(queue) > MOST:
                return f"more than {MOST} functions may lead to it"
        self._known.update((node, None) for node in before if not (word and node is start))
        return None

    def _word(self, node: Node) -> str:
        """The name whose mention may lead to a node: of a class for methods without an object."""
        unmade = bool(node.owner) and (node.path, node.owner) not in self.ran.made
        return node.owner if node.owner and (unmade or node.name.startswith("__")) else node.name

    def _begins(self, node: Node, word: str) -> str | None:
        """Why a node may run without anything that is found naming it."""
        if node.path not in self.reachable:
            return None
        if node.path in self.ran.programs:
            return f"the program begins in {node.path}"
        if not node.name:
            return None
        if node.name == HANDED_ON:
            return "it is handed on there"
        if node.name.startswith("__") and not node.owner:
            return f"{node.name} is called by Python itself"
        chosen = self.chosen_by_text(node, word) or self.kept_by(node, word)
        if chosen:
            return chosen
        mentions, files = self._mentions_of(node, word)
        if files > COMMON:
            return f"{files} files of the tree name {word}"
        public = not word.startswith("_") and node.path in self.ran.modules
        if not mentions and public and not self._is_named(word):
            return f"nothing in the tree names {word}: code outside of it may"
        return None

    def chosen_by_text(self, node: Node, word: str) -> str:
        """A place that was evaluated and names by a path what nothing evaluated imported.

        Such as the class of the workers: what reads the path makes it. "" if there is none.
        """
        if node.path in self.ran.modules:
            return ""
        for path in self.names.holding(word):
            for line, owner, function in self.names.index(path).names.get(in_path(word), ()):
                if (path, owner, function) in self.ran.functions and self.ran.read(path, line):
                    return f"{path}:{line} names it in a text"
        return ""

    def kept_by(self, node: Node, word: str) -> str:
        """A place that was evaluated and hands a node on, or keeps it; "" if there is none.

        Of what ran, or has instances, the calls are known.
        """
        made = (node.path, node.owner) in self.ran.made
        if node in self.ran.functions or made and _is_class(node, word):
            return ""
        for path, mention in self._keeping(node, word):
            line, owner, function = mention
            if (path, owner, function) in self.ran.functions and self.ran.run(path, line):
                return f"{path}:{line} hands it on"
        for mention in self._decorators(node, word):
            if not list(self.around(Reference(node.path, *mention))):
                return f"the decorator at {node.path}:{mention.line} gets it"
        return ""

    def _decorators(self, node: Node, word: str) -> Sequence[Mention]:
        """The decorators that may keep a function; those of classes are registries.

        What a registry makes is what was evaluated of the selection.
        """
        if _is_class(node, word):
            return ()
        if node.path not in self.ran.modules:
            return self.names.decorators(node.path, word)
        return self.names.decorators(node.path, word, self.may_have_run)

    def may_have_run(self, path: str, function: str, line: int) -> bool:
        """Whether a line of a function may have run, for code that was evaluated."""
        return (path, "", function) not in self.ran.functions or self.ran.run(path, line)

    def _keeping(self, node: Node, word: str) -> Iterator[tuple[str, Mention]]:
        """Where functions mention a word without a call of it.

        Of a class also where they do so with a method of it that may lead to the one asked for.
        """
        for path in self.names.holding(word):
            index = self.names.index(path)
            others = self.names.of_others(path, word, "" if _is_class(node, word) else node.owner)
            others |= self.names.lent(path, word)
            yield from ((path, m) for m in index.kept.get(word, ()) if m not in others)
            for read in index.read.get(word, ()) if _is_class(node, word) else ():
                kept = any(m.line == read.mention.line for m in index.kept.get(read.attr, ()))
                if kept and self.names.reaches(read.attr, word, node.name):
                    yield path, read.mention
        yield from ((node.path, m) for m in self._named_inside(node, word, kept=True))

    def _named_inside(self, node: Node, word: str, *, kept: bool) -> Iterator[Mention]:
        """Where the file names a function that another one defines, which may be the node.

        Not where a method of another class names what it defines itself.
        """
        index = self.names.index(node.path)
        makers = {(made.owner, made.function) for made in index.defined.get(word, ())
                  if made.owner != node.owner and made.function}  # fmt: skip
        for mention in (index.inner_kept if kept else index.inner).get(word, ()):
            if (mention.owner, mention.function) not in makers:
                yield mention

    def _kept_when_made(self, node: Node, word: str) -> Iterator[Reference]:
        """The places that get a function or class which nothing needs to name.

        The decorators of a function; of a class what asks for all heirs of another or is told of
        them.
        """
        for mention in self._decorators(node, word):
            yield Reference(node.path, *mention)
        if _is_class(node, word):
            for path, mention in self.names.heirs_taken(word):
                yield Reference(path, *mention)
            if self.names.told_of_heirs(word):
                yield Reference(node.path, 0, "", "")

    def _named_by(self, node: Node, word: str) -> Iterator[tuple[Node, str]]:
        """What names a node in code that was not evaluated, and where."""
        if node.path not in self.reachable:
            return
        if not node.name:
            for path, line in self.names.importers(node.path):
                if path != node.path and path in self.reachable:
                    yield from self.around(Reference(path, line, *self.names.place(path, line)))
            return
        if not _is_class(node, word) or not self._is_named(word):
            for place in self._kept_when_made(node, word):
                yield from self.around(place)
        own = (Reference(node.path, *m) for m in self._named_inside(node, word, kept=False))
        for ref in (*self._mentions_of(node, word)[0], *own):
            by_itself = word == node.owner == ref.owner and ref.path == node.path
            if by_itself or Node(ref.path, ref.owner, ref.function) == node:
                continue
            operators = self.ran.operators.get((ref.path, ref.line, word), ())
            for operator in operators:
                yield Node(ref.path, "", operator), f"{ref.path}:{ref.line}"
            if not operators:
                yield from self.around(ref)

    def _mentions_of(self, node: Node, word: str) -> Named:
        is_class = _is_class(node, word)
        if is_class:
            return self.mentions(word, texts=False, method=node.name)
        return self.mentions(word, owner=node.owner)

    def _is_named(self, word: str) -> bool:
        """Whether any code names something, also such that nothing imports, or any text."""
        keys = (word, in_path(word), in_text(word))
        return any(
            any(key in index.names for key in keys)
            or any(word in found for found in (index.own, index.read, index.given, index.inner))
            for index in (self.names.index(path) for path in self.names.holding(word))
        )  # fmt: skip

    def around(self, ref: Reference) -> Iterator[tuple[Node, str]]:
        """What runs the place of a reference, unless it was evaluated."""
        place = f"{ref.path}:{ref.line}"
        handed_on = ref.function == HANDED_ON and ref.path not in self.ran.modules
        if not ref.function or handed_on:
            if ref.path not in self.ran.modules:
                yield Node(ref.path), place
        elif (ref.path, ref.owner, ref.function) not in self.ran.functions:
            yield Node(ref.path, ref.owner, ref.function), place

    def mentions(
        self, name: str, *, texts: bool = True, owner: str = "", method: str = ""
    ) -> Named:  # fmt: skip
        """Where the tree names something, and in how many files; ``texts``: also in texts.

        Only in modules that were imported, or that code which was not evaluated may import.
        owner: the class that has it, or "": of an object of no class that has to do with it,
        ``self.name`` is something else. method: what is asked of a class ``name`` is who may call
        that.
        """
        key = (name, texts, owner, method)
        found = self._mentions.get(key)
        if found is None:
            holding = [path for path in self.names.holding(name) if path in self.reachable]
            if len(holding) > 2 * COMMON:
                found = ([], len(holding))
            else:
                listed = [Reference(path, *m) for path in holding
                          for m in self._mentioned(path, *key)]  # fmt: skip
                found = (listed, len({ref.path for ref in listed}))
            self._mentions[key] = found
        return found

    def _mentioned(
        self, path: str, name: str, texts: bool, owner: str, method: str
    ) -> Iterator[Mention]:  # fmt: skip
        """The mentions in one file."""
        index = self.names.index(path)
        others = self.names.of_others(path, name, owner)
        for key in (name, in_path(name), *((in_text(name),) if texts else ())):
            yield from (m for m in index.names.get(key, ()) if m not in others)
        for own in index.own.get(name, ()):
            if self.names.hierarchy.related(own.owner, owner):
                yield own
        for read in index.read.get(name, ()):
            related = not read.own or self.names.hierarchy.related(read.mention.owner, owner)
            if related and self._leads(read.attr, name, method):
                yield read.mention
        for given in index.given.get(name, ()):
            if not self.names.only_asks(given.callee, given.parameter):
                yield given.mention

    def _leads(self, attr: str, name: str, method: str) -> bool:
        """Whether an attribute of what is named may lead to it: of a class, to a method of it.

        A constructor is also called by methods of classes that the tree does not define.
        """
        known = method and not method.startswith("__") or (
            method in CONSTRUCTING and not attr.startswith("__") and self.names.defines(name, attr)
        )  # fmt: skip
        return self.names.reaches(attr, name, method) if known else self.names.may_call(attr)

    @cached_property
    def reachable(self) -> frozenset[str]:
        """Modules that were imported, and those that any code not evaluated may import.

        Coarse: as if every function of theirs that was not evaluated could run. What nothing in
        the tree imports is where a program may begin: a command, a server.
        """
        found = {
            *self.ran.modules,
            *(path for path in self.names.paths if not self.names.importers(path)),
        }
        imports: dict[str, list[tuple[str, int]]] = {}
        for path in self.names.paths:
            for other, line in self.names.importers(path):
                imports.setdefault(other, []).append((path, line))
        said = {
            (other, line) for path in self.names.paths for other, line in self.names.in_texts(path)
        }
        queue = list(found)
        for path in queue:
            for target, line in imports.get(path, ()):
                if target in found:
                    continue
                ref = Reference(path, line, *self.names.place(path, line))
                if path not in self.ran.modules or (path, line) in said or list(self.around(ref)):
                    found.add(target)
                    queue.append(target)
        return frozenset(found)


__all__ = ["COMMON", "CONSTRUCTING", "Callers", "Ran"]
