"""``mlapath analyze``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from mlapath.base.errors import ExitCode
from mlapath.base.verdict import Verdict
from mlapath.cli import options as opt
from mlapath.cli.console import capture
from mlapath.cli.output import emit, parse_sinks
from mlapath.cli.progress import show_progress
from mlapath.cli.recall import keep

if TYPE_CHECKING:
    from mlapath.app.ask import Answer
    from mlapath.app.request import AnalyzeRequest
    from mlapath.ci.expect import Mismatch
    from mlapath.findings.model import Report
    from mlapath.source import Progress

FORMATS = ("text", "json", "markdown")


def analyze(
    context: typer.Context,
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
    batch: opt.Batch = None,
    expect: opt.Expect = None,
    format_: opt.Format = "text",
    output: opt.Output = None,
    strict: opt.Strict = False,
    no_cache: opt.NoCache = False,
    verbose: opt.Verbose = 0,
    quiet: opt.Quiet = False,
) -> int:
    """Say which attention backend is selected, which paths can run, and why.

    After -- stand engine flags as vllm serve takes them, or a whole pasted command line:
    mlapath analyze --config DIR -- VLLM_X=1 vllm serve MODEL --kv-cache-dtype fp8
    """
    from mlapath.app.request import AnalyzeRequest, TreeRequest
    from mlapath.ci.expect import find_mismatches, parse_expectations
    from mlapath.cli.scenarios import gather
    from mlapath.findings.strict import apply_strict
    from mlapath.scenario.assemble import ScenarioWords

    sinks = parse_sinks(format_, output or [], FORMATS)
    expectations = parse_expectations(expect or [])
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
        more_targets=[e.target for e in expectations],
        batch=batch,
    )
    asked = gather(words, TreeRequest(vllm, python, use_cache=not no_cache))
    scenarios, tree = asked.scenarios, asked.tree
    with show_progress(quiet=quiet) as progress:
        answers, lost = _answers([AnalyzeRequest(tree, x) for x in scenarios], progress)
    sys.stderr.write(lost.lines)
    if not answers:
        return lost.code
    reports = [answer.report for answer in answers]
    if strict:
        reports = [apply_strict(report) for report in reports]
    verbosity = -1 if quiet else verbose
    texts = emit(sinks, lambda name, stdout: _render(reports, name, verbosity, for_stdout=stdout))
    lines, code = _verdict(reports, find_mismatches(reports, expectations), strict=strict)
    sys.stderr.write(lines)
    if lost.code:
        return lost.code
    folders = dict.fromkeys(folder for answer in answers for folder in answer.folders)
    if not asked.named:  # the project's file is not among what is watched
        keep(context.obj.words, scenarios[0].config.files, folders, (texts, lines, code))
    return code


@dataclass(frozen=True)
class _Lost:
    """What is to be said of questions that have no answer."""

    lines: str = ""
    code: ExitCode = ExitCode.OK


def _answers(requests: Sequence[AnalyzeRequest], progress: Progress) -> tuple[list[Answer], _Lost]:
    """The answers that could be had.

    Raises:
        MlapathError: the only one could not be had.
    """
    if len(requests) == 1:
        from mlapath.app.ask import ask

        return [ask(requests[0], progress)], _Lost()
    from mlapath.app.parallel import ask_all

    told = ask_all(requests, progress=progress)
    answers = [x.answer for x in told if x.answer is not None]
    asked = [request.scenario.device.name for request in requests]
    errors = {name: x for name, x in zip(asked, told, strict=True) if x.error is not None}
    if not answers and len({x.error for x in errors.values()}) == 1:  # nothing about the devices
        errors = {"": told[0]}
    lines = "".join(f"mlapath: {name}{': ' if name else ''}{x.error}\n"
                    for name, x in errors.items())  # fmt: skip
    return answers, _Lost(lines, max((x.code for x in errors.values()), default=ExitCode.OK))


def _render(reports: Sequence[Report], name: str, verbosity: int, *, for_stdout: bool) -> str:
    if name == "json":
        from mlapath.report.json_report import render_reports

        return render_reports(reports)
    if name == "markdown":
        from mlapath.report.markdown import render_markdown

        return render_markdown(reports, verbosity)
    from mlapath.report.text import render_text

    return capture(lambda console: render_text(reports, console, verbosity), for_stdout=for_stdout)


def _verdict(
    reports: Sequence[Report], mismatches: Sequence[Mismatch], *, strict: bool
) -> tuple[str, ExitCode]:
    """The lines for standard error, and the exit code.

    A contradicted expectation comes first, then a missing proof, then the rest.
    """
    from mlapath.findings.strict import is_complete

    lines = "".join(f"mlapath: {mismatch}\n" for mismatch in mismatches)
    contradicted = any(m.found is not Verdict.UNPROVEN for m in mismatches)
    if strict and not contradicted and not all(is_complete(report) for report in reports):
        lines += "mlapath: incomplete: not everything could be proved (--strict)\n"
        return lines, ExitCode.INCOMPLETE
    return lines, ExitCode.GATE_FAILED if mismatches else ExitCode.OK
