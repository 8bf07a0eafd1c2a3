"""Where a report goes: the terminal or files, each in its format."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from mlapath.base.errors import UsageError
from mlapath.base.nearest import did_you_mean

_PREFIX = re.compile(r"([a-z][a-z0-9-]+):(.+)", re.DOTALL)
_STDOUT = "-"


@dataclass(frozen=True)
class Sink:
    """A format and the file it goes to; None is standard output."""

    format: str
    file: Path | None


def parse_sinks(chosen: str, outputs: Sequence[str], formats: Sequence[str]) -> tuple[Sink, ...]:
    """Read ``--format`` and ``--output`` against the formats that a command has.

    Raises:
        UsageError: an unknown format, or a file in a folder that does not exist.
    """
    _check_format(chosen, formats)
    return tuple(_sink(text, chosen, formats) for text in outputs) or (Sink(chosen, None),)


def emit(sinks: Sequence[Sink], render: Callable[[str, bool], str]) -> str:
    """Write ``render(format, is_terminal)`` to each sink; files appear whole or not at all.

    Gives what was written to standard output.

    A reader that goes away early (``| head``) is no error.

    Raises:
        UsageError: a file cannot be written.
    """
    said = ""
    for sink in sinks:
        if sink.file is None:
            text = render(sink.format, True)
            write_stdout(text)
            said += text
        else:
            write_file(sink.file, render(sink.format, False))
    return said


def write_stdout(text: str) -> None:
    """Write and flush; go on in silence once nobody reads any more."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes again when it exits; let that succeed into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _sink(text: str, chosen: str, formats: Sequence[str]) -> Sink:
    name, file = chosen, text
    match = _PREFIX.fullmatch(text)
    if match is not None:
        name, file = match[1], match[2]
        _check_format(name, formats)
    if file == _STDOUT:
        return Sink(name, None)
    path = Path(file).expanduser()
    if not path.parent.is_dir():
        raise UsageError(f"--output {text!r}: there is no folder {str(path.parent)!r}")
    if path.is_dir():
        raise UsageError(f"--output {text!r}: that is a folder")
    return Sink(name, path)


def _check_format(name: str, formats: Sequence[str]) -> None:
    if name not in formats:
        raise UsageError(
            f"unknown format {name!r}{did_you_mean(name, formats)} ({', '.join(formats)})"
        )


def write_file(file: Path, text: str) -> None:
    """Write UTF-8 with line feeds; the file appears whole or not at all.

    Raises:
        UsageError: it cannot be written.
    """
    data = text.encode("utf-8", "backslashreplace")
    try:
        if file.exists() and not file.is_file():  # a device or a named pipe
            file.write_bytes(data)
        else:
            _replace(Path(os.path.realpath(file)), data)
    except BrokenPipeError:
        return
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror or error}") from error


def _replace(file: Path, data: bytes) -> None:
    scratch = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        scratch.write_bytes(data)
        scratch.replace(file)
    finally:
        with suppress(OSError):
            scratch.unlink()
