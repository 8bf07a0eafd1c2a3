import pytest

from mlapath.base.errors import ConfigError, UsageError
from mlapath.scenario.config_edit import edit_config
from mlapath.scenario.config_file import ModelConfig


def edited(values, sets=(), unsets=()):
    return edit_config(ModelConfig("c", values), sets, unsets).values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("k=2048", 2048),
        ("k=true", True),
        ("k=null", None),
        ('k=["a"]', ["a"]),
        ("k=bfloat16", "bfloat16"),
        ('k="2048"', "2048"),
        ("k=", ""),
        ("k=a=b", "a=b"),
    ],
)
def test_values_are_json_or_else_text(text, value):
    assert edited({}, [text]) == {"k": value}


def test_dotted_keys_indices_and_escapes():
    values = {"text_config": {"index_topk": 1}, "layers": ["a", "b"], "a.b": 1}
    sets = ["text_config.index_topk=2", "layers.1=c", r"a\.b=3"]
    assert edited(values, sets) == {
        "text_config": {"index_topk": 2},
        "layers": ["a", "c"],
        "a.b": 3,
    }
    assert edited(values, [], ["text_config.index_topk", "layers.0"]) == {
        "text_config": {},
        "layers": ["b"],
        "a.b": 1,
    }


def test_the_input_stays_as_it_is():
    values = {"t": {"k": 1}}
    assert edited(values, ["t.k=2"]) == {"t": {"k": 2}}
    assert values == {"t": {"k": 1}}


def test_edits_are_kept_for_the_report():
    config = edit_config(ModelConfig("c", {"a": 1}), ["b=2"], ["a"])
    assert config.edits == ("--unset a", "--set b=2")


def test_unset_goes_first():
    assert edited({"t": {"k": 1, "l": 2}}, ['t={"k": 3}'], ["t.l"]) == {"t": {"k": 3}}


@pytest.mark.parametrize(
    ("sets", "unsets", "error", "problem"),
    [
        (["novalue"], [], UsageError, "expected KEY=VALUE"),
        (["=1"], [], UsageError, "expected KEY=VALUE"),
        (["index_topk=1"], ["index_topk"], UsageError, "both name 'index_topk'"),
        (["k=" + "[" * 100_000], [], UsageError, "too deeply"),
        ([], ["indx_topk"], ConfigError, "no 'indx_topk'; did you mean index_topk"),
        (["text_confg.a=1"], [], ConfigError, "no 'text_confg'; did you mean text_config"),
        (["index_topk.a=1"], [], ConfigError, "'index_topk' is not an object"),
        (["layers.2=1"], [], ConfigError, "not an index of a list of 2"),
        ([], ["layers.x"], ConfigError, "not an index"),
    ],
)
def test_wrong_edits(sets, unsets, error, problem):
    values = {"index_topk": 2048, "text_config": {}, "layers": [1, 2]}
    with pytest.raises(error, match=problem):
        edited(values, sets, unsets)
