"""Who may call a function beside the code that was evaluated: a search of the tree by names.

Coarse and one-sided. A function that ran adds nothing: its calls are in the traces. Any other
place that names the function may call it, unless it stands in a function that cannot be called
itself, by the same reasoning. Methods of a class of which no evaluated code made an instance, and
that only such places name, cannot be called. Nothing of a module that was not imported runs before
something imports it. A public function that nothing names may be called from outside the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from mlapath.resolve.imports import EVERYTHING, imports_of
from mlapath.resolve.locate import module_name
from mlapath.resolve.mentions import HANDED_ON, Mentions, in_path, in_text, mentions_of
from mlapath.resolve.references import Reference
from mlapath.resolve.writes import around

COMMON = 80
"""In more files than this a name says nothing about who calls what."""
MOST = 2000
"""So many functions are looked at for one question."""
WORD = re.compile(rb"[A-Za-z_]\w*")
TEXT = re.compile(rb"(['\"}])([\w.]*\.\w+)(?=[:'\"])")
"""A dotted name in a text, or the end of one."""


@dataclass(frozen=True)
class Ran:
    """What was evaluated.

    functions: (path, class or "", name). modules: paths of imported modules. made: (path, class)
    of which there are instances, their bases included.
    """

    functions: frozenset[tuple[str, str, str]]
    modules: frozenset[str]
    made: frozenset[tuple[str, str]]


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
    """The search; keeps the files' bytes and what it found."""

    root: Path
    paths: tuple[str, ...]
    ran: Ran
    _data: dict[str, bytes] = field(default_factory=dict)
    _indexes: dict[str, Mentions] = field(default_factory=dict)
    _words: dict[bytes, list[str]] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)
    _mentions: dict[tuple[str, ...], tuple[list[Reference], int]] = field(default_factory=dict)
    _imported: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    _known: dict[Node, str | None] = field(default_factory=dict)

    def outside(self, path: str, owner: str, name: str) -> str | None:
        """Why code that was not evaluated may call a function; None if none can."""
        return self._search(Node(path, owner, name))

    def by_name(self, path: str, owner: str, name: str) -> str | None:
        """Why code that was not evaluated may call something of a method's name; None if not."""
        return self._search(Node(path, owner, name), name)

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
        if not node.name or node.path not in self._reachable:
            return None
        if node.name == HANDED_ON:
            return "it is handed on there"
        if node.name.startswith("__") and not node.owner:
            return f"{node.name} is called by Python itself"
        chosen = self._chosen_by_text(node, word)
        if chosen:
            return chosen
        mentions, files = self.mentions(word, texts=not _is_class(node, word))
        if files > COMMON:
            return f"{files} files of the tree name {word}"
        if not mentions and not word.startswith("_") and not self._is_named(word):
            return f"nothing in the tree names {word}: code outside of it may"
        return None

    def _chosen_by_text(self, node: Node, word: str) -> str:
        """A place that was evaluated and names by a path what nothing evaluated imported.

        Such as the class of the workers: what reads the path makes it. "" if there is none.
        """
        if node.path in self.ran.modules:
            return ""
        for path in self._holding(word):
            for line, owner, function in self._index(path).get(in_path(word), ()):
                if (path, owner, function) in self.ran.functions:
                    return f"{path}:{line} names it in a text"
        return ""

    def _named_by(self, node: Node, word: str) -> Iterator[tuple[Node, str]]:
        """What names a node in code that was not evaluated, and where."""
        if node.path not in self._reachable:
            return
        if not node.name:
            for path, line in self._importers(node.path):
                if path != node.path and path in self._reachable:
                    yield from self._around(Reference(path, line, *self._place(path, line)))
            return
        for ref in self.mentions(word, texts=not _is_class(node, word))[0]:
            if ref.path == node.path and (
                ref.function == node.name or word == node.owner == ref.owner
            ):
                continue
            yield from self._around(ref)

    def _is_named(self, word: str) -> bool:
        """Whether any code names something, also such that nothing imports, or any text."""
        keys = (word, in_path(word), in_text(word))
        return any(key in self._index(path) for path in self._holding(word) for key in keys)

    def _place(self, path: str, line: int) -> tuple[str, str]:
        return around(self._lines_of(path), line)

    def _around(self, ref: Reference) -> Iterator[tuple[Node, str]]:
        """What runs the place of a reference, unless it was evaluated."""
        place = f"{ref.path}:{ref.line}"
        if not ref.function:
            if ref.path not in self.ran.modules:
                yield Node(ref.path), place
        elif (ref.path, ref.owner, ref.function) not in self.ran.functions:
            yield Node(ref.path, ref.owner, ref.function), place

    def mentions(self, name: str, *, texts: bool = True) -> tuple[list[Reference], int]:
        """Where the tree names something, and in how many files; ``texts``: also in texts.

        Only in modules that were imported, or that code which was not evaluated may import.
        """
        keys = (name, in_path(name), *((in_text(name),) if texts else ()))
        found = self._mentions.get(keys)
        if found is None:
            holding = [path for path in self._holding(name) if path in self._reachable]
            if len(holding) > 2 * COMMON:
                found = ([], len(holding))
            else:
                listed = [Reference(p, *m) for p in holding for key in keys
                          for m in self._index(p).get(key, ())]  # fmt: skip
                found = (listed, len({ref.path for ref in listed}))
            self._mentions[keys] = found
        return found

    def _index(self, path: str) -> Mentions:
        index = self._indexes.get(path)
        if index is None:
            text = self._data.get(path, b"").decode("utf-8", "replace")
            index = self._indexes[path] = mentions_of(text)
        return index

    def _importers(self, path: str) -> list[tuple[str, int]]:
        """Where a module may be imported: (path, line) of statements and of texts that name it."""
        if path not in self._imported:
            index = self._import_index
            name = module_name(path)
            parent = name.rpartition(".")[0]
            found = [*index.get(name, ()), *index.get(f"{parent}.{EVERYTHING}", ()),
                     *self._in_texts(path)]  # fmt: skip
            self._imported[path] = list(dict.fromkeys(found))
        return self._imported[path]

    def _in_texts(self, path: str) -> list[tuple[str, int]]:
        """The texts that name a module: what reads them may import it."""
        name = module_name(path)
        return [
            (other, line)
            for text, other, line in self._texts_of_modules.get(name.rpartition(".")[2], ())
            if name == text or text.startswith(".") and name.endswith(text)
        ]

    @cached_property
    def _texts_of_modules(self) -> dict[str, list[tuple[str, str, int]]]:
        """Last name -> (text, path, line) of the dotted names that stand in texts.

        One of which only the end is written out begins with a dot.
        """
        found: dict[str, list[tuple[str, str, int]]] = {}
        for path, data in self._texts.items():
            for match in TEXT.finditer(data):
                text = match[2].decode("utf-8", "replace")
                if match[1] == b"}":
                    text = f".{text.partition('.')[2]}"
                line = data.count(b"\n", 0, match.start(2)) + 1
                for module in (text, text.rpartition(".")[0]):  # or of something in it
                    found.setdefault(module.rpartition(".")[2], []).append((module, path, line))
        return found

    @cached_property
    def _import_index(self) -> dict[str, list[tuple[str, int]]]:
        """Name -> (path, line) of the statements that may import it, or something below it."""
        found: dict[str, list[tuple[str, int]]] = {}
        for path, data in self._texts.items():
            text = data.decode("utf-8", "replace")
            package = path.endswith("__init__.py")
            for name, line in imports_of(text, module_name(path), package=package):
                parts = name.removesuffix(f".{EVERYTHING}").split(".")
                if name.endswith(EVERYTHING):
                    found.setdefault(name, []).append((path, line))
                for end in range(len(parts), 0, -1):
                    found.setdefault(".".join(parts[:end]), []).append((path, line))
        return found

    def _lines_of(self, path: str) -> list[str]:
        lines = self._lines.get(path)
        if lines is None:
            data = self._data.get(path, b"")
            lines = self._lines[path] = data.decode("utf-8", "replace").splitlines()
        return lines

    @cached_property
    def _reachable(self) -> frozenset[str]:
        """Modules that were imported, and those that any code not evaluated may import.

        Coarse: as if every function of theirs that was not evaluated could run. What nothing in
        the tree imports is where a program may begin: a command, a server.
        """
        found = {*self.ran.modules, *(path for path in self.paths if not self._importers(path))}
        imports: dict[str, list[tuple[str, int]]] = {}
        for path in self.paths:
            for other, line in self._importers(path):
                imports.setdefault(other, []).append((path, line))
        said = {(other, line) for path in self.paths for other, line in self._in_texts(path)}
        queue = list(found)
        for path in queue:
            for target, line in imports.get(path, ()):
                if target in found:
                    continue
                ref = Reference(path, line, *self._place(path, line))
                if path not in self.ran.modules or (path, line) in said or list(self._around(ref)):
                    found.add(target)
                    queue.append(target)
        return frozenset(found)

    @property
    def _texts(self) -> dict[str, bytes]:
        """The bytes of every file."""
        if not self._words:
            self._holding("")
        return self._data

    def _holding(self, name: str) -> list[str]:
        """The files that have a word."""
        if not self._words:
            for path in self.paths:
                try:
                    data = (self.root / path).read_bytes()
                except OSError:
                    data = b""
                self._data[path] = data
                for word in set(WORD.findall(data)):
                    self._words.setdefault(word, []).append(path)
        return self._words.get(name.encode(), [])


__all__ = ["Callers", "Ran"]
