"""``mlapath fires``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from mlapath.base.errors import ExitCode, UsageError
from mlapath.cli import options as opt
from mlapath.cli.console import capture
from mlapath.cli.output import emit, parse_sinks
from mlapath.cli.progress import show_progress

if TYPE_CHECKING:
    from mlapath.ci.expect import Mismatch
    from mlapath.findings.fires import FiresReport

FORMATS = ("text", "json")


def fires(
    context: typer.Context,
    location: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LOCATION...",
            help="FILE:LINE, FILE:A-B, or a function: module.Class.func, Class.func, func.",
            show_default=False,
        ),
    ] = None,
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
    expect: opt.Expect = None,
    format_: opt.Format = "text",
    output: opt.Output = None,
    no_cache: opt.NoCache = False,
    verbose: opt.Verbose = 0,
    quiet: opt.Quiet = False,
) -> int:
    """Say whether the Python of a line or function will ever run, in which phase, and why.

    A print that stays silent: mlapath fires flashmla.py:250 --config DIR -- vllm serve MODEL
    """
    from mlapath.app.fires import FiresRequest
    from mlapath.app.fires import fires as answer
    from mlapath.app.request import TreeRequest
    from mlapath.ci.expect import parse_expectations
    from mlapath.ci.expect_fires import find_fires_mismatches
    from mlapath.cli.scenarios import gather
    from mlapath.scenario.assemble import ScenarioWords

    sinks = parse_sinks(format_, output or [], FORMATS)
    expectations = parse_expectations(expect or [])
    places = tuple(dict.fromkeys((*(location or ()), *(e.target for e in expectations))))
    if not places:
        raise UsageError("which line? Give FILE:LINE or a function")
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
    with show_progress(quiet=quiet) as progress:
        reports = [answer(FiresRequest(asked.tree, s, places), progress) for s in asked.scenarios]
    verbosity = -1 if quiet else verbose
    emit(sinks, lambda name, stdout: _render(reports, name, verbosity, for_stdout=stdout))
    return _exit_code(tuple(find_fires_mismatches(reports, expectations)))


def _render(reports: Sequence[FiresReport], name: str, verbosity: int, *, for_stdout: bool) -> str:
    from mlapath.report.fires_text import render_fires_json, render_fires_text

    if name == "json":
        return render_fires_json(reports)
    return capture(
        lambda console: render_fires_text(reports, console, verbosity), for_stdout=for_stdout
    )


def _exit_code(mismatches: Sequence[Mismatch]) -> ExitCode:
    for mismatch in mismatches:
        sys.stderr.write(f"mlapath: {mismatch}\n")
    return ExitCode.GATE_FAILED if mismatches else ExitCode.OK
