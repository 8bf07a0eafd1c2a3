"""Who may call a function beside the code that was evaluated: a search of the tree by names.

Coarse and one-sided. A function that ran adds nothing: its calls are in the traces. Any other
place that names the function may call it, unless it stands in a function that cannot be called
itself, by the same reasoning. Methods of a class of which no evaluated code made an instance, and
that only such places name, cannot be called. A public function that nothing names may be called
from outside the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mlapath.resolve.references import Reference, references

COMMON = 40
"""In more files than this a name says nothing about who calls what."""


@dataclass(frozen=True)
class Ran:
    """What was evaluated.

    functions: (path, class or "", name). modules: paths of imported modules. made: (path, class)
    of which there are instances, their bases included.
    """

    functions: frozenset[tuple[str, str, str]]
    modules: frozenset[str]
    made: frozenset[tuple[str, str]]


@dataclass
class Callers:
    """The search; keeps the files' bytes and what it found."""

    root: Path
    paths: tuple[str, ...]
    ran: Ran
    _data: dict[str, bytes] = field(default_factory=dict)
    _lines: dict[str, list[str]] = field(default_factory=dict)
    _mentions: dict[str, tuple[list[Reference], int]] = field(default_factory=dict)
    _known: dict[tuple[str, str, str], str | None] = field(default_factory=dict)
    _active: set[tuple[str, str, str]] = field(default_factory=set)

    def outside(self, path: str, owner: str, name: str) -> str | None:
        """Why code that was not evaluated may call a function; None if none can."""
        key = (path, owner, name)
        if key in self._known:
            return self._known[key]
        if key in self._active:
            return None  # a circle that nothing enters
        self._active.add(key)
        try:
            found = self._search(path, owner, name)
        finally:
            self._active.discard(key)
        if found is not None or not self._active:
            self._known[key] = found
        return found

    def _search(self, path: str, owner: str, name: str) -> str | None:
        named = name
        if owner and (path, owner) not in self.ran.made or name.startswith("__"):
            if not owner:
                return f"{name} is called by Python itself"
            named = owner
        mentions, files = self.mentions(named)
        if files > COMMON:
            return f"{files} files of the tree name {named}"
        if not mentions and not named.startswith("_"):
            return f"nothing in the tree names {named}: code outside of it may"
        for ref in mentions:
            if ref.path == path and (ref.function == name or named == owner == ref.owner):
                continue
            text = self._text(ref).strip()
            if text.startswith(("from ", "import ")):
                continue  # what is imported is named again where it is used
            if text.startswith("class "):
                heir = re.split(r"[(:\[]", text[6:])[0].strip()
                why = None if heir == named else self.outside(ref.path, heir, "__init__")
            else:
                why = self._may_call(ref, named)
            if why is not None:
                return why
        return None

    def _may_call(self, ref: Reference, named: str) -> str | None:
        place = f"{ref.path}:{ref.line}"
        if not ref.function:
            if ref.path in self.ran.modules:
                return None
            return f"{place} names {named} in a module that was not imported"
        if (ref.path, ref.owner, ref.function) in self.ran.functions:
            return None
        if self.outside(ref.path, ref.owner, ref.function) is None:
            return None
        function = f"{ref.owner}.{ref.function}" if ref.owner else ref.function
        return f"{place} names {named}, in {function}, which is not evaluated"

    def module(self, path: str) -> str | None:
        """Why code that was not evaluated may import a module; None if none can."""
        stem = path.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]
        mentions, files = self.mentions(stem)
        if files > COMMON:
            return f"{files} files of the tree name {stem}"
        for ref in mentions:
            if ref.path != path and (why := self._may_call(ref, stem)) is not None:
                return why
        return None

    def mentions(self, name: str) -> tuple[list[Reference], int]:
        """Where the tree names something, and in how many files."""
        found = self._mentions.get(name)
        if found is None:
            needle = re.compile(rb"\b" + re.escape(name.encode()) + rb"\b")
            holding = [p for p, data in self._files() if name.encode() in data
                       and needle.search(data)]  # fmt: skip
            listed = references(self.root, holding, name) if len(holding) <= COMMON else []
            found = self._mentions[name] = (listed, len(holding))
        return found

    def _text(self, ref: Reference) -> str:
        lines = self._lines.get(ref.path)
        if lines is None:
            data = self._data.get(ref.path, b"")
            lines = self._lines[ref.path] = data.decode("utf-8", "replace").splitlines()
        return lines[ref.line - 1] if ref.line <= len(lines) else ""

    def _files(self) -> Iterable[tuple[str, bytes]]:
        if not self._data:
            for path in self.paths:
                try:
                    self._data[path] = (self.root / path).read_bytes()
                except OSError:
                    self._data[path] = b""
        return self._data.items()


__all__ = ["Callers", "Ran"]
