"""Function bodies that stay encoded until they are looked at: most never are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from mlapath.ir import nodes as ir

Statements = tuple[ir.Stmt, ...]


class StoredBody(Sequence[ir.Stmt]):
    """The statements of a function, decoded at the first look; equal to the tuple of them."""

    __slots__ = ("_data", "_decode", "_statements")

    def __init__(self, data: bytes, decode: Callable[[bytes], Statements]) -> None:
        self._data = data
        self._decode = decode
        self._statements: Statements | None = None

    @property
    def statements(self) -> Statements:
        """The decoded statements."""
        if self._statements is None:
            self._statements = self._decode(self._data)
            self._data = b""
        return self._statements

    def __iter__(self) -> Iterator[ir.Stmt]:
        return iter(self.statements)

    def __len__(self) -> int:
        return len(self.statements)

    @overload
    def __getitem__(self, index: int) -> ir.Stmt: ...
    @overload
    def __getitem__(self, index: slice) -> Statements: ...
    def __getitem__(self, index: int | slice) -> ir.Stmt | Statements:
        return self.statements[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredBody):
            other = other.statements
        return isinstance(other, tuple) and self.statements == other

    def __hash__(self) -> int:
        return hash(self.statements)

    def __repr__(self) -> str:
        return repr(self.statements)


__all__ = ["StoredBody"]
