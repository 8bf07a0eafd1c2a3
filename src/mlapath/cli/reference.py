"""The reference page of the command line, made from the program's own help.

``python -m mlapath.cli.reference`` prints it; a test holds ``docs/reference/cli.md`` against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from mlapath.base.errors import ExitCode
from mlapath.cli.app import app
from mlapath.cli.output import write_stdout

_MEANINGS = {
    ExitCode.OK: "done, whatever the verdicts",
    ExitCode.GATE_FAILED: "an expectation (`--expect`), a baseline or a gate does not hold",
    ExitCode.USAGE: "wrong usage, configuration, or input and output",
    ExitCode.INCOMPLETE: "incomplete where proof was asked for (`--strict`)",
    ExitCode.INTERNAL: "an internal error: please report it",
}
_HEAD = """\
# Command line

Made by `python -m mlapath.cli.reference`; do not edit by hand.

Standard output is the report and nothing else; progress, warnings and errors go to standard
error, each error as one line. Colour and line width follow the terminal, `NO_COLOR`,
`FORCE_COLOR` and `COLUMNS`; in a pipe or file there is no colour and no line is wrapped.
`MLAPATH_DEBUG=1` adds the traceback to an error, `MLAPATH_CACHE_DIR` moves the cache.
"""


def render_reference() -> str:
    """Give the page as Markdown."""
    commands = _commands(get_command(app), "mlapath")
    return "\n".join([_HEAD, _exit_codes(), *(_section(path, c) for path, c in commands)])


def _exit_codes() -> str:
    rows = "\n".join(f"| {int(code)} | {_MEANINGS[code]} |" for code in ExitCode)
    return f"## Exit codes\n\n| code | meaning |\n| --- | --- |\n{rows}\n| 130 | interrupted |\n"


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, f"{path} {name}")


def _section(path: str, command: Any) -> str:
    paragraphs = [" ".join(text.split()) for text in command.help.split("\n\n")]
    lines = [f"## `{path}`", "", "\n\n".join(paragraphs), ""]
    if command.params:
        lines += ["| option | meaning |", "| --- | --- |"]
        lines += [f"| {_names(param)} | {_escape(param.help)} |" for param in command.params]
        lines.append("")
    return "\n".join(lines)


def _names(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"`[{param.metavar}]`"
    value = f" {param.metavar}" if param.metavar else ""
    return ", ".join(f"`{name}{value}`" for name in param.opts)


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    write_stdout(render_reference())
