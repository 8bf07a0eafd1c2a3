"""docs/ci.md and the pre-commit hook: snippets that parse and name only what exists."""

import re
import shlex

import pytest
import yaml
from typer.main import get_command

from mlapath.ci import github, sarif
from mlapath.ci.formats import FORMATS
from mlapath.cli.app import app
from mlapath.cli.output import parse_sinks

EXPRESSION = re.compile(r"\$\{\{.*?\}\}")


@pytest.fixture
def page(repo):
    return (repo / "docs" / "ci.md").read_text("utf-8")


@pytest.fixture
def snippets(page):
    """The YAML of each section, by its heading."""
    found = {}
    for section in page.split("\n## ")[1:]:
        blocks = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
        found[section.splitlines()[0]] = [yaml.safe_load(block) for block in blocks]
    return found


@pytest.fixture
def action(repo):
    return yaml.safe_load((repo / "action.yml").read_text("utf-8"))


@pytest.fixture
def hooks(repo):
    return yaml.safe_load((repo / ".pre-commit-hooks.yaml").read_text("utf-8"))


@pytest.fixture
def check_options():
    command = get_command(app).commands.get("check")
    if command is None:
        pytest.skip("there is no check command yet")
    return {option for param in command.params for option in param.opts}


def commands(page):
    """The words of every `mlapath check …` in a snippet."""
    text = "\n".join(re.findall(r"```\w+\n(.*?)```", page, re.DOTALL))
    return [shlex.split(line) for line in re.findall(r"\bmlapath (check[^'\n]*)", text)]


def options_of(words):
    return {word.partition("=")[0] for word in words if word.startswith("-") and word != "-"}


def table(page, head):
    """The first column of the table whose first cell is ``head``."""
    rows = page.partition(f"| {head} |")[2].split("\n\n")[0].splitlines()[2:]
    return [re.findall(r"`([^`]+)`", row)[0] for row in rows]


def test_the_page_has_a_snippet_for_each_system(page, snippets):
    assert {name: len(blocks) for name, blocks in snippets.items()} == {
        "GitHub Actions": 2,
        "GitLab": 1,
        "Jenkins": 0,
        "pre-commit": 1,
        "Keep the cache": 1,
    }
    assert "```groovy" in page
    assert len(commands(page)) == 3


def test_options_exist(page, check_options):
    for words in commands(page):
        assert options_of(words) <= check_options


def test_options_of_the_action_exist(repo, check_options):
    script = (repo / ".ci" / "action.sh").read_text("utf-8")
    given = set(re.findall(r'"(--[a-z-]+)=', script))
    assert given == {"--project", "--vllm", "--baseline", "--fail-on", "--output"}
    assert given <= check_options


def test_options_of_the_hook_exist(snippets, check_options):
    ((repository,),) = [block["repos"] for block in snippets["pre-commit"]]
    assert options_of(repository["hooks"][0]["args"]) <= check_options


def test_every_output_is_one_that_the_option_takes(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for words in commands(page):
        given = [words[at + 1] for at, word in enumerate(words) if word == "--output"]
        sinks = parse_sinks("text", given, ("text", "json", *FORMATS))
        assert [sink.format for sink in sinks] == [text.partition(":")[0] for text in given]


def test_the_formats_are_those_that_there_are(page):
    assert table(page, "format") == ["text", "json", *table(page, "format")[2:]]
    assert sorted(table(page, "format")[2:]) == list(FORMATS)


def test_the_inputs_are_those_of_the_action(page, snippets, action):
    assert table(page, "input") == list(action["inputs"])
    steps = [step for block in snippets["GitHub Actions"] for step in steps_of(block)]
    (used,) = [step for step in steps if "/mlapath@" in step.get("uses", "")]
    assert set(used["with"]) <= set(action["inputs"])


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_uploading_sarif_has_the_permission_and_the_file(snippets):
    workflow = snippets["GitHub Actions"][0]
    assert workflow["permissions"]["security-events"] == "write"
    _, check, upload = steps_of(workflow)
    assert check["with"]["sarif"] == upload["with"]["sarif_file"]
    assert check["with"]["sarif"] in upload["if"]


def test_github_reads_only_files_that_were_written(snippets):
    for step in steps_of(snippets["GitHub Actions"][1]):
        if "cat " in step.get("run", ""):
            read = re.findall(r"cat (\S+)", step["run"])
    (command,) = [s["run"] for s in steps_of(snippets["GitHub Actions"][1]) if s.get("id")]
    assert re.findall(r"--output \w+:(\S+)", command) == read


def test_gitlab_collects_the_files_that_are_written(snippets):
    (pipeline,) = snippets["GitLab"]
    job = pipeline["attention-path"]
    written = dict(re.findall(r"--output (\w+):([^\s-]\S*)", job["script"][-1]))
    reports = job["artifacts"]["reports"]
    assert reports == {"codequality": written["gitlab"], "junit": written["junit"]}


def test_jenkins_collects_the_file_that_is_written(page):
    (jenkins,) = re.findall(r"```groovy\n(.*?)```", page, re.DOTALL)
    assert re.findall(r"junit:(\S+?)'", jenkins) == re.findall(r"junit '(\S+)'", jenkins)
    assert jenkins.count("{") == jenkins.count("}")


def test_expressions_stand_where_no_shell_runs_them(snippets):
    for workflow in snippets["GitHub Actions"]:
        for step in steps_of(workflow):
            assert EXPRESSION.search(step.get("run", "")) is None


def test_the_hook_is_the_command_once_for_all_files(hooks, snippets):
    (hook,) = hooks
    assert hook["entry"] == "mlapath check"
    assert hook["language"] == "python"
    assert (hook["pass_filenames"], hook["require_serial"]) == (False, True)
    ((repository,),) = [block["repos"] for block in snippets["pre-commit"]]
    assert [used["id"] for used in repository["hooks"]] == [hook["id"]]


@pytest.mark.parametrize(
    ("file", "runs"),
    [
        ("mlapath.toml", True),
        ("sub/mlapath.lock", True),
        ("pyproject.toml", True),
        ("requirements.txt", True),
        ("ci/requirements-gpu.txt", True),
        ("uv.lock", True),
        ("my-mlapath.toml", False),
        ("mlapath.toml.bak", False),
        ("src/app.py", False),
    ],
)
def test_the_hook_runs_when_something_of_interest_changed(hooks, file, runs):
    assert (re.search(hooks[0]["files"], file) is not None) is runs


def test_the_limits_are_those_of_the_renderers(page):
    assert github.MAX_ANNOTATIONS == 10
    assert "Of each kind ten annotations" in page
    mega = sarif.MAX_BYTES // 1024**2
    assert f"SARIF {sarif.MAX_RESULTS:,} results, {sarif.MAX_STEPS:,} steps" in page
    assert f"{mega} MB" in page
