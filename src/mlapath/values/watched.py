"""Cells that tell when something is read that another round of a loop may have written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlapath.values.family import Family, NotUniform
from mlapath.values.objects import Cell
from mlapath.values.value import Union, V


class Hidden:
    """Stands for a content that the round before has left, until the round writes its own."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "HIDDEN"


HIDDEN = Hidden()


def hide(content: Any) -> Any:
    """What stands for a cell's content while it must not be read."""
    if type(content) is tuple:
        return (content[0], V(HIDDEN))
    return V(HIDDEN) if isinstance(content, V) else HIDDEN


def is_hidden(content: Any) -> bool:
    """Whether a content is, or may be, one that must not be read."""
    if type(content) is tuple and len(content) == 2:
        content = content[1]
    if isinstance(content, V):
        d = content.d
        return d is HIDDEN or type(d) is Union and any(o.d is HIDDEN for o in d.options)
    return content is HIDDEN


class Watch:
    """The cells that are watched: reading a hidden content of theirs is noticed.

    growing: ids of cells to which each round adds keys of its own: they may be asked for a key,
    not run over.
    """

    def __init__(self) -> None:
        self.growing: set[int] = set()
        self._cells: list[Cell] = []
        self._cls = _watched(self)

    def add(self, cell: Cell) -> None:
        """Watch a cell."""
        if type(cell) is Cell:
            cell.__class__ = self._cls
            self._cells.append(cell)

    def end(self) -> None:
        """Watch no cell any more."""
        for cell in self._cells:
            cell.__class__ = Cell
        self._cells.clear()


def _check(watch: Watch, cell: Cell, key: Any) -> None:
    """Notice that a key is asked for."""
    if is_hidden(dict.get(cell, key)):
        raise NotUniform(f"reads {key!r} as the round before left it")
    if id(cell) in watch.growing and not dict.__contains__(cell, key):
        for other in dict.__iter__(cell):
            if type(other) is Family and key in other.members:
                raise NotUniform(f"asks for {key!r}, a key of one of the rounds")


def _whole(watch: Watch, cell: Cell) -> None:
    """Notice that all of a cell is asked for."""
    if id(cell) in watch.growing or any(map(is_hidden, dict.values(cell))):
        raise NotUniform("runs over what each round writes to")


def _watched(watch: Watch) -> type[Cell]:
    """The class of the cells that ``watch`` watches."""

    class Watched(Cell):
        __slots__ = ()

        def __getitem__(self, key: Any) -> Any:
            _check(watch, self, key)
            return dict.__getitem__(self, key)

        def get(self, key: Any, default: Any = None) -> Any:
            _check(watch, self, key)
            return dict.get(self, key, default)

        def __contains__(self, key: object) -> bool:
            _check(watch, self, key)
            return dict.__contains__(self, key)

        def __iter__(self) -> Iterator[Any]:
            _whole(watch, self)
            return dict.__iter__(self)

        def __len__(self) -> int:
            _whole(watch, self)
            return dict.__len__(self)

        def keys(self) -> Any:
            _whole(watch, self)
            return dict.keys(self)

        def items(self) -> Any:
            _whole(watch, self)
            return dict.items(self)

        def values(self) -> Any:
            _whole(watch, self)
            return dict.values(self)

        def pop(self, key: Any, *default: Any) -> Any:
            _check(watch, self, key)
            return dict.pop(self, key, *default)

    return Watched


__all__ = ["Watch", "hide", "is_hidden"]
