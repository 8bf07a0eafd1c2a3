"""A platform of its own (case file-003): what an installed plugin decides is not settled."""

from dataclasses import replace

import pytest

from mlapath.findings.model import Outcome
from mlapath.source.metadata import EntryPoint
from support.realtree import real_tree, report_of

pytestmark = [pytest.mark.network, pytest.mark.slow]


def extended(version: str, group: str, value: str = "vllm_oot:register", **words):
    tree, companion = real_tree(version)
    plugins = (EntryPoint(group, "oot", value, "vllm-oot"),)
    return report_of(replace(tree, plugins=plugins), companion, "deepseek-v3", "h100", **words)


@pytest.mark.parametrize("version", ["0.16.0", "0.28.0"])
def test_a_platform_plugin_leaves_the_selection_open(version):
    report = extended(version, "vllm.platform_plugins")
    assert report.outcome is Outcome.UNPROVEN
    assert "vllm-oot extends vLLM (vllm.platform_plugins: oot); its code is not read" in (
        report.notes
    )


def test_a_plugin_that_is_switched_off_decides_nothing():
    report = extended("0.28.0", "vllm.platform_plugins", env=["VLLM_PLUGINS=other"])
    assert report.outcome is Outcome.RUNS
    assert [group.backend for group in report.attention] == ["FLASH_ATTN_MLA"]


def test_the_plugins_of_the_tree_are_its_own_code():
    report = extended("0.28.0", "vllm.general_plugins", "vllm.plugins.lora_resolvers.none:at_all")
    assert report.outcome is Outcome.RUNS
    assert not any("extends vLLM" in note for note in report.notes)
