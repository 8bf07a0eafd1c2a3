"""``mlapath check``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from mlapath.base.errors import ExitCode
from mlapath.cli import options as opt
from mlapath.cli import projects as own
from mlapath.cli.console import capture
from mlapath.cli.gate_formats import FORMATS, render
from mlapath.cli.output import emit, parse_sinks
from mlapath.cli.progress import show_progress

if TYPE_CHECKING:
    from mlapath.app.gate import Outcome
    from mlapath.ci.fail_on import FailOn
    from mlapath.findings.gate import GateResult

FailOnOption = Annotated[
    list[str] | None,
    typer.Option("--fail-on", metavar="WHAT", show_default=False,
                 help="What makes the exit code 1: error, warning or note (that and what is "
                 "graver), never, or a rule by its id or name. Repeatable. Default: what the "
                 "project says, else error."),
]  # fmt: skip
Format = Annotated[str, typer.Option("--format", metavar="NAME", help=f"{', '.join(FORMATS)}.")]


def check(
    project: own.ProjectFile = None,
    scenario: own.Scenarios = None,
    vllm: opt.Vllm = None,
    python: opt.Python = None,
    baseline: own.BaselineFile = None,
    fail_on: FailOnOption = None,
    format_: Format = "text",
    output: opt.Output = None,
    strict: opt.Strict = False,
    jobs: own.Jobs = None,
    no_cache: opt.NoCache = False,
    verbose: opt.Verbose = 0,
    quiet: opt.Quiet = False,
) -> int:
    """Check the scenarios of mlapath.toml on one vLLM: expectations, patches, and the baseline.

    Without --vllm and --python the project's tree is read, else the installed one. Nothing is
    written: mlapath baseline write does that.
    """
    from mlapath.app.gate import check as answer
    from mlapath.app.gate import questions
    from mlapath.ci.fail_on import DEFAULT, parse_fail_on
    from mlapath.project import select_entries

    sinks = parse_sinks(format_, output or [], FORMATS)
    found = own.open_project(project)
    gate = parse_fail_on(fail_on or (DEFAULT if found.fail_on is None else found.fail_on))
    asked = questions(found, select_entries(found, scenario or []))
    file = own.baseline_path(found, baseline)
    lock = own.read_baseline(file, required=baseline is not None)
    request = own.tree_of(found, vllm, python, use_cache=not no_cache)
    with show_progress(quiet=quiet) as progress:
        outcome = answer(asked, found, request, lock, strict=strict, jobs=jobs, progress=progress)
    verbosity = -1 if quiet else verbose
    emit(sinks, lambda name, out: _render(outcome.result, name, verbosity, for_stdout=out))
    if lock is None:
        sys.stderr.write(
            f"mlapath: there is no {file.name}: only expectations and patches were checked "
            "(mlapath baseline write)\n"
        )
    return _exit_code(outcome, gate, strict=strict)


def _render(result: GateResult, name: str, verbosity: int, *, for_stdout: bool) -> str:
    if name != "text":
        return render(result, name)
    from mlapath.report.gate_document import gate_blocks
    from mlapath.report.text import print_blocks

    return capture(
        lambda console: print_blocks(gate_blocks(result, verbosity), console),
        for_stdout=for_stdout,
    )


def _exit_code(outcome: Outcome, gate: FailOn, *, strict: bool) -> ExitCode:
    """A gate that does not hold comes first, then a scenario without an answer, then a proof."""
    failing = gate.failing(outcome.result)
    if failing:
        number = f"{len(failing)} finding{'' if len(failing) == 1 else 's'}"
        sys.stderr.write(f"mlapath: check failed: {number}\n")
        return ExitCode.GATE_FAILED
    errors = [c for c in outcome.result.scenarios if c.error is not None]
    for checked in errors:
        sys.stderr.write(f"mlapath: {checked.scenario}: not checked: {checked.error}\n")
    if errors:
        return ExitCode.USAGE
    if strict and not outcome.complete:
        sys.stderr.write("mlapath: incomplete: not everything could be proved (--strict)\n")
        return ExitCode.INCOMPLETE
    return ExitCode.OK
