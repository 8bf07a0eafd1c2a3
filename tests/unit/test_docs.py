"""README and docs: commands that CI runs too, links that lead somewhere, nothing private."""

import re

import pytest

from mlapath.base.errors import UsageError
from mlapath.cli.main import main
from mlapath.findings.schema import load_schema

LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
PRIVATE = re.compile(r"(?:^|[^\w.])/(?:work|tmp|root|home|Users)/\w")


def pages(repo):
    return [repo / "README.md", repo / "CHANGELOG.md", *sorted((repo / "docs").rglob("*.md"))]


def shell_commands(text):
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line and line[0] != "#"]


def test_links_lead_somewhere(repo):
    broken = [
        f"{page.relative_to(repo)}: {target}"
        for page in pages(repo)
        for target in LINK.findall(page.read_text("utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert broken == []


def test_no_paths_of_a_machine(repo):
    for page in pages(repo):
        assert PRIVATE.search(page.read_text("utf-8")) is None, page


def test_ci_runs_the_readmes_test_command(repo):
    commands = shell_commands((repo / "README.md").read_text("utf-8"))
    script = (repo / ".ci" / "run").read_text("utf-8")
    (tests,) = [command for command in commands if "pytest" in command]
    for part in ("-m venv .venv", '-e ".[dev]"', "-m pytest -n auto"):
        assert part in tests
        assert part in script
    assert tests in (repo / "docs" / "contributing.md").read_text("utf-8")


@pytest.mark.parametrize(
    "page", ["README.md", "docs/tutorial.md", "docs/ask-about-a-batch.md", "docs/draw-the-path.md"]
)
def test_commands_shown_are_understood(repo, page, monkeypatch):
    """Every `mlapath …` line gets past the option parser."""
    asked = []

    def stop(*words, **_options):
        asked.append(words)
        raise UsageError("far enough")

    for command in ("analyze", "matrix", "fires", "graph", "check", "diff"):
        monkeypatch.setattr(f"mlapath.cli.commands.{command}.parse_sinks", stop)
    monkeypatch.setattr("mlapath.app.tree.open_tree", stop)
    for command in shell_commands((repo / page).read_text("utf-8")):
        words = command.rpartition(" && ")[2].split()
        if words[0].rpartition("/")[2] == "mlapath":
            main(words[1:])
            assert asked, command
            asked.clear()


def test_the_json_reference_names_every_key(repo):
    text = (repo / "docs" / "reference" / "report.md").read_text("utf-8")
    schema = load_schema("report-1")
    named = set(re.findall(r"`(?:attention\[\]\.)?(\w+)`", text))
    top = set(schema["properties"]) - {"schema", "mlapath"}
    target = set(schema["$defs"]["target"]["properties"]) - {"target"}
    assert top - named == set()
    assert target - named == set()
