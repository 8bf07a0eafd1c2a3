"""One tree, one scenario, one report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mlapath.app.assumptions import assumptions_of
from mlapath.app.attention import attention_groups
from mlapath.app.build import device_count, make_engine, make_facts, make_program
from mlapath.app.describe import scenario_info, tree_info
from mlapath.app.evaluate import Evaluation, evaluate
from mlapath.app.fit import check_fit
from mlapath.app.flags import KIND as FLAGS
from mlapath.app.flags import Flags
from mlapath.app.other_build import other_build, packages_left_out
from mlapath.app.outcome import conditional_refusals, open_notes, outcome_of, unresolved_guards
from mlapath.app.plugins import plugin_notes
from mlapath.app.settings import settings_of
from mlapath.app.stages import joined
from mlapath.app.targets import check_targets
from mlapath.app.unread import unread_env
from mlapath.cache.store import BlobStore
from mlapath.engine.interp import Engine, run_deep
from mlapath.findings.model import FrontierItem, Outcome, Report
from mlapath.ir.load import load_module
from mlapath.resolve.mentions.kept import KIND as MENTIONS
from mlapath.resolve.mentions.kept import load_mentions
from mlapath.resolve.program import Program
from mlapath.scenario.scenario import Scenario
from mlapath.source import Companion, Progress, SourceTree, silent


@dataclass(frozen=True)
class Reading:
    """A tree with its companion, as far as it was read: many scenarios may share it."""

    tree: SourceTree
    companion: Companion | None
    program: Program
    flags: Flags

    def engine(self, scenario: Scenario, flags: Mapping[str, Any]) -> Engine:
        """An engine for a scenario that has not run anything yet; ``flags``: by field name."""
        config = scenario.config
        facts = make_facts(
            self.tree, self.companion, scenario.device,
            {**scenario.inherited_env, **scenario.env}, scenario.packages, config.values,
            config.hf_quant_config, device_count(flags),
        )  # fmt: skip
        program = self.program
        if other_build(self.tree, scenario.device):
            program = program.without(packages_left_out(self.tree))
        return make_engine(program, facts, config.values, config.removed)


def read_tree(
    tree: SourceTree, companion: Companion | None, store: BlobStore | None = None
) -> Reading:
    """What all scenarios on an open tree have in common.

    ``store`` keeps IR, and its cache also what files mention and what flags mean.
    """
    mentioned = None if store is None else store.beside(MENTIONS)
    flags = None if store is None else store.beside(FLAGS)
    program = make_program(
        tree, companion, lambda text, path: load_module(text, path, store),
        lambda text: load_mentions(text, mentioned),
    )  # fmt: skip
    return Reading(tree, companion, program, Flags(tree, program, flags))


def analyze_tree(
    tree: SourceTree, companion: Companion | None, scenario: Scenario,
    store: BlobStore | None = None, progress: Progress = silent,
) -> Report:  # fmt: skip
    """The report of one scenario on an open tree."""
    return analyze(read_tree(tree, companion, store), scenario, progress)


def analyze(reading: Reading, scenario: Scenario, progress: Progress = silent) -> Report:
    """The report of one scenario."""
    progress("evaluate", 0, None)
    tree, companion = reading.tree, reading.companion
    check_targets(tree, scenario.targets)
    parsed = reading.flags.parse(scenario.flags)

    def stage(rank: int) -> tuple[Report, int]:
        """What a process of a pipeline stage finds, and how many stages there are."""
        found = evaluate(reading.engine(scenario, parsed.engine), parsed.engine, rank)
        check_fit(found, scenario.batch)
        return make_report(tree, companion, scenario, parsed.engine, found), found.stages or 1

    report, count = run_deep(lambda: stage(0))
    reports: list[Report] = [report]
    while len(reports) < count and reports[-1].outcome is not Outcome.REFUSES:
        progress("evaluate", len(reports), count)
        reports.append(run_deep(lambda: stage(len(reports)))[0])
    return _remarked(joined(reports))


def _remarked(report: Report) -> Report:
    """The report with what is to be said of all its layers."""
    if not report.attention or any(group.mla for group in report.attention):
        return report
    note = "no layer of this model uses MLA: forward_mha and forward_mqa do not apply"
    return replace(report, notes=(*report.notes, note))


def make_report(
    tree: SourceTree, companion: Companion | None, scenario: Scenario, flags: Mapping[str, Any],
    found: Evaluation,
) -> Report:  # fmt: skip
    """What an evaluation found, as a report."""
    it = found.engine
    attention = attention_groups(found, scenario)
    outcome, refusal = outcome_of(found, attention.stops)
    reads: set[str] = it.store.get("env_reads", set())
    inherited = {k: v for k, v in scenario.inherited_env.items()
                 if k.startswith("VLLM_") or k in reads}  # fmt: skip
    assumed = assumptions_of(tree, companion, scenario.device)
    return Report(
        tree=tree_info(tree, companion),
        scenario=scenario_info(scenario, flags, inherited),
        outcome=outcome,
        refusal=refusal,
        settings=settings_of(found),
        attention=attention.groups,
        assumptions=assumed,
        unread_env=unread_env(scenario.env, it),
        unresolved=unresolved_guards(found),
        conditional_refusals=conditional_refusals(found),
        notes=(
            *open_notes(found, attention.stops),
            *scenario.config.notes,
            *tree.notes,
            *plugin_notes(tree),
            *it.store.get("notes", ()),
        ),
        frontier=tuple(
            FrontierItem(
                f"{limit.path}:{limit.line}" if limit.line else None, "unknown", limit.why
            )
            for limit in it.trace.limits.values()
            if not limit.path.startswith("<")
        ),
    )
