"""The how-to of the gate: its project file and its commands are understood."""

import re
import shlex

import pytest
from typer.main import get_command

from mlapath.ci.fail_on import parse_fail_on
from mlapath.cli.app import app
from mlapath.project import read_project


@pytest.fixture
def page(repo):
    return (repo / "docs" / "upgrade-gate.md").read_text("utf-8")


def test_the_project_file(page, tmp_path):
    (block,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    file = tmp_path / "mlapath.toml"
    file.write_text(block, "utf-8")
    project = read_project(file)
    names = [entry.name for entry in project.entries]
    assert f"`{'`, `'.join(names[:-1])}` and `{names[-1]}`" in page.replace("\n", " ")
    assert parse_fail_on(project.fail_on).rules


def test_the_commands(page):
    blocks = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert [line.split()[0] for line in lines[:5]] == ["pip", *["mlapath"] * 4]
    for line in lines[1:]:
        words = shlex.split(line.partition(" -- ")[0])[1:]
        command = get_command(app)
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        known = {name for param in command.params for name in getattr(param, "opts", ())}
        given = {word.partition("=")[0] for word in words if word.startswith("-")}
        assert given <= known, line
