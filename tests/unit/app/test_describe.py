from mlapath.app.describe import scenario_info, tree_info
from mlapath.scenario.batch import parse_batch
from mlapath.scenario.config_file import ModelConfig
from mlapath.scenario.devices import parse_device
from mlapath.scenario.packages import PackageFacts
from mlapath.scenario.scenario import Scenario
from mlapath.source import SourceTree, open_tree


def test_scenario():
    packages = PackageFacts({"a": "1"}, ("b",))
    scenario = Scenario(
        ModelConfig("c.json", {"architectures": ["X"]}, edits=("--unset y",)),
        parse_device("h100"),
        flags=("-tp", "8"),
        env={"VLLM_A": "1"},
        inherited_env={"HOME": "x", "VLLM_B": "2"},
        packages=packages,
        batch=parse_batch("37"),
    )
    info = scenario_info(scenario, {"tensor_parallel_size": 8}, {"VLLM_B": "2", "VLLM_A": "0"})
    assert (info.config, info.architectures, info.edits) == ("c.json", ("X",), ("--unset y",))
    assert info.env == {"VLLM_A": "1", "VLLM_B": "2"}
    assert info.engine_args == {"tensor_parallel_size": 8}
    assert (info.packages, info.batch, info.device.name) == (packages, "37", "h100")


def test_tree(tmp_path):
    (tmp_path / "vllm").mkdir()
    (tmp_path / "vllm" / "__init__.py").write_text("")
    tree = open_tree(tmp_path, cache=None)
    assert isinstance(tree, SourceTree)
    info = tree_info(tree)
    assert (info.origin, info.root, info.modified) == ("directory", str(tmp_path), ())
    assert info.digest == tree.digest
