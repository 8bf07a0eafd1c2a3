"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from mlapath import __version__
from mlapath.cli.commands.analyze import analyze
from mlapath.cli.commands.annotate import annotate
from mlapath.cli.commands.baseline import baseline_app
from mlapath.cli.commands.cache import cache_app
from mlapath.cli.commands.check import check
from mlapath.cli.commands.diff import diff
from mlapath.cli.commands.fires import fires
from mlapath.cli.commands.graph import graph
from mlapath.cli.commands.init import init
from mlapath.cli.commands.matrix import matrix, merge
from mlapath.cli.commands.tree import tree
from mlapath.cli.output import write_stdout

app = typer.Typer(
    name="mlapath",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command(options_metavar="[OPTIONS] [-- ENGINE FLAGS]")(analyze)
app.command(options_metavar="[OPTIONS] [-- ENGINE FLAGS]")(matrix)
app.command()(merge)
app.command(options_metavar="[OPTIONS] [-- ENGINE FLAGS]")(fires)
app.command(options_metavar="[OPTIONS] [-- ENGINE FLAGS]")(annotate)
app.command(options_metavar="[OPTIONS] [-- ENGINE FLAGS]")(graph)
app.command()(tree)
app.command(options_metavar="[OPTIONS] [-- ENGINE FLAGS]")(init)
app.add_typer(baseline_app, name="baseline")
app.command()(check)
app.command(options_metavar="[OPTIONS] [-- ENGINE FLAGS]")(diff)
app.add_typer(cache_app, name="cache")


def _show_version(asked: bool) -> None:
    if asked:
        write_stdout(f"mlapath {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """Tell which attention path a vLLM deployment will take, and why.

    vLLM's own source is evaluated; it is never imported or run.
    """
    if context.invoked_subcommand is None:
        write_stdout(context.get_help() + "\n")
