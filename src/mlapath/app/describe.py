"""The inputs of an analysis, as its report states them."""

from __future__ import annotations

from collections.abc import Mapping

from mlapath.findings.model import ScenarioInfo, TreeInfo
from mlapath.scenario.config_file import JsonValue
from mlapath.scenario.scenario import Scenario
from mlapath.source import Companion, SourceTree


def tree_info(tree: SourceTree, companion: Companion | None = None) -> TreeInfo:
    """State which source was read."""
    beside = {} if companion is None else {companion.name: companion.version}
    return TreeInfo(tree.version, tree.origin, str(tree.root), tree.digest, tree.modified, beside)


def scenario_info(
    scenario: Scenario, engine_args: Mapping[str, JsonValue], inherited: Mapping[str, str]
) -> ScenarioInfo:
    """State what was asked.

    ``engine_args``: the flags by field name, as the tree's own parser understood them.
    ``inherited``: of the caller's environment, what the tree read.
    """
    return ScenarioInfo(
        config=scenario.config.label,
        architectures=scenario.config.architectures,
        device=scenario.device,
        engine_args=engine_args,
        env={**dict(sorted(inherited.items())), **scenario.env},
        packages=scenario.packages,
        batch=None if scenario.batch is None else scenario.batch.spec,
        edits=scenario.config.edits,
    )
