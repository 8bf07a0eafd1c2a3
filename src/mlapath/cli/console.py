"""Consoles of rich, made for a stream or for a string."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_UNWRAPPED = 10_000


def capture(print_to: Callable[[Console], None], *, for_stdout: bool) -> str:
    """Give what ``print_to`` prints: as standard output shows it, or plain for a file.

    On a terminal lines wrap at its width and are coloured unless NO_COLOR or TERM say otherwise;
    elsewhere they are whole and plain, unless FORCE_COLOR or COLUMNS say otherwise.
    """
    from rich.console import Console

    memory = _Memory(getattr(sys.stdout, "encoding", None) if for_stdout else "utf-8")
    terminal = for_stdout and sys.stdout.isatty()
    width = None if terminal or (for_stdout and os.environ.get("COLUMNS")) else _UNWRAPPED
    console = Console(
        file=memory,
        width=width,
        force_terminal=True if terminal else None,
        no_color=None if for_stdout else True,
        color_system="auto" if for_stdout else None,
        legacy_windows=False,
    )
    print_to(console)
    return memory.getvalue()


class _Memory(io.StringIO):
    """A string that claims the encoding of the stream it is meant for."""

    def __init__(self, encoding: str | None) -> None:
        super().__init__(newline="\n")
        self._encoding = encoding or "utf-8"

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding
