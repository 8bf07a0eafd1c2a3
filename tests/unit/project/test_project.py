"""mlapath.toml: what it may say, what it means, and what is refused."""

from __future__ import annotations

import pytest
from jsonschema import Draft7Validator

from mlapath.base.errors import ConfigError, UsageError
from mlapath.project import find_project, read_project, scenarios_of, select_entries
from mlapath.project.expand import OWN_KEYS
from mlapath.project.part import READERS
from mlapath.project.read import KEYS, load_toml
from mlapath.project.schema import project_schema
from mlapath.scenario.assemble import ScenarioWords


@pytest.fixture
def write(tmp_path):
    def make(text, name="mlapath.toml"):
        file = tmp_path / name
        file.write_text(text, "utf-8")
        return file

    return make


@pytest.fixture
def entries(write):
    return lambda text: read_project(write(text)).entries


FULL = """
vllm = "0.25.1"
python = "venv/bin/python"
baseline = "gate/vllm.lock"
fail-on = ["warning"]

[scenarios.prod]
config = "models/glm-5.json"
device = "h100"
flags = "--kv-cache-dtype fp8 -tp 8 --hf-overrides '{\\"a\\": 1}'"
env = { VLLM_X = 1, VLLM_Y = "a b" }
with = ["deep_gemm==2.1"]
without = "flashinfer-python"
set = { num_hidden_layers = 4, "rope.type" = "yarn" }
unset = ["index_topk"]
targets = ["forward_mha", "MLAAttention.forward_impl"]
batch = "37"
expect = { forward_mqa = "always", outcome = "runs", backend = "FLASHMLA_SPARSE" }
patches = ["vllm.a.b:Impl.forward_mha"]
"""


def test_every_key(write):
    project = read_project(write(FULL))
    assert (project.vllm, project.python) == ("0.25.1", "venv/bin/python")
    assert (project.baseline, project.fail_on) == ("gate/vllm.lock", ("warning",))
    (entry,) = project.entries
    assert entry.name == "prod"
    assert entry.flags == ("--kv-cache-dtype", "fp8", "-tp", "8", "--hf-overrides", '{"a": 1}')
    assert entry.env == {"VLLM_X": "1", "VLLM_Y": "a b"}
    assert (entry.present, entry.absent) == (("deep_gemm==2.1",), ("flashinfer-python",))
    assert entry.sets == {"num_hidden_layers": 4, "rope.type": "yarn"}
    assert entry.unsets == ("index_topk",)
    assert entry.batch == "37"
    assert entry.expect["backend"] == "FLASHMLA_SPARSE"
    assert entry.patches == ("vllm.a.b:Impl.forward_mha",)


def test_defaults(write):
    project = read_project(write(""))
    assert project.entries == ()
    assert (project.vllm, project.baseline, project.fail_on) == (None, "mlapath.lock", None)


def test_a_table_in_set_stands_for_its_keys(entries):
    (entry,) = entries('[scenarios.a]\nconfig = "c"\nset.text_config.index_topk = 5\nset.x = {}')
    assert entry.sets == {"text_config.index_topk": 5, "x": {}}


def test_extends_adds_up_and_the_child_has_the_last_word(entries):
    text = """
    [scenarios.base]
    abstract = true
    config = "a.json"
    device = ["h100", "b200"]
    flags = "-tp 8"
    env = { A = "1", B = "1" }
    with = ["x==1", "y"]
    without = ["z"]
    set = { k = 1 }
    unset = ["gone", "back"]
    patches = ["m:f"]
    [scenarios.fast]
    abstract = true
    flags = ["--enforce-eager"]
    [scenarios.prod]
    extends = ["base", "fast"]
    device = "h200"
    flags = "-tp 4"
    env.B = "2"
    with = ["x==2", "z"]
    without = ["y"]
    set.back = 3
    unset = ["k"]
    patches = ["m:g"]
    """
    (entry,) = entries(text)
    assert (entry.name, entry.config, entry.device) == ("prod", "a.json", "h200")
    assert entry.flags == ("-tp", "8", "--enforce-eager", "-tp", "4")
    assert entry.env == {"A": "1", "B": "2"}
    assert (entry.present, entry.absent) == (("x==2", "z"), ("y",))
    assert (entry.sets, entry.unsets) == ({"back": 3}, ("gone", "k"))
    assert entry.patches == ("m:f", "m:g")


def test_matrix_and_device_lists_name_their_scenarios(entries):
    text = """
    [scenarios.prod]
    config = "a.json"
    [scenarios.prod.matrix]
    device = ["h100", "12.0"]
    kv = { bf16 = {}, fp8 = { flags = "--kv-cache-dtype fp8", expect = { outcome = "runs" } } }
    [scenarios.list]
    config = "a.json"
    device = ["h100"]
    [scenarios.models]
    extends = "list"
    matrix = { config = ["m/one.json", "two"] }
    """
    found = {entry.name: entry for entry in entries(text)}
    assert list(found) == [
        "prod/h100/bf16", "prod/h100/fp8", "prod/12.0/bf16", "prod/12.0/fp8",
        "list/h100", "models/one/h100", "models/two/h100",
    ]  # fmt: skip
    assert found["prod/12.0/fp8"].flags == ("--kv-cache-dtype", "fp8")
    assert found["prod/12.0/fp8"].device == "12.0"
    assert found["models/one/h100"].config == "m/one.json"


def test_a_child_replaces_a_device_axis_and_inherits_the_others(entries):
    text = """
    [scenarios.a]
    config = "c"
    matrix = { device = ["h100", "b200"], kv = { x = {} } }
    [scenarios.b]
    extends = "a"
    device = "h200"
    """
    assert [e.name for e in entries(text)] == ["a/h100/x", "a/b200/x", "b/x"]
    assert entries(text)[2].device == "h200"


WRONG = [
    ("x =", "not valid TOML"),
    ('vlm = "1"', "mlapath.toml: unknown key 'vlm'; did you mean vllm?"),
    ("scenarios = 3", "scenarios: expected a table, found a number"),
    ("[scenarios.a]", "scenarios.a: config is missing"),
    ("[scenarios.'a/b']", "letters, digits"),
    ("[scenarios.a]\ndevcie = 'h100'", "scenarios.a: unknown key 'devcie'; did you mean device?"),
    ("[scenarios.a]\nconfig = 3", "scenarios.a.config: expected text, found a number"),
    ("[scenarios.a]\nconfig = ''", "scenarios.a.config: expected text, found empty text"),
    ("[scenarios.a]\nconfig = 'c'\ndevice = []", "scenarios.a.device: the list is empty"),
    ("[scenarios.a]\nflags = '\"'", "scenarios.a.flags: cannot be split"),
    ("[scenarios.a]\nflags = [1]", "scenarios.a.flags: expected text or a list"),
    ("[scenarios.a]\nenv = { A = true }", "scenarios.a.env.A: expected text"),
    ("[scenarios.a]\nset = { d = 2026-01-01 }", "scenarios.a.set.d: a date has no place"),
    ("[scenarios.a]\nset = { d = nan }", "scenarios.a.set.d: a number has no place"),
    ("[scenarios.a]\nexpect = { forward_mha = 'nevr' }", "did you mean never?"),
    ("[scenarios.a]\nexpect = { outcome = 'never' }", "not one of runs, refuses, unproven"),
    ("[scenarios.a]\nbatch = 'x'", "scenarios.a.batch: 'x'"),
    ("[scenarios.a]\npatches = ['vllm.f']", "expected module:name"),
    ("[scenarios.a]\npatches = ['vllm.f:']", "expected module:name"),
    ("[scenarios.a]\nextends = 'b'\n[scenarios.bb]\nconfig = 'c'", "did you mean bb?"),
    ("[scenarios.a]\nextends = 'a'", "scenarios.a: extends itself: a -> a"),
    ("[scenarios.a]\nextends='b'\n[scenarios.b]\nextends='a'", "extends itself: a -> b -> a"),
    ("[scenarios.a]\nabstract = 1", "scenarios.a.abstract: expected true or false"),
    ("[scenarios.a]\nmatrix = { kv = ['x'] }", "expected a table of label"),
    ("[scenarios.a]\nmatrix = { device = [] }", "matrix.device: the axis has no steps"),
    ("[scenarios.a]\nmatrix = { device = ['h100', 'h100'] }", "'h100' is there twice"),
    ("[scenarios.a]\nmatrix = { flags = ['-tp 8'] }", "write flags = { label = value }"),
    ("[scenarios.a]\nmatrix = { kv = { x = { flgs = '' } } }", "did you mean flags?"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "problem"), WRONG)
def test_what_is_wrong_is_one_line(write, text, problem):
    with pytest.raises(ConfigError) as error:
        read_project(write(text))
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_a_matrix_has_a_limit(write):
    steps = ", ".join(f"s{i} = {{}}" for i in range(11))
    axes = "\n".join(f"a{i} = {{ {steps} }}" for i in range(3))
    with pytest.raises(ConfigError, match="1331 combinations"):
        read_project(write(f"[scenarios.a]\nconfig = 'c'\n[scenarios.a.matrix]\n{axes}"))


# -- the schema says the same ---------------------------------------------------------------

GOOD = [
    "",
    FULL,
    "[scenarios.a]\nabstract = true",
    "[scenarios.a]\nconfig = 'c'\nmatrix = { device = ['h100'], kv = { x = { env.A = 1 } } }",
    "[scenarios.a]\nconfig = 'c'\nextends = 'b'\n[scenarios.b]\nabstract = true",
    "[scenarios.a]\nconfig = 'c'\nset.a.b = [1, { c = 2.5 }]\nflags = ''",
]
BEYOND_A_SCHEMA = (
    "config is missing", "is there twice", "extends", "did you mean bb", "the list is empty",
    "cannot be split", "not valid TOML", "label = value", "a date", "found empty text",
    "d: a number",
)  # fmt: skip
"""What the parser refuses and a schema cannot, or need not, see."""


def test_the_schema_has_the_parsers_keys():
    schema = project_schema()
    Draft7Validator.check_schema(schema)
    assert set(schema["properties"]) == set(KEYS)
    definitions = schema["definitions"]
    assert set(definitions["scenario"]["properties"]) == {*READERS, *OWN_KEYS}
    assert set(definitions["part"]["properties"]) == set(READERS)
    axes = definitions["scenario"]["properties"]["matrix"]["properties"]
    assert set(axes) == set(READERS)
    described = {**schema["properties"], **{key: definitions[key] for key in READERS}}
    assert all(value["description"] for value in described.values())


@pytest.mark.parametrize("text", GOOD)
def test_what_the_parser_takes_the_schema_takes(write, text):
    file = write(text)
    read_project(file)
    Draft7Validator(project_schema()).validate(load_toml(file))


@pytest.mark.parametrize(
    ("text", "problem"), [w for w in WRONG if not any(b in w[1] for b in BEYOND_A_SCHEMA)]
)
def test_what_the_parser_refuses_the_schema_refuses(write, text, problem):
    assert not Draft7Validator(project_schema()).is_valid(load_toml(write(text)))


# -- finding, selecting, assembling ------------------------------------------------------------


def test_the_nearest_project_counts(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "mlapath.toml").write_text("")
    (inner / "pyproject.toml").write_text("[tool.other]\n")
    assert find_project(None, inner) == tmp_path / "mlapath.toml"
    (inner.parent / "pyproject.toml").write_text("[tool.mlapath]\nvllm = '0.16.0'\n")
    found = find_project(None, inner)
    assert found == inner.parent / "pyproject.toml"
    assert read_project(found).vllm == "0.16.0"
    (inner / "pyproject.toml").write_text("not toml [")
    assert find_project(None, inner) == found
    assert find_project(str(tmp_path)) == tmp_path / "mlapath.toml"


def test_a_project_that_is_given_must_be_there(tmp_path):
    for given in (tmp_path, tmp_path / "none.toml"):
        with pytest.raises(ConfigError, match=r"there is no mlapath\.toml"):
            find_project(str(given))


def test_pyproject_errors_name_the_table(write):
    with pytest.raises(ConfigError, match=r"pyproject\.toml: tool\.mlapath: unknown key 'x'"):
        read_project(write("[tool.mlapath]\nx = 1", "pyproject.toml"))
    with pytest.raises(ConfigError, match="there is no"):
        read_project(write("[tool]\n", "pyproject.toml"))


def test_selection(write):
    project = read_project(
        write("[scenarios.a]\nconfig='c'\ndevice=['h100','b200']\n[scenarios.ab]\nconfig='c'")
    )

    def names(*given):
        return [entry.name for entry in select_entries(project, given)]

    assert names() == ["a/h100", "a/b200", "ab"]
    assert names("a") == ["a/h100", "a/b200"]
    assert names("ab", "a/b200") == ["a/b200", "ab"]
    assert names("*/h100") == ["a/h100"]
    with pytest.raises(UsageError, match="has no scenario 'a/h10'; did you mean a/h100"):
        names("a/h10")


def test_assembling(write, models, tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "glm-5.json").write_bytes((models / "glm-5.json").read_bytes())
    project = read_project(write(FULL.replace(', "rope.type" = "yarn"', "")))
    (scenario,) = scenarios_of(project, project.entries[0])
    assert scenario.config.label == "models/glm-5.json"
    assert scenario.config.values["num_hidden_layers"] == 4
    assert "index_topk" not in scenario.config.values
    assert scenario.targets == ("forward_mha", "MLAAttention.forward_impl", "forward_mqa")
    assert scenario.batch is not None
    assert scenario.env == {"VLLM_X": "1", "VLLM_Y": "a b"}
    more = ScenarioWords(devices=("b200", "h200"), engine=("-tp", "2"), env=("VLLM_X=3",))
    found = scenarios_of(project, project.entries[0], more)
    assert [s.device.name for s in found] == ["b200", "h200"]
    assert found[0].flags[-4:] == ("--hf-overrides", '{"a": 1}', "-tp", "2")
    assert found[0].env["VLLM_X"] == "3"


def test_errors_of_assembling_name_the_scenario(write):
    project = read_project(write("[scenarios.a]\nconfig = 'none.json'\ndevice = 'h100'"))
    with pytest.raises(ConfigError, match="scenario a: .*none.json: no such file"):
        scenarios_of(project, project.entries[0])
    project = read_project(write("[scenarios.a]\nconfig = 'none.json'\ndevice = 'h1000'"))
    with pytest.raises(UsageError, match="scenario a: unknown device"):
        scenarios_of(project, project.entries[0])
