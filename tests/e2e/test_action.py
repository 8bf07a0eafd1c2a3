"""The action's script with the real command on a real release."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator
from typer.main import get_command

from mlapath.cli.app import app
from support.realtree import MODELS, real_tree
from support.sarif_schema import SCHEMA

BASH = None if os.name == "nt" else shutil.which("bash")
PROJECT = """\
vllm = "0.16.0"

[scenarios.glm-5]
config = {config}
device = "h100"
set = {{ num_hidden_layers = 4 }}
expect = {{ forward_mha = "always", forward_mqa = "always" }}
"""


@pytest.mark.network
@pytest.mark.slow
@pytest.mark.skipif(BASH is None, reason="needs bash and a POSIX system")
def test_a_broken_expectation_fails_the_job_and_shows_up_everywhere(repo, tmp_path):
    if "check" not in get_command(app).commands:
        pytest.skip("there is no check command yet")
    real_tree("0.16.0")
    tools, temp, work = (tmp_path / name for name in ("tools", "temp", "work"))
    for folder in (tools, temp, work):
        folder.mkdir()
    mlapath = tools / "mlapath"
    mlapath.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mlapath "$@"\n', "utf-8")
    mlapath.chmod(0o755)
    config = json.dumps(str(MODELS / "glm-5.json"))
    (work / "mlapath.toml").write_text(PROJECT.format(config=config), "utf-8")
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(repo / "src"),
        "RUNNER_TEMP": str(temp),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "MLAPATH_INPUT_SARIF": "out.sarif",
    }
    command = [BASH, str(repo / ".ci" / "action.sh"), "check"]
    done = subprocess.run(command, cwd=work, env=environment, capture_output=True, check=False)
    log = done.stdout.decode("utf-8")

    assert done.returncode == 1, log + done.stderr.decode("utf-8")
    assert (tmp_path / "output").read_text("utf-8") == "exit-code=1\n"
    annotations = [line for line in log.splitlines() if line.startswith("::error ")]
    assert any("forward_mha" in line and "glm-5" in line for line in annotations)
    assert "forward_mha" in (tmp_path / "summary").read_text("utf-8")
    document = json.loads((work / "out.sarif").read_text("utf-8"))
    Draft202012Validator(SCHEMA).validate(document)
    failed = [r for r in document["runs"][0]["results"] if r["level"] == "error"]
    assert any("forward_mha" in r["message"]["text"] and r.get("codeFlows") for r in failed)
