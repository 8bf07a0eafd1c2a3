"""``mlapath annotate``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from mlapath.base.errors import ExitCode, UsageError
from mlapath.cli import options as opt
from mlapath.cli.console import capture
from mlapath.cli.output import emit, parse_sinks
from mlapath.cli.progress import show_progress

if TYPE_CHECKING:
    from mlapath.findings.annotated import AnnotatedFile

FORMATS = ("text", "json", "html")


def annotate(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A file of the vLLM tree: a path, or a name that only one file has.",
            show_default=False,
        ),
    ],
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
    batch: opt.Batch = None,
    only_path: Annotated[
        bool, typer.Option("--only-path", help="Fold the lines that never run.")
    ] = False,
    format_: Annotated[
        str, typer.Option("--format", metavar="NAME", help="text, json or html.")
    ] = "text",
    output: opt.Output = None,
    no_cache: opt.NoCache = False,
    quiet: opt.Quiet = False,
) -> int:
    """Print a file's source with the verdict of each line, and guards with their values.

    mlapath annotate mla_attention.py --config DIR --only-path -- vllm serve MODEL
    """
    from mlapath.app.annotate import AnnotateRequest
    from mlapath.app.annotate import annotate as answer
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
        batch=batch,
    )
    asked = gather(words, TreeRequest(vllm, python, use_cache=not no_cache))
    if len(asked.scenarios) != 1:
        raise UsageError("annotate answers for one device at a time")
    with show_progress(quiet=quiet) as progress:
        found = answer(AnnotateRequest(asked.tree, asked.scenarios[0], file), progress)
    emit(sinks, lambda name, stdout: _render(found, name, only_path, for_stdout=stdout))
    return ExitCode.OK


def _render(found: AnnotatedFile, name: str, only_path: bool, *, for_stdout: bool) -> str:
    from mlapath.report import annotated as report

    if name == "json":
        return report.render_annotated_json(found, only_path=only_path)
    if name == "html":
        return report.render_annotated_html(found, only_path=only_path)
    return capture(
        lambda console: report.render_annotated(found, console, only_path=only_path),
        for_stdout=for_stdout,
    )
