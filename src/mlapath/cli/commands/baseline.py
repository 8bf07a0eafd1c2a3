"""``mlapath baseline write``."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from mlapath.base.errors import ExitCode
from mlapath.cli import options as opt
from mlapath.cli import projects as own
from mlapath.cli.output import write_file, write_stdout
from mlapath.cli.progress import show_progress

baseline_app = typer.Typer(
    help="Keep today's answers, so that check can compare with them.", rich_markup_mode=None
)


@baseline_app.callback()
def _group() -> None:
    """Keep today's answers, so that check can compare with them."""


@baseline_app.command("write")
def write(
    project: own.ProjectFile = None,
    scenario: own.Scenarios = None,
    vllm: opt.Vllm = None,
    python: opt.Python = None,
    baseline: own.BaselineFile = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Drop scenarios that the project no longer has.")
    ] = False,
    jobs: own.Jobs = None,
    no_cache: opt.NoCache = False,
    quiet: opt.Quiet = False,
) -> int:
    """Answer the scenarios of mlapath.toml on one vLLM and keep the answers in the baseline.

    Scenarios that are not asked for keep the answers that they have. If one has no answer,
    nothing is written.
    """
    from mlapath.app.gate import questions
    from mlapath.app.gate import write as answer
    from mlapath.ci.lock import Lock, render_lock
    from mlapath.project import select_entries

    found = own.open_project(project)
    asked = questions(found, select_entries(found, scenario or []))
    file = own.baseline_path(found, baseline)
    before = own.read_baseline(file, required=False) or Lock()
    request = own.tree_of(found, vllm, python, use_cache=not no_cache)
    with show_progress(quiet=quiet) as progress:
        made = answer(asked, found, request, before, prune=prune, jobs=jobs, progress=progress)
    for error in made.errors:
        sys.stderr.write(f"mlapath: {error}\n")
    if made.errors:
        return ExitCode.USAGE
    write_file(file, render_lock(made.lock))
    if made.gone and not prune:
        names = ", ".join(made.gone)
        sys.stderr.write(f"mlapath: the project no longer has {names} (--prune drops it)\n")
    if not quiet:
        number = f"{len(asked)} scenario{'' if len(asked) == 1 else 's'}"
        versions = {made.lock.scenarios[question.entry.name].vllm for question in asked}
        of = ", ".join(sorted(version or "of unknown version" for version in versions))
        write_stdout(f"wrote {file}: {number}, vLLM {of}\n")
    return ExitCode.OK
