"""Errors of the IR layer."""

from __future__ import annotations

from mlapath.base.errors import TreeError


class ParseError(TreeError):
    """A source file that is not valid Python, or uses syntax this version cannot lower.

    Attributes:
        path: the file, relative to the tree's root.
        line: 1-based, or 0 where the fault has no line.
        message: what is wrong, one line.
    """

    def __init__(self, path: str, line: int, message: str) -> None:
        self.path = path
        self.line = line
        self.message = message
        super().__init__(f"cannot read {path}:{line}: {message}")

    def __reduce__(self) -> tuple[type[ParseError], tuple[str, int, str]]:
        return ParseError, (self.path, self.line, self.message)


class LoweringError(Exception):
    """Syntax without IR, or a literal without value; ``lower_module`` adds the file."""

    def __init__(self, line: int, message: str) -> None:
        self.line = line
        super().__init__(message)


class CodecError(Exception):
    """Bytes that are not an encoded IR of this version: treat it as a cache miss."""
