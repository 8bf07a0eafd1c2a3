"""Consoles that do not depend on where the tests run."""

from __future__ import annotations

import io

from rich.console import Console


def console(width: int = 100, *, terminal: bool = False, encoding: str = "utf-8") -> Console:
    """Give a console that writes to memory; ``written`` reads it back."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True, newline="")
    return Console(
        file=stream,
        width=width,
        force_terminal=terminal,
        color_system="standard" if terminal else None,
        legacy_windows=False,
        _environ={},
    )


def written(made: Console) -> str:
    stream = made.file
    assert isinstance(stream, io.TextIOWrapper)
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(stream.encoding)
