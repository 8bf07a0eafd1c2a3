"""The program that is evaluated: modules by name, over a tree and its companions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from mlapath.base.errors import TreeError
from mlapath.ir.errors import ParseError
from mlapath.ir.nodes import ModuleIR, Pos
from mlapath.ir.source_text import segment, split_lines
from mlapath.resolve.mentions import Mentions, mentions_of
from mlapath.resolve.names import Names
from mlapath.resolve.outline import Function, functions
from mlapath.resolve.searches import Searches


class Files(Protocol):
    """The part of a source tree that a program needs."""

    @property
    def root(self) -> Path: ...
    def read(self, relpath: str) -> str: ...
    def find_module(self, name: str) -> str | None: ...


Loader = Callable[[str, str], ModuleIR]
"""(source text, path) -> IR."""


@dataclass(frozen=True)
class Lacking:
    """A tree some of whose packages cannot be imported; its files may still be looked at."""

    tree: Files
    packages: frozenset[str]

    @property
    def root(self) -> Path:
        """The tree's root."""
        return self.tree.root

    def read(self, relpath: str) -> str:
        """A file's text."""
        return self.tree.read(relpath)

    def find_module(self, name: str) -> str | None:
        """The path of a module, unless it is in one of the packages."""
        parts = name.split(".")
        inside = any(".".join(parts[:n]) in self.packages for n in range(1, len(parts) + 1))
        return None if inside else self.tree.find_module(name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tree, name)


class Program:
    """Finds, reads and lowers modules, each once.

    trees: searched in order; ``root`` is the first one's root as a POSIX path.
    load_ir: lowers one source text. read_mentions: what one mentions.
    """

    unreadable = ParseError

    def __init__(
        self, trees: Sequence[Files], load_ir: Loader,
        read_mentions: Callable[[str], Mentions] = mentions_of,
    ) -> None:  # fmt: skip
        self.trees = tuple(trees)
        self.root = self.trees[0].root.as_posix()
        self._load_ir = load_ir
        self._read_mentions = read_mentions
        self._found: dict[str, str | None] = {}
        self._owner: dict[str, Files] = {}
        self._modules: dict[str, ModuleIR] = {}
        self._functions: dict[str, tuple[Function, ...]] = {}
        self._lines: dict[str, Sequence[str]] = {}
        self._texts: dict[tuple[str, Pos], str] = {}

    def without(self, packages: frozenset[str]) -> Program:
        """The same program, the packages of whose first tree cannot be imported."""
        first, *others = self.trees
        made = Program((Lacking(first, packages), *others), self._load_ir, self._read_mentions)
        made._modules, made._lines, made._texts = self._modules, self._lines, self._texts
        return made

    def find(self, name: str) -> str | None:
        """The path of a module, relative to its tree's root, or None."""
        if name not in self._found:
            self._found[name] = None
            for tree in self.trees:
                path = tree.find_module(name)
                if path is not None:
                    self._found[name] = path
                    self._owner.setdefault(path, tree)
                    break
        return self._found[name]

    def listing(self) -> tuple[str, ...]:
        """The files of the first tree, relative to its root; empty where it does not list them."""
        return tuple(getattr(self.trees[0], "files", ()))

    @cached_property
    def searches(self) -> Searches:
        """Searches of the Python files of the first tree."""
        return Searches(self.trees[0].root, self._python())

    @cached_property
    def names(self) -> Names:
        """What the Python files of the first tree name."""
        return Names(self.trees[0].root, self._python(), self._read_mentions)

    def _python(self) -> tuple[str, ...]:
        return tuple(path for path in self.listing() if path.endswith(".py"))

    def path_kind(self, path: str) -> str | None:
        """``file``, ``dir`` or ``absent`` for an absolute path below the root, None elsewhere.

        Also None below packages that no tree holds. Trees of Python alone do not answer.
        """
        inside = path.removeprefix(f"{self.root}/").rstrip("/")
        if inside == path:
            return "dir" if path.rstrip("/") == self.root else None
        covered = False
        for tree in self.trees:
            exists = getattr(tree, "exists", None)
            if exists is None:
                continue
            if exists(inside):
                return "file" if inside in getattr(tree, "files", ()) else "dir"
            covered = covered or inside.partition("/")[0] == getattr(tree, "package", "")
        return "absent" if covered else None

    def read_text(self, relpath: str) -> str | None:
        """The text of a file of the tree, of any kind; None where it is not kept or not text."""
        for tree in self.trees:
            if relpath in getattr(tree, "files", ()):
                try:
                    return tree.read(relpath)
                except TreeError:
                    return None
        return None

    def load(self, path: str) -> ModuleIR:
        """The IR of a file; raises ParseError where it cannot be parsed."""
        module = self._modules.get(path)
        if module is None:
            text = self._read(path)
            module = self._modules[path] = self._load_ir(text, path)
        return module

    def functions(self, path: str) -> tuple[Function, ...]:
        """The functions of a file, nested ones too; raises ParseError as ``load`` does."""
        if path not in self._functions:
            self._functions[path] = tuple(functions(self.load(path)))
        return self._functions[path]

    def _read(self, path: str) -> str:
        return self._owner.get(path, self.trees[0]).read(path)

    def lines(self, path: str) -> Sequence[str]:
        """The source lines of a file, without line ends."""
        if path not in self._lines:
            self._lines[path] = split_lines(self._read(path))
        return self._lines[path]

    def text(self, path: str, pos: Pos) -> str:
        """The source text at a position, on one line."""
        key = (path, pos)
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = segment(self.lines(path), pos)
        return text
