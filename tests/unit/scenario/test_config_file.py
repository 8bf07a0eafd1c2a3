import json
import math
import sys

import pytest

from mlapath.base.errors import ConfigError
from mlapath.scenario.config_file import MAX_BYTES, MAX_DEPTH, read_config


def write(folder, data, name="config.json"):
    file = folder / name
    file.write_bytes(data if isinstance(data, bytes) else data.encode())
    return str(file)


def test_a_file_and_its_folder(tmp_path):
    path = write(tmp_path, '{"architectures": ["DeepseekV3ForCausalLM"], "x": 1}')
    for given in (path, str(tmp_path)):
        config = read_config(given)
        assert config.label == given
        assert config.architectures == ("DeepseekV3ForCausalLM",)
        assert config.values["x"] == 1
        assert config.hf_quant_config is None


def test_quantisation_beside_config_json_only(tmp_path):
    write(tmp_path, '{"quantization": {"quant_algo": "NVFP4"}}', "hf_quant_config.json")
    write(tmp_path, "{}")
    other = write(tmp_path, "{}", "other.json")
    assert read_config(str(tmp_path)).hf_quant_config == {"quantization": {"quant_algo": "NVFP4"}}
    assert read_config(other).hf_quant_config is None


def test_architectures_of_a_strange_shape(tmp_path):
    assert read_config(write(tmp_path, '{"architectures": "X"}')).architectures == ()
    assert read_config(write(tmp_path, '{"architectures": [1, "X"]}')).architectures == ("X",)


def test_infinity_is_read_as_vllm_reads_it(tmp_path):
    values = read_config(write(tmp_path, '{"limit": [0.0, Infinity], "n": NaN}')).values
    assert values["limit"] == [0.0, math.inf]
    assert math.isnan(values["n"])


def test_a_key_given_twice_is_noted_and_the_last_wins(tmp_path):
    config = read_config(write(tmp_path, '{"index_topk": 1, "a": {}, "index_topk": 2}'))
    assert config.values["index_topk"] == 2
    assert config.notes == ("config.json: key 'index_topk' is given twice, the last wins",)


def test_deep_but_allowed(tmp_path):
    depth = MAX_DEPTH - 1
    text = '{"a": ' + "[" * depth + '"[[\\"[["' + "]" * depth + "}"
    assert read_config(write(tmp_path, text))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("{", "not valid JSON.*line 1 column 2"),
        ('{"a": 1,}', "not valid JSON"),
        ("[1, 2]", "expected a JSON object, found a list"),
        ("null", "found null"),
        ("true", "found a boolean"),
        ("3.5", "found a number"),
        ('"x"', "found a string"),
        (b'{"a": "\xff"}', r"not UTF-8 text \(byte 7\)"),
        (b"\xef\xbb\xbf{}", "byte-order mark"),
        (b"\x80\x02}q\x00.", "not UTF-8"),
        ("[" * 100_000, "nested deeper than 100"),
        ('{"a": ' * 5_000 + "1" + "}" * 5_000, "nested deeper than 100"),
    ],
)
def test_what_is_refused_in_one_line(tmp_path, data, problem):
    path = write(tmp_path, data)
    with pytest.raises(ConfigError, match=problem) as caught:
        read_config(path)
    assert str(caught.value).startswith(path)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not hasattr(sys, "get_int_max_str_digits"), reason="this Python has no limit")
def test_an_integer_beyond_pythons_limit(tmp_path):
    with pytest.raises(ConfigError, match="Exceeds the limit"):
        read_config(write(tmp_path, '{"a": ' + "9" * 5_000 + "}"))


def test_absent_and_unreadable(tmp_path):
    with pytest.raises(ConfigError, match="no such file"):
        read_config(str(tmp_path / "none.json"))
    with pytest.raises(ConfigError, match=r"no config\.json"):
        read_config(str(tmp_path))
    (tmp_path / "params.json").write_text("{}")
    with pytest.raises(ConfigError, match="Mistral"):
        read_config(str(tmp_path))
    (tmp_path / "config.json").mkdir()
    with pytest.raises(ConfigError, match=r"no config\.json"):
        read_config(str(tmp_path))
    with pytest.raises(ConfigError):
        read_config("a\0b")


def test_too_large(tmp_path):
    file = tmp_path / "config.json"
    with file.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(ConfigError, match="larger than 16 MiB"):
        read_config(str(file))


def test_a_broken_quantisation_file_is_named(tmp_path):
    write(tmp_path, "{}")
    write(tmp_path, "[]", "hf_quant_config.json")
    with pytest.raises(ConfigError, match=r"hf_quant_config\.json: expected a JSON object"):
        read_config(str(tmp_path))


def test_bundled_models_are_readable(models):
    files = sorted(models.glob("*.json"))
    assert len(files) >= 13
    for file in files:
        config = read_config(str(file))
        assert config.architectures, file.name
        assert config.notes == ()
        assert json.loads(file.read_text()) == config.values
