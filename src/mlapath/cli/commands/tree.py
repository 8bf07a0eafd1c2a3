"""``mlapath tree``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mlapath.cli import options as opt
from mlapath.cli.console import capture
from mlapath.cli.output import emit, parse_sinks
from mlapath.cli.progress import show_progress

if TYPE_CHECKING:
    from mlapath.findings.tree_model import TreeReport

FORMATS = ("text", "json")


def tree(
    tree: Annotated[
        str | None,
        typer.Argument(
            metavar="TREE",
            help="A version, a folder, a wheel or an sdist. "
            "Default: the vLLM that --python would import.",
            show_default=False,
        ),
    ] = None,
    python: opt.Python = None,
    format_: Annotated[
        str, typer.Option("--format", metavar="NAME", help="text or json.")
    ] = "text",
    output: opt.Output = None,
    verbose: opt.Verbose = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Say which vLLM would be read: version, place, shadow copies, modified files."""
    from mlapath.app.request import TreeRequest
    from mlapath.app.tree import describe_tree

    sinks = parse_sinks(format_, output or [], FORMATS)
    with show_progress(quiet=quiet) as progress:
        found = describe_tree(TreeRequest(tree, python), progress)
    emit(sinks, lambda name, stdout: _render(found, name, verbose, for_stdout=stdout))


def _render(found: TreeReport, name: str, verbosity: int, *, for_stdout: bool) -> str:
    if name == "json":
        from mlapath.report.json_report import render_tree

        return render_tree(found)
    from mlapath.report.text import print_blocks
    from mlapath.report.tree_document import tree_blocks

    return capture(
        lambda console: print_blocks(tree_blocks(found, verbosity), console),
        for_stdout=for_stdout,
    )
