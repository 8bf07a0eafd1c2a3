import pytest

from mlapath.project import read_project
from mlapath.project.template import scenario_name


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "name", "flags", "env"),
    [
        (
            ["--", "VLLM_X=a b", "vllm", "serve", "org/My Model", "-tp", "8"],
            "my-model", ("-tp", "8"), {"VLLM_X": "a b"},
        ),
        (["--", "vllm serve m --hf-overrides '{\"a\": \"\\\\x\"}'"], "m",
         ("--hf-overrides", '{"a": "\\\\x"}'), {}),
        (["--name=a.b+c", "--", "--enforce-eager"], "a.b+c", ("--enforce-eager",), {}),
        ([], "c", (), {}),
        (["--", "vllm", "serve", "\x1b[31m\x7f", "--x", "\x7fß\x1b"], "31m",
         ("--x", "\x7fß\x1b"), {}),
    ],
)  # fmt: skip
def test_what_is_written_is_read(run, tmp_path, words, name, flags, env):
    ran = run("init", "--config=models/c.json", "--device=h100", "--vllm=0.16.0", *words)
    assert (ran.code, ran.err) == (0, "")
    project = read_project(tmp_path / "mlapath.toml")
    assert project.vllm == "0.16.0"
    (entry,) = project.entries
    assert (entry.name, entry.config, entry.device) == (name, "models/c.json", "h100")
    assert (entry.flags, entry.env) == (flags, env)
    assert (tmp_path / "mlapath.toml").read_text("utf-8").replace("\n", "").isprintable()


def test_the_comments_are_true(run, tmp_path):
    """What is commented out is understood once the # is taken away."""
    assert run("init", "--config=c.json", "--device=h100", "--", "-tp", "8").code == 0
    file = tmp_path / "mlapath.toml"
    for line in file.read_text("utf-8").splitlines():
        key = line.removeprefix("# ")
        if line.startswith("# ") and key.split(" ")[0] in ("vllm", "fail-on", "expect", "patches"):
            file.write_text(file.read_text("utf-8").replace(line, key), "utf-8")
    project = read_project(file)
    assert project.vllm is not None
    assert project.fail_on == ("warning",)
    assert project.entries[0].expect["forward_mha"] == "never"
    assert project.entries[0].patches


def test_a_folder_of_a_pasted_line_is_the_configuration(run, tmp_path):
    (tmp_path / "model").mkdir()
    assert run("init", "--", "vllm", "serve", "model").err == ""
    assert read_project(tmp_path / "mlapath.toml").entries[0].config == "model"


def test_nothing_is_written_over(run, tmp_path):
    assert run("init", "--config=a").code == 0
    ran = run("init", "--config=b")
    assert ran.code == 2
    assert "mlapath.toml is there already: --force writes over it" in ran.err
    assert run("init", "--config=b", "--force").code == 0
    assert read_project(tmp_path / "mlapath.toml").entries[0].config == "b"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--device=h1000"], "did you mean h100"),
        (["--name=a/b"], "a name consists of"),
        (["--", "vllm", "bench"], "only 'vllm serve'"),
        (["--project=none/x.toml"], "cannot write"),
    ],
)
def test_wrong_words(run, tmp_path, words, problem):
    ran = run("init", *words)
    assert ran.code == 2
    assert problem in ran.err
    assert list(tmp_path.iterdir()) == []


def test_names():
    assert scenario_name("deepseek-ai/DeepSeek-V3.2", None) == "deepseek-v3.2"
    assert scenario_name(None, r"C:\models\glm-5.json") == "glm-5"
    assert scenario_name("///", "") == "serve"
