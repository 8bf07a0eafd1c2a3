"""``mlapath check`` and ``mlapath baseline write``: a project's scenarios on one tree."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

from mlapath.app.blame import blamed
from mlapath.app.parallel import Told, ask_all
from mlapath.app.patches import PatchTargets
from mlapath.app.request import AnalyzeRequest, TreeRequest
from mlapath.app.symbols import TreeSymbols
from mlapath.app.texts import TreeHas, paths_of
from mlapath.base.errors import UsageError
from mlapath.cache import CacheDir
from mlapath.cache.store import BlobStore
from mlapath.ci import rules
from mlapath.ci.compare import Sides, compare
from mlapath.ci.demands import expectation_findings, patch_finding, unread_findings
from mlapath.ci.lock import Asked, Entry, Lock
from mlapath.ci.snapshot import Snapshot
from mlapath.ci.take import take
from mlapath.findings.gate import Checked, Finding, GateResult, Rule
from mlapath.findings.model import Report
from mlapath.findings.strict import apply_strict, is_complete
from mlapath.ir.load import KIND
from mlapath.project import Entry as ProjectEntry
from mlapath.project import Project, scenarios_of
from mlapath.scenario.scenario import Scenario
from mlapath.source import Progress, SourceTree, open_tree, silent


@dataclass(frozen=True)
class Question:
    """A scenario of the project, read."""

    entry: ProjectEntry
    scenario: Scenario


@dataclass(frozen=True)
class Outcome:
    """What a check found; ``complete``: whether every answer was proved."""

    result: GateResult
    complete: bool = True


class Context:
    """The tree that is checked, and what can be looked up in it."""

    def __init__(self, request: TreeRequest, progress: Progress = silent) -> None:
        self.request = request
        cache = CacheDir.default()
        store = BlobStore(cache, KIND) if request.use_cache else None
        self.tree: SourceTree = open_tree(
            request.vllm, cache=cache, python=request.python, progress=progress
        )
        self.symbols = TreeSymbols(self.tree, store)
        self.patches = PatchTargets(self.tree, store)

    @property
    def label(self) -> str:
        """The version, or the folder where nothing tells it."""
        return self.tree.version or str(self.tree.root)

    def has(self, other: Snapshot, *reports: Report) -> TreeHas:
        """Whether the tree has a step's text, in the files that the answers are about."""
        return TreeHas(self.symbols, paths_of(self.tree, other, reports))


def questions(project: Project, entries: Sequence[ProjectEntry]) -> tuple[Question, ...]:
    """Read what the entries name.

    Raises:
        ConfigError, UsageError: one line with the scenario's name; or there is no entry.
    """
    if not entries:
        raise UsageError(f"{project.file} has no scenarios")
    return tuple(Question(entry, scenarios_of(project, entry)[0]) for entry in entries)


def check(
    asked: Sequence[Question],
    project: Project,
    request: TreeRequest,
    lock: Lock | None,
    *,
    strict: bool = False,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Outcome:
    """Answer the questions on one tree, and hold the answers against expectations and baseline.

    Nothing is written.

    Raises:
        TreeError: the tree cannot be found, fetched or read.
    """
    context = Context(request, progress)
    told = _ask(asked, request, jobs, progress)
    checked, complete = [], True
    for question, answer in zip(asked, told, strict=True):
        report = None if answer.answer is None else answer.answer.report
        if report is not None and strict:
            report = apply_strict(report)
            complete = complete and is_complete(report)
        checked.append(_checked(question, answer, report, context, lock, strict=strict))
    if lock is not None:
        known = {entry.name for entry in project.entries}
        checked += [_gone(name) for name in sorted(lock.scenarios) if name not in known]
    result = GateResult(context.label, tuple(checked), _as_seen_from_here(project.file))
    return Outcome(result, complete)


def _as_seen_from_here(file: Path) -> str:
    """The path from the working folder, with forward slashes; the name where there is none."""
    try:
        return Path(os.path.relpath(file)).as_posix()
    except ValueError:  # another drive
        return file.name


@dataclass(frozen=True)
class Written:
    """A new baseline, what could not be answered, and scenarios that the project lacks."""

    lock: Lock
    errors: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


def write(
    asked: Sequence[Question],
    project: Project,
    request: TreeRequest,
    before: Lock,
    *,
    prune: bool = False,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Written:
    """The baseline with new answers to the questions; other scenarios stay as they are.

    ``prune``: drop those that the project no longer has.

    Raises:
        TreeError: the tree cannot be found, fetched or read.
    """
    context = Context(request, progress)
    told = _ask(asked, request, jobs, progress)
    known = {entry.name for entry in project.entries}
    gone = tuple(sorted(name for name in before.scenarios if name not in known))
    entries = {n: e for n, e in before.scenarios.items() if not (prune and n in gone)}
    errors = []
    for question, answer in zip(asked, told, strict=True):
        name = question.entry.name
        if answer.answer is None:
            errors.append(f"{name}: {answer.error}")
            continue
        snapshot = take(answer.answer.report, context.symbols.locate)
        entries[name] = Entry(asked_of(question), snapshot, context.tree.version)
    return Written(Lock(dict(sorted(entries.items()))), tuple(errors), gone)


def asked_of(question: Question) -> Asked:
    """The question as the baseline keeps it."""
    scenario = question.scenario
    values = [dict(scenario.config.values), scenario.config.hf_quant_config]
    digest = blake2b(json.dumps(values, sort_keys=True).encode(), digest_size=16).hexdigest()
    present = (
        name if version is None else f"{name}=={version}"
        for name, version in scenario.packages.present.items()
    )  # fmt: skip
    return Asked(
        config=scenario.config.label,
        config_digest=digest,
        device=scenario.device.name,
        flags=scenario.flags,
        env=dict(scenario.env),
        present=tuple(present),
        absent=tuple(scenario.packages.absent),
        edits=scenario.config.edits,
        batch=None if scenario.batch is None else scenario.batch.spec,
        targets=scenario.targets,
    )


def _ask(
    asked: Sequence[Question], request: TreeRequest, jobs: int | None, progress: Progress
) -> Sequence[Told]:
    requests = [AnalyzeRequest(request, question.scenario) for question in asked]
    return ask_all(requests, jobs, progress)


def _checked(
    question: Question, told: Told, report: Report | None, context: Context, lock: Lock | None,
    *, strict: bool,
) -> Checked:  # fmt: skip
    name = question.entry.name
    patches = tuple(_patches(name, question.entry.patches, context.patches))
    if report is None:
        error = told.error or "there is no answer"
        if not told.rejected:
            return Checked(name, patches, error)
        rejected = Finding(rules.REJECTED, rules.REJECTED.severity, name, "scenario", error)
        return Checked(name, (rejected, *patches))
    found = [*expectation_findings(name, report, question.entry.expect), *patches]
    entry = None if lock is None else lock.scenarios.get(name)
    unread = list(unread_findings(name, report))
    if entry is None:
        if lock is not None:
            found.append(_plain(rules.NEW, name, "the baseline does not have this scenario"))
        return Checked(name, (*found, *unread))
    if entry.asked != asked_of(question):
        found.append(_plain(rules.ASKED, name, "the scenario is not the one of the baseline"))
    before = entry.answer

    def against(after: Report) -> tuple[Finding, ...]:
        new = take(after, context.symbols.locate)
        return compare(Sides(name, before, new, after, new_has=context.has(before, after)))

    request = AnalyzeRequest(context.request, question.scenario)
    compared = blamed(
        against(report), before, report, request,
        lambda other: against(apply_strict(other) if strict else other),
    )  # fmt: skip
    known = {item.subject: item for item in unread}
    return Checked(name, (*found, *(_hinted(finding, known) for finding in compared)))


def _hinted(finding: Finding, unread: dict[str, Finding]) -> Finding:
    """A finding about an unread name with the names that are near."""
    if finding.rule is rules.UNREAD and finding.subject in unread:
        return replace(finding, message=unread[finding.subject].message)
    return finding


def _patches(name: str, patches: Sequence[str], targets: PatchTargets) -> Iterator[Finding]:
    for patch in patches:
        there = targets.exists(patch)
        if there is not True:
            near = targets.suggestions(patch)
            yield patch_finding(name, patch, certain=there is False, suggestions=near)


def _gone(name: str) -> Checked:
    return Checked(name, (_plain(rules.GONE, name, "the project no longer has this scenario"),))


def _plain(rule: Rule, name: str, message: str) -> Finding:
    return Finding(rule, rule.severity, name, "scenario", message)
