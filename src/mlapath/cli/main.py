"""The entry point: the only place where errors become a line and an exit code."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from mlapath.base.errors import ExitCode, MlapathError

_INTERRUPTED = 130


def entry() -> NoReturn:
    """The console script: ``main``, and no time spent on tidying up a process that ends.

    An evaluation leaves a million objects; collecting them would take a sixth of its time.
    """
    gc.disable()
    code = main()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads any more
            stream.flush()
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line ``argv`` (default: the process's) and give the exit code.

    Every error is one line on standard error. ``MLAPATH_DEBUG=1`` adds the traceback.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    _prepare_streams()
    try:
        return _run(words)
    except MlapathError as error:
        return _fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        return _fail("interrupted", _INTERRUPTED)
    except Exception as error:  # noqa: BLE001  # the last resort: never a traceback, never exit 1
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        line = f"internal error: {what} (please report it; MLAPATH_DEBUG=1 shows the traceback)"
        return _fail(line, ExitCode.INTERNAL)


def _run(words: list[str]) -> int:
    from mlapath.cli.recall import replay

    said = replay(words)
    if said is not None:
        return said
    import typer
    from typer.main import get_command

    from mlapath.cli.app import app
    from mlapath.cli.invocation import Invocation

    cut = words.index("--") if "--" in words else len(words)
    invocation = Invocation(words=tuple(words), engine=tuple(words[cut + 1 :]))
    command = get_command(app)
    try:
        code = command.main(
            args=words[:cut], prog_name="mlapath", standalone_mode=False, obj=invocation
        )
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        command_path = "mlapath" if context is None else context.command_path
        return _fail(f"{error.format_message()} (see {command_path} --help)", ExitCode.USAGE)
    except SystemExit:
        return ExitCode.OK  # typer leaves this way only when nobody reads its help any more
    except typer.Abort:
        return _fail("interrupted", _INTERRUPTED)
    return int(code or 0)


def _fail(message: str, code: int) -> int:
    if os.environ.get("MLAPATH_DEBUG"):
        import traceback

        traceback.print_exc()
    line = " ".join(message.split())
    printable = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
    sys.stderr.write(f"mlapath: {printable}\n")
    return int(code)


def _prepare_streams() -> None:
    """Keep any stream from failing on a character, and line ends the same on every system."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace", newline="\n")
