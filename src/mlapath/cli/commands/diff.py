"""``mlapath diff``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mlapath.base.errors import ExitCode, UsageError
from mlapath.cli import options as opt
from mlapath.cli.console import capture
from mlapath.cli.output import emit, parse_sinks
from mlapath.cli.progress import show_progress
from mlapath.cli.projects import Jobs

if TYPE_CHECKING:
    from mlapath.findings.diff import Diff

FORMATS = ("text", "json", "markdown")


def diff(
    context: typer.Context,
    tree_a: Annotated[
        str, typer.Argument(metavar="TREE_A", help="The first tree, as --vllm takes it.")
    ],
    tree_b: Annotated[str, typer.Argument(metavar="TREE_B", help="The second tree.")],
    all_between: Annotated[
        bool,
        typer.Option("--all-between", help="Both are versions: compare every final release from "
                     "the first to the second with the one before it."),
    ] = False,
    config: opt.Config = None,
    python: opt.Python = None,
    device: opt.Device = None,
    env: opt.Env = None,
    inherit_env: opt.InheritEnv = False,
    with_: opt.With = None,
    without: opt.Without = None,
    set_: opt.Set = None,
    unset: opt.Unset = None,
    target: opt.Target = None,
    format_: opt.Format = "text",
    output: opt.Output = None,
    jobs: Jobs = None,
    no_cache: opt.NoCache = False,
    verbose: opt.Verbose = 0,
    quiet: opt.Quiet = False,
) -> int:  # fmt: skip
    """Say what differs in the attention path between two vLLMs, and what it comes from.

    Both evidence chains are shown side by side; edits of layout and comments are no difference.
    After -- stand engine flags as for analyze.
    """
    from mlapath.app.diff import diff as answer
    from mlapath.app.matrix import trees_of
    from mlapath.app.request import TreeRequest
    from mlapath.cli.scenarios import gather
    from mlapath.scenario.assemble import ScenarioWords

    sinks = parse_sinks(format_, output or [], FORMATS)
    words = ScenarioWords(
        config=config,
        devices=device or [],
        engine=context.obj.engine,
        env=env or [],
        inherited_env=dict(os.environ) if inherit_env else {},
        present=with_ or [],
        absent=without or [],
        sets=set_ or [],
        unsets=unset or [],
        targets=target or [],
    )
    base = TreeRequest(tree_a, python, use_cache=not no_cache)
    asked = gather(words, base)
    scenarios = list(zip(asked.names, asked.scenarios, strict=True))
    trees = [tree_a, tree_b]
    if all_between:
        trees = [tree for tree in trees_of([f"{tree_a}..{tree_b}"]) if tree is not None]
        if len(trees) < 2:
            raise UsageError(f"no two releases lie between {tree_a} and {tree_b}")
    with show_progress(quiet=quiet) as progress:
        found = answer(trees, scenarios, base, jobs=jobs, progress=progress)
    verbosity = -1 if quiet else verbose
    emit(sinks, lambda name, stdout: _render(found, name, verbosity, for_stdout=stdout))
    errors = [s.error for step in found.steps for s in step.scenarios if s.error is not None]
    for error in dict.fromkeys(errors):
        sys.stderr.write(f"mlapath: {error}\n")
    return ExitCode.USAGE if errors else ExitCode.OK


def _render(found: Diff, name: str, verbosity: int, *, for_stdout: bool) -> str:
    if name == "json":
        from mlapath.report.json_report import render_diff

        return render_diff(found)
    from mlapath.report.diff_document import diff_blocks

    if name == "markdown":
        from mlapath.report.markdown import blocks_text

        return blocks_text(diff_blocks(found, verbosity))
    from mlapath.report.text import print_blocks

    return capture(
        lambda console: print_blocks(diff_blocks(found, verbosity), console),
        for_stdout=for_stdout,
    )
