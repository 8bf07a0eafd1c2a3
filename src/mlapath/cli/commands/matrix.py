"""``mlapath matrix`` and ``mlapath merge``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mlapath.base.errors import ExitCode, UsageError
from mlapath.cli import options as opt
from mlapath.cli.console import capture
from mlapath.cli.output import Sink, emit, parse_sinks
from mlapath.cli.progress import show_progress

if TYPE_CHECKING:
    from mlapath.findings.matrix import Matrix

FORMATS = ("text", "json", "csv", "markdown")
MOST_BYTES = 256 * 1024**2

Configs = Annotated[
    list[str] | None,
    typer.Option("--config", metavar="PATH", show_default=False,
                 help="A model's config.json, or the folder that has it; or a scenario of "
                 "mlapath.toml. Repeatable."),
]  # fmt: skip
Trees = Annotated[
    list[str] | None,
    typer.Option("--vllm", metavar="TREE,TREE,…", show_default=False,
                 help="vLLMs to compare, in order: versions, folders or archives, or FIRST..LAST "
                 "for every final release between two versions. Repeatable."),
]  # fmt: skip
Format = Annotated[
    str, typer.Option("--format", metavar="NAME", help="text, json, csv or markdown.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, show_default=False,
                 help="Processes. Default: one for each core."),
]  # fmt: skip
ShardOf = Annotated[
    str | None,
    typer.Option("--shard", metavar="I/N", show_default=False,
                 help="Answer only the I-th of N parts; merge joins their JSON."),
]  # fmt: skip


def matrix(
    context: typer.Context,
    config: Configs = None,
    vllm: Trees = None,
    python: opt.Python = None,
    device: opt.Device = None,
    env: opt.Env = None,
    inherit_env: opt.InheritEnv = False,
    with_: opt.With = None,
    without: opt.Without = None,
    set_: opt.Set = None,
    unset: opt.Unset = None,
    target: opt.Target = None,
    jobs: Jobs = None,
    shard: ShardOf = None,
    format_: Format = "text",
    output: opt.Output = None,
    no_cache: opt.NoCache = False,
    quiet: opt.Quiet = False,
) -> int:
    """Compare answers: every configuration on every device for every vLLM, as a table.

    Exit code 2 where a row has no answer; the other rows are there all the same.
    """
    from mlapath.app.matrix import Sweep, fill, trees_of
    from mlapath.app.request import TreeRequest
    from mlapath.app.shard import Shard, parse_shard
    from mlapath.cli.scenarios import gather
    from mlapath.scenario.assemble import ScenarioWords

    sinks = parse_sinks(format_, output or [], FORMATS)
    part = Shard() if shard is None else parse_shard(shard)
    scenarios = tuple(
        scenario
        for path in (config or (None,))
        for scenario in gather(ScenarioWords(
            config=path, devices=device or [], engine=context.obj.engine, env=env or [],
            inherited_env=dict(os.environ) if inherit_env else {},
            present=with_ or [], absent=without or [], sets=set_ or [], unsets=unset or [],
            targets=target or [],
        ), TreeRequest()).scenarios
    )  # fmt: skip
    sweep = Sweep(scenarios, trees_of(vllm or []), python, use_cache=not no_cache)
    with show_progress(quiet=quiet) as progress:
        found = fill(sweep, part, jobs, progress)
    return _say(found, sinks)


def merge(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="What matrix --shard wrote as JSON.")
    ],
    format_: Format = "text",
    output: opt.Output = None,
) -> int:
    """Join the parts of a matrix that was split with --shard."""
    from mlapath.findings.matrix import merged

    sinks = parse_sinks(format_, output or [], FORMATS)
    return _say(merged([_part(file) for file in files]), sinks)


def _part(file: Path) -> Matrix:
    import json

    from mlapath.findings.matrix import decode_matrix

    try:
        if file.stat().st_size > MOST_BYTES:
            raise UsageError(f"{file}: larger than {MOST_BYTES // 1024**2} MiB")
        data = json.loads(file.read_bytes())
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: not JSON: {error}") from error
    try:
        return decode_matrix(data)
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from error


def _say(found: Matrix, sinks: Sequence[Sink]) -> ExitCode:
    emit(sinks, lambda name, stdout: _render(found, name, for_stdout=stdout))
    failed = any(row.outcome == "error" for row in found.rows)
    return ExitCode.USAGE if failed else ExitCode.OK


def _render(found: Matrix, name: str, *, for_stdout: bool) -> str:
    if name == "json":
        from mlapath.report.json_report import render_matrix

        return render_matrix(found)
    from mlapath.report import matrix as tables

    if name == "csv":
        return tables.render_csv(found)
    if name == "markdown":
        return tables.render_matrix_markdown(found)
    return capture(
        lambda console: tables.render_matrix_text(found, console), for_stdout=for_stdout
    )
