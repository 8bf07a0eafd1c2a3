from dataclasses import replace

from mlapath.app.plugins import plugin_notes, plugins_of
from mlapath.source.metadata import EntryPoint
from support.eras import era_tree

OWN = EntryPoint("vllm.general_plugins", "own", "vllm.plugins.x:register", "vllm")
OTHER = EntryPoint("vllm.platform_plugins", "oot", " vllm_oot : register", "vllm-oot")


def test_the_plugins_of_other_packages():
    tree = replace(era_tree("0.16"), plugins=(OWN, OTHER))
    assert plugins_of(tree) == (OTHER,)
    assert plugin_notes(tree) == (
        "vllm-oot extends vLLM (vllm.platform_plugins: oot); its code is not read",
    )
    assert plugins_of(era_tree("0.16")) == ()


def test_the_package_that_is_imported_for_a_plugin():
    assert (OWN.package, OTHER.package) == ("vllm", "vllm_oot")
