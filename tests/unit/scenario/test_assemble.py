import json

import pytest

from mlapath.base.errors import ConfigError, UsageError
from mlapath.scenario.assemble import ScenarioWords, assemble
from mlapath.scenario.batch import parse_batch
from mlapath.scenario.devices import parse_device


@pytest.fixture
def config(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps({"index_topk": 2048, "x": 1}))
    return str(tmp_path)


def test_everything_together(config):
    words = ScenarioWords(
        config=config,
        devices=["H100", "9.0", "h100"],
        engine=["VLLM_A=1", "VLLM_B=1", "vllm", "serve", "org/m", "-tp", "8"],
        env=["VLLM_B=2"],
        inherited_env={"VLLM_C": "3"},
        present=["deep_gemm==2.1"],
        absent=["flashinfer"],
        sets=["x=2"],
        unsets=["index_topk"],
        targets=["forward_mha"],
        batch="600+1@100x8",
    )
    first, second = assemble(words)
    assert (first.device.name, second.device.name) == ("h100", "9.0")
    assert first.config is second.config
    assert first.config.values == {"x": 2}
    assert (first.model, first.flags) == ("org/m", ("-tp", "8"))
    assert first.env == {"VLLM_A": "1", "VLLM_B": "2"}
    assert first.inherited_env == {"VLLM_C": "3"}
    assert first.packages.present == {"deep_gemm": "2.1"}
    assert first.packages.absent == ("flashinfer",)
    assert first.targets == ("forward_mha",)
    assert first.batch == parse_batch("600+1@100x8")


def test_defaults(config):
    (scenario,) = assemble(ScenarioWords(config=config), lambda: parse_device("b200"))
    assert scenario.device.name == "b200"
    assert scenario.targets == ("forward_mha", "forward_mqa")
    assert scenario.batch is None


def test_a_pasted_line_may_name_the_folder(config):
    (scenario,) = assemble(ScenarioWords(devices=["cpu"], engine=["vllm", "serve", config]))
    assert scenario.config.label == config


@pytest.mark.parametrize("engine", [[], ["-tp", "8"], ["vllm", "serve", "org/model"]])
def test_without_a_configuration(engine):
    with pytest.raises(UsageError, match="--config is needed"):
        assemble(ScenarioWords(devices=["cpu"], engine=engine))


def test_a_wrong_word_is_told_before_files_are_read():
    with pytest.raises(UsageError, match="--batch"):
        assemble(ScenarioWords(config="none.json", devices=["h100"], batch="1@"))
    with pytest.raises(UsageError, match="unknown device"):
        assemble(ScenarioWords(config="none.json", devices=["h1000"]))
    with pytest.raises(ConfigError, match=r"none\.json: no such file"):
        assemble(ScenarioWords(config="none.json", devices=["h100"]))
