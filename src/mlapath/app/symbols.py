"""What a tree has at a place: the function around a line, and whether a text is still there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from mlapath.base.errors import TreeError
from mlapath.cache.store import BlobStore
from mlapath.ci.normal import cut, plain_code
from mlapath.ci.take import Symbol
from mlapath.ir import nodes as ir
from mlapath.ir.errors import ParseError
from mlapath.ir.load import load_module
from mlapath.ir.source_text import segment, split_lines
from mlapath.source import SourceTree

_COMMENT = re.compile(r"#[^\n]*")


class TreeSymbols:
    """Looks places up in one tree; files that cannot be read or parsed have no symbols."""

    def __init__(self, tree: SourceTree, store: BlobStore | None = None) -> None:
        self._tree = tree
        self._store = store
        self._functions = lru_cache(maxsize=None)(self._load)
        self._squeezed = lru_cache(maxsize=None)(self._squeeze)

    def locate(self, at: str) -> Symbol | None:
        """The innermost function or method around ``path:line``, by its qualified name."""
        path, _, line = at.rpartition(":")
        if not path.startswith(f"{self._tree.package}/") or not line.isdecimal():
            return None
        best: tuple[int, Symbol] | None = None
        for first, last, symbol in self._functions(path):
            if first <= int(line) <= last and (best is None or first >= best[0]):
                best = (first, symbol)
        return None if best is None else best[1]

    def has(self, path: str, text: str) -> bool | None:
        """Whether the file ``path`` has the code ``text``, however laid out; None: no such file.

        ``text`` is in the form of ``plain_code``, and may have been cut.
        """
        squeezed = self._squeezed(path)
        if squeezed is None:
            return None
        return _squeeze_text(text.removesuffix("…").rstrip()) in squeezed

    def times(self, path: str, function: str, text: str) -> int | None:
        """How often the function of that qualified name in ``path`` has the code ``text``.

        None where there is no such function. ``text`` as for ``has``.
        """
        spans = [(a, b) for a, b, symbol in self._functions(path) if symbol.name == function]
        if not spans:
            return None
        wanted = _squeeze_text(text.removesuffix("…").rstrip())
        lines = split_lines(self._tree.read(path))
        bodies = (_COMMENT.sub("", "\n".join(lines[a - 1 : b])) for a, b in spans)
        return sum(_squeeze_text(body).count(wanted) for body in bodies)

    def _load(self, path: str) -> tuple[tuple[int, int, Symbol], ...]:
        try:
            text = self._tree.read(path)
            module = load_module(text, path, self._store)
        except (TreeError, ParseError):
            return ()
        name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return tuple(_functions(module.body, name, split_lines(text)))

    def _squeeze(self, path: str) -> str | None:
        try:
            text = self._tree.read(path)
        except TreeError:
            return None
        return _squeeze_text(_COMMENT.sub("", text))


def _squeeze_text(text: str) -> str:
    """Without white space, with one kind of quotes, without trailing commas."""
    bare = re.sub(r"\s+", "", text).replace("'", '"')
    return re.sub(r",(?=[)\]}])", "", bare)


def _functions(body: Any, prefix: str, lines: Any) -> Iterator[tuple[int, int, Symbol]]:
    for statement in body:
        if isinstance(statement, ir.ClassDef):
            yield from _functions(statement.body, f"{prefix}.{statement.name}", lines)
        elif isinstance(statement, ir.FunctionDef):
            name = f"{prefix}.{statement.name}"
            signature = _signature(statement.params, lines)
            yield statement.pos[0], statement.pos[2], Symbol(name, signature)
            yield from _functions(statement.body, name, lines)
        else:
            for part in ("body", "orelse", "handlers", "finalbody", "cases"):
                inner = getattr(statement, part, None)
                if isinstance(inner, tuple):
                    yield from _functions(inner, prefix, lines)


def _signature(params: ir.Params, lines: Any) -> str:
    """Names and defaults: ``(self, x, *, y=1)``; annotations do not count."""
    parts = [_param(p, lines) for p in params.posonly]
    if parts:
        parts.append("/")
    parts += [_param(p, lines) for p in params.args]
    if params.vararg is not None:
        parts.append(f"*{params.vararg.name}")
    elif params.kwonly:
        parts.append("*")
    parts += [_param(p, lines) for p in params.kwonly]
    if params.kwarg is not None:
        parts.append(f"**{params.kwarg.name}")
    return f"({', '.join(parts)})"


def _param(param: ir.Param, lines: Any) -> str:
    if param.default is None:
        return param.name
    return f"{param.name}={cut(plain_code(segment(lines, param.default.pos)))}"
