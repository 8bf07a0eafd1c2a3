"""What the files of a tree name, and where: each file is read once, and parsed when asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from mlapath.resolve.hierarchy import Hierarchy, hierarchy_of
from mlapath.resolve.imports import EVERYTHING, imports_of
from mlapath.resolve.locate import module_name
from mlapath.resolve.mentions import Asked, Mention, Mentions, mentions_of
from mlapath.resolve.writes import around

WORD = re.compile(rb"[A-Za-z_]\w*")
DEFINED = re.compile(rb"\bdef[ \t]+(\w+)")
TEXT = re.compile(rb"(['\"}])([\w.]*\.\w+)(?=[:'\"])")
"""A dotted name in a text, or the end of one."""
BOUND = (
    rb"\bas[ \t]+%s\b|\b%s[ \t]*(?::[^=\n]*)?=(?!=)|\b%s[ \t]*,[^=\n]*=(?!=)"
    rb"|\b(?:def[ \t]+|for\b[^\n:]*\b)%s\b"
)
"""Where a name may come to stand for something else than the class of that name."""
REPLACED = rb"\bas[ \t]+%s\b|^%s[ \t]*(?::[^=\n]*)?=(?!=)"
"""Where a module may bind a name that it does not define."""


MayRun = Callable[[str, str, int], bool]
"""(path, function, line): whether the line of a function may run, or have run."""


def always(_path: str, _function: str, _line: int) -> bool:
    return True


def _gives_itself(asked: Asked, given: Sequence[str]) -> bool:
    """Whether a decorator gives nothing but itself for later arguments, or its first one."""
    return "again" in given and set(given) <= {"again", asked.places[0]}


@dataclass
class Names:
    """The files ``paths`` below ``root``; keeps what was looked up.

    read: what a file's text mentions.
    """

    root: Path
    paths: tuple[str, ...]
    read: Callable[[str], Mentions] = mentions_of
    _indexes: dict[str, Mentions] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)
    _imported: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    _classes: dict[str, bool] = field(default_factory=dict)

    @cached_property
    def texts(self) -> dict[str, bytes]:
        """The bytes of every file; of one that cannot be read, none."""
        return {path: self._bytes_of(path) for path in self.paths}

    def _bytes_of(self, path: str) -> bytes:
        try:
            return (self.root / path).read_bytes()
        except OSError:
            return b""

    @cached_property
    def _words(self) -> dict[bytes, list[str]]:
        found: dict[bytes, list[str]] = {}
        for path, data in self.texts.items():
            for word in set(WORD.findall(data)):
                found.setdefault(word, []).append(path)
        return found

    def holding(self, name: str) -> list[str]:
        """The files that have a word."""
        return self._words.get(name.encode(), [])

    def index(self, path: str) -> Mentions:
        """What a file mentions."""
        index = self._indexes.get(path)
        if index is None:
            text = self.texts.get(path, b"").decode("utf-8", "replace")
            index = self._indexes[path] = self.read(text)
        return index

    def may_call(self, attr: str) -> bool:
        """Whether reading an attribute may lead to code: any function is called so."""
        return attr.startswith("__") or attr in self.functions

    def defines(self, owner: str, method: str) -> bool:
        """Whether a class, or one that it inherits from, defines a method in the tree."""
        ancestors = self.hierarchy.ancestors(owner)
        return any(
            mention.owner in ancestors and mention.owner
            for path in self.holding(method)
            for mention in self.index(path).defined.get(method, ())
        )

    def reaches(self, attr: str, owner: str, method: str) -> bool:
        """Whether a method ``attr`` of a class, given the class alone, may lead to another method.

        By what it calls of ``self`` and ``cls``, and so on; or because it hands them on.
        """
        queue = [attr]
        for name in queue:
            for path in self.holding(name):
                for (of, function), words in self.index(path).calls.items():
                    if function != name or not self.hierarchy.related(of, owner):
                        continue
                    if "" in words or method in words:
                        return True
                    queue.extend(w for w in sorted(words) if w not in queue and self.may_call(w))
        return attr == method

    def only_asks(self, callee: str, parameter: int | str) -> bool:
        """Whether every function of that name does nothing with an argument but ask for it."""
        if not self._is_own(callee):
            return False
        defined = [asked for path in self.holding(callee)
                   for asked in self.index(path).functions.get(callee, ())]  # fmt: skip
        for asked in defined:
            places = asked.places
            name = parameter if isinstance(parameter, str) else "".join(
                places[parameter : parameter + 1]
            )  # fmt: skip
            if name not in asked.asked:
                return False
        return bool(defined)

    def only_calls(self, callee: str, keyword: str) -> bool:
        """Whether every function and method of that name only calls what a keyword gives it.

        At once, or by passing it on to others that do.
        """
        queue = [(callee, keyword)]
        for name, parameter in queue:
            defined = [a for a in self._defined(name) if a.keywords & {parameter, "**"}]
            if not defined or not self._is_own(name) or self._is_generator(name):
                return False
            for asked in defined:
                if parameter not in asked.called:
                    return False
                further = [(p.callee, p.keyword) for p in asked.passed if p.name == parameter]
                queue.extend(x for x in further if x not in queue)
        return True

    def only_looks(self, callee: str, place: int) -> bool:
        """Whether every function of that name only looks at what it is given at a place.

        Itself, or by giving it to others that do.
        """
        queue = [(callee, place)]
        for name, at in queue:
            defined = [asked for path in self.holding(name)
                       for asked in self.index(path).functions.get(name, ())]  # fmt: skip
            plain = self._is_own(name) and not self._is_generator(name)
            if not defined or not plain or self._is_replaced(name):
                return False
            for asked in defined:
                parameter = next(iter(asked.places[at : at + 1]), "")
                if parameter not in asked.looked:
                    return False
                further = [(x.callee, x.place) for x in asked.lent if x.name == parameter]
                queue.extend(x for x in further if x not in queue)
        return True

    def _is_replaced(self, name: str) -> bool:
        """Whether a name may stand for something else than the functions that are defined so."""
        bound = re.compile(REPLACED % ((name.encode(),) * 2), re.MULTILINE)
        return any(
            name in self.index(path).decorated or bound.search(self.texts[path])
            for path in self.holding(name)
        )

    def lent(self, path: str, word: str) -> frozenset[Mention]:
        """Where a file keeps a word only to give it to functions that look at it."""
        index = self.index(path)
        kept = Counter(index.kept.get(word, ()))
        lent = Counter(given.mention for given in index.lent.get(word, ())
                       if self.only_looks(given.callee, int(given.parameter)))  # fmt: skip
        return frozenset(mention for mention, count in lent.items() if count == kept[mention])

    def of_others(self, path: str, word: str, owner: str) -> frozenset[Mention]:
        """Where a file names an attribute of classes alone that have nothing to do with one."""
        index = self.index(path)
        if not owner or word not in index.of:
            return frozenset()
        named = Counter(index.names.get(word, ()))
        others = Counter(
            of.mention
            for of in index.of[word]
            if self._is_class(of.name) and not self.hierarchy.related(of.name, owner)
        )
        return frozenset(mention for mention, count in others.items() if count == named[mention])

    def _is_class(self, name: str) -> bool:
        """Whether a name stands for classes of that name alone, of the tree, in every file."""
        if name not in self._classes:
            bound = re.compile(BOUND % ((name.encode(),) * 4))
            self._classes[name] = (
                name in self.hierarchy.heirs.get(name, ()) and self._is_own(name)
                and not any(bound.search(self.texts[path]) for path in self.holding(name))
            )  # fmt: skip
        return self._classes[name]

    def _is_generator(self, name: str) -> bool:
        return any(name in self.index(path).generators for path in self.holding(name))

    def decorators(self, path: str, function: str, may: MayRun = always) -> list[Mention]:
        """Where decorators that may keep a function of a file get it.

        may: whether a line of a decorator may have run, for functions that no other one defines.
        """
        given = self.index(path).decorated.get(function, ())
        return [
            g.mention for g in given
            if not self.only_wraps(
                g.callee, always if g.mention.function else may, called=bool(g.parameter)
            )
        ]  # fmt: skip

    def only_wraps(self, decorator: str, may: MayRun = always, *, called: bool = False) -> bool:
        """Whether every function of that name gives but a function that calls its argument.

        called: for further arguments it first gives itself.
        """
        found = [(path, asked) for path in self.holding(decorator)
                 for known in (self.index(path).functions, self.index(path).methods)
                 for asked in known.get(decorator, ())]  # fmt: skip
        return bool(found) and self._is_own(decorator) and all(
            bool(asked.places)
            and not any(
                name in ("", asked.places[0]) and may(path, decorator, line)
                for name, line in asked.loose
            )
            and (not called or _gives_itself(
                asked, [what for line, what in asked.given if may(path, decorator, line)]
            ))
            for path, asked in found
        )  # fmt: skip

    def _is_own(self, name: str) -> bool:
        """Whether all that is known of a name is the tree's.

        No file imports it of another package, and each that holds it could be read.
        """
        indexes = [self.index(path) for path in self.holding(name)]
        return all(
            index.parsed and index.imported.get(name, ".").partition(".")[0] in self._packages
            for index in indexes
        )

    @cached_property
    def _packages(self) -> frozenset[str]:
        """The packages of the files; "" stands for imports by a relative name."""
        return frozenset(
            ("", *(path.partition("/")[0].removesuffix(".py") for path in self.paths))
        )

    def _defined(self, name: str) -> list[Asked]:
        indexes = [self.index(path) for path in self.holding(name)]
        return [asked for index in indexes for known in (index.functions, index.methods)
                for asked in known.get(name, ())]  # fmt: skip

    @cached_property
    def hierarchy(self) -> Hierarchy:
        return hierarchy_of(self.texts.values())

    def foreign(self, name: str) -> frozenset[str]:
        """The classes of other packages that a class inherits from, as far as they are known.

        A class that a variable holds, or that a function gives, is one of the tree's.
        """
        given = {v for v in self.hierarchy.variables if self._is_own(v)}
        return self.hierarchy.foreign(name) - given

    def heirs_taken(self, name: str) -> Iterator[tuple[str, Mention]]:
        """Where all heirs of a class are asked for that a class is an heir of."""
        for path in self.holding("__subclasses__"):
            for ancestor in self.hierarchy.ancestors(name):
                for read in self.index(path).read.get(ancestor, ()):
                    if read.attr == "__subclasses__":
                        yield path, read.mention

    def told_of_heirs(self, name: str) -> bool:
        """Whether a class that a class is an heir of is told of each that is defined."""
        ancestors = self.hierarchy.ancestors(name)
        return any(
            mention.owner in ancestors and mention.owner != name
            for path in self.holding("__init_subclass__")
            for mention in self.index(path).telling
        )

    @cached_property
    def functions(self) -> frozenset[str]:
        """The names of all functions of the tree."""
        return frozenset(
            name.decode() for data in self.texts.values() for name in DEFINED.findall(data)
        )

    def importers(self, path: str) -> list[tuple[str, int]]:
        """Where a module may be imported: (path, line) of statements and of texts that name it."""
        if path not in self._imported:
            index = self._import_index
            name = module_name(path)
            parent = name.rpartition(".")[0]
            found = [*index.get(name, ()), *index.get(f"{parent}.{EVERYTHING}", ()),
                     *self.in_texts(path)]  # fmt: skip
            self._imported[path] = list(dict.fromkeys(found))
        return self._imported[path]

    def in_texts(self, path: str) -> list[tuple[str, int]]:
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
        for path, data in self.texts.items():
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
        for path, data in self.texts.items():
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
            data = self.texts.get(path, b"")
            lines = self._lines[path] = data.decode("utf-8", "replace").splitlines()
        return lines

    def place(self, path: str, line: int) -> tuple[str, str]:
        """The class and the function around a line, or ""."""
        return around(self._lines_of(path), line)


__all__ = ["Names"]
