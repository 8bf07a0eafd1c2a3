"""``mlapath diff``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from mlapath.base.errors import ExitCode, UsageError
from mlapath.cli import options as opt
from mlapath.cli import projects as own
from mlapath.cli.console import capture
from mlapath.cli.output import emit, parse_sinks
from mlapath.cli.progress import show_progress

if TYPE_CHECKING:
    from mlapath.app.request import TreeRequest
    from mlapath.findings.diff import Diff
    from mlapath.report.blocks import Block
    from mlapath.scenario.assemble import ScenarioWords

FORMATS = ("text", "json", "markdown")


def diff(
    context: typer.Context,
    first: Annotated[
        str, typer.Argument(metavar="A", help="With --config a vLLM, as --vllm takes it; without "
                            "it what --config takes: a scenario or a configuration.")
    ],
    second: Annotated[str, typer.Argument(metavar="B", help="What it is compared with.")],
    all_between: Annotated[
        bool,
        typer.Option("--all-between", help="Both are versions: compare every final release from "
                     "the first to the second with the one before it."),
    ] = False,
    summary: Annotated[
        bool,
        typer.Option("--summary", help="Only what the deployment does otherwise (outcome, "
                     "backends, verdicts, thresholds, settings, layers), a line for each change; "
                     "scenarios that change alike share it."),
    ] = False,
    project: own.ProjectFile = None,
    config: opt.Config = None,
    vllm: opt.Vllm = None,
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
    jobs: own.Jobs = None,
    no_cache: opt.NoCache = False,
    verbose: opt.Verbose = 0,
    quiet: opt.Quiet = False,
) -> int:  # fmt: skip
    """Say what differs in the attention path between two vLLMs, and what it comes from.

    Or between two scenarios on one vLLM. Both evidence chains are shown side by side; edits of
    layout and comments are no difference. After -- stand engine flags as for analyze.
    """
    from mlapath.app.request import TreeRequest
    from mlapath.ci.changes import changes
    from mlapath.report.diff_document import diff_blocks
    from mlapath.report.diff_summary import summary_blocks
    from mlapath.scenario.assemble import ScenarioWords, names_config

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
    request = TreeRequest(vllm, python, use_cache=not no_cache)
    if not names_config(words):
        if all_between:
            raise UsageError("--all-between walks over vLLMs: name a configuration with --config")
        found = _scenarios(words, (first, second), request, project, jobs, quiet=quiet)
    else:
        if vllm is not None:
            raise UsageError("--vllm is for two scenarios; with --config A and B are the vLLMs")
        trees = [first, second]
        if all_between:
            trees = _every_release(first, second)
        found = _trees(words, trees, request, project, jobs, quiet=quiet)
    verbosity = -1 if quiet else verbose
    blocks = (
        partial(summary_blocks, found, [changes(step) for step in found.steps])
        if summary
        else partial(diff_blocks, found, verbosity)
    )
    emit(sinks, lambda name, stdout: _render(found, blocks, name, for_stdout=stdout))
    errors = [s.error for step in found.steps for s in step.scenarios if s.error is not None]
    for error in dict.fromkeys(errors):
        sys.stderr.write(f"mlapath: {error}\n")
    return ExitCode.USAGE if errors else ExitCode.OK


def _trees(
    words: ScenarioWords, trees: Sequence[str], request: TreeRequest, project: str | None,
    jobs: int | None, *, quiet: bool,
) -> Diff:  # fmt: skip
    from dataclasses import replace

    from mlapath.app.diff import diff as answer
    from mlapath.cli.scenarios import gather

    base = replace(request, vllm=trees[0])
    asked = gather(words, base, project)
    scenarios = list(zip(asked.names, asked.scenarios, strict=True))
    with show_progress(quiet=quiet) as progress:
        return answer(trees, scenarios, base, jobs=jobs, progress=progress)


def _every_release(first: str, last: str) -> list[str]:
    from mlapath.app.matrix import trees_of

    found = [tree for tree in trees_of([f"{first}..{last}"]) if tree is not None]
    if len(found) < 2:
        raise UsageError(f"no two releases lie between {first} and {last}")
    return found


def _scenarios(
    words: ScenarioWords, names: tuple[str, str], request: TreeRequest, project: str | None,
    jobs: int | None, *, quiet: bool,
) -> Diff:  # fmt: skip
    from mlapath.app.diff import diff_scenarios
    from mlapath.cli.scenarios import gather_pairs

    pairs, tree = gather_pairs(words, names, request, project)
    with show_progress(quiet=quiet) as progress:
        return diff_scenarios(pairs, tree, jobs=jobs, progress=progress)


def _render(
    found: Diff, blocks: Callable[[], Iterator[Block]], name: str, *, for_stdout: bool
) -> str:
    if name == "json":
        from mlapath.report.json_report import render_diff

        return render_diff(found)
    if name == "markdown":
        from mlapath.report.markdown import blocks_text

        return blocks_text(blocks())
    from mlapath.report.text import print_blocks

    return capture(lambda console: print_blocks(blocks(), console), for_stdout=for_stdout)
