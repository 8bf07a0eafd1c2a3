"""The GitHub Action: what its file says, and its script with a stand-in for mlapath."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

BASH = None if os.name == "nt" else shutil.which("bash")
FAKE = """\
import json, os, sys
from pathlib import Path

words = sys.argv[1:]
Path(os.environ["FAKE_WORDS"]).write_text(json.dumps(words), "utf-8")
if os.environ.get("FAKE_SAYS"):
    print(os.environ["FAKE_SAYS"])
for word in words if os.environ["FAKE_CODE"] in "01" else ():
    name, _, file = word.removeprefix("--output=").partition(":")
    if word.startswith("--output=") and file != "-":
        Path(file).write_text(f"<{name}>\\n", "utf-8")
sys.exit(int(os.environ["FAKE_CODE"]))
"""
HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned #",
    '"; touch pwned; "',
    "' || touch pwned || '",
    "x\ntouch pwned\n::error::x",
    "--help",
    "-x y  *",
    "${IFS}\\",
]


@dataclass
class Ran:
    code: int
    log: str
    words: list[str] | None
    summary: str
    output: str


@pytest.fixture
def action(repo):
    return yaml.safe_load((repo / "action.yml").read_text("utf-8"))


@pytest.fixture
def script(repo, tmp_path):
    """Run a step of the script: ``script("check", VLLM="0.26.0")``."""
    if BASH is None:
        pytest.skip("needs bash and a POSIX system")
    folder = tmp_path / "work"
    tools = tmp_path / "tools"
    for made in (folder, tools, tmp_path / "temp"):
        made.mkdir()
    (tools / "fake.py").write_text(FAKE, "utf-8")
    fake = tools / "mlapath"
    fake.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{tools / "fake.py"}" "$@"\n', "utf-8")
    fake.chmod(0o755)

    def run(step, *, code=0, says="", **inputs):
        environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("MLAPATH_", "GITHUB_"))},
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "RUNNER_TEMP": str(tmp_path / "temp"),
            "GITHUB_ACTION_PATH": str(repo),
            "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
            "GITHUB_OUTPUT": str(tmp_path / "output"),
            "FAKE_WORDS": str(tmp_path / "words"),
            "FAKE_SAYS": says,
            "FAKE_CODE": str(code),
            **{f"MLAPATH_INPUT_{name}": value for name, value in inputs.items()},
        }
        command = [BASH, str(repo / ".ci" / "action.sh"), step]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, check=False
        )
        words, summary, output = (tmp_path / name for name in ("words", "summary", "output"))
        return Ran(
            done.returncode,
            done.stdout.decode("utf-8"),
            json.loads(words.read_text("utf-8")) if words.exists() else None,
            summary.read_text("utf-8") if summary.exists() else "",
            output.read_text("utf-8") if output.exists() else "",
        )

    run.folder = folder
    run.temp = tmp_path / "temp"
    run.tools = tools
    return run


def options(ran):
    """The options given, without the reports that go to files of the script's own."""
    own = re.compile(r"--output=(?:github|markdown):")
    return [word for word in ran.words if own.match(word) is None]


def test_every_input_reaches_the_script_and_none_is_written_into_it(repo, action):
    steps = action["runs"]["steps"]
    passed = {k: v for step in steps for k, v in step["env"].items()}
    inputs = set(action["inputs"]) - {"working-directory"}
    assert passed == {
        f"MLAPATH_INPUT_{name.upper().replace('-', '_')}": f"${{{{ inputs.{name} }}}}"
        for name in inputs
    }
    assert steps[1]["working-directory"] == "${{ inputs.working-directory }}"
    read = set(re.findall(r"MLAPATH_INPUT_[A-Z_]+", (repo / ".ci/action.sh").read_text("utf-8")))
    assert read == set(passed)
    for step in steps:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"


def test_inputs_and_outputs_are_described_and_nothing_is_required(action):
    for item in (*action["inputs"].values(), *action["outputs"].values()):
        assert item["description"]
    for item in action["inputs"].values():
        assert isinstance(item["default"], str)
    assert action["runs"]["using"] == "composite"
    (step,) = [step for step in action["runs"]["steps"] if "id" in step]
    assert f"steps.{step['id']}.outputs.exit-code" in action["outputs"]["exit-code"]["value"]


def test_without_inputs_the_project_decides(script):
    ran = script("check")
    assert ran.code == 0
    assert options(ran) == ["check", "--output=text:-"]
    assert len(ran.words) == 4


def test_inputs_become_options(script):
    ran = script(
        "check",
        CONFIG="ci/my project.toml",
        VLLM="0.26.0",
        BASELINE="base.lock",
        FAIL_ON="warning",
        SARIF="out.sarif",
    )
    assert options(ran) == [
        "check",
        "--project=ci/my project.toml",
        "--vllm=0.26.0",
        "--baseline=base.lock",
        "--fail-on=warning",
        "--output=sarif:out.sarif",
        "--output=text:-",
    ]
    assert (script.folder / "out.sarif").read_text("utf-8") == "<sarif>\n"


@pytest.mark.parametrize("code", range(5))
def test_the_exit_code_is_that_of_mlapath(script, code):
    ran = script("check", code=code)
    assert ran.code == code
    assert ran.output == f"exit-code={code}\n"


def test_annotations_are_printed_and_the_summary_is_appended(script):
    ran = script("check", code=1)
    assert ran.log.endswith("::\n<github>\n")
    assert ran.summary == "<markdown>\n"
    assert script("check").summary == "<markdown>\n<markdown>\n"


def test_an_error_before_the_reports_is_no_second_error(script):
    ran = script("check", code=2, says="mlapath: no such file")
    assert ran.code == 2
    assert ran.summary == ""


def test_nothing_is_left_behind(script):
    script("check")
    assert list(script.temp.iterdir()) == []


def test_what_is_printed_cannot_be_a_workflow_command(script):
    ran = script("check", says="::error::mine\n::stop-commands::x")
    lines = ran.log.splitlines()
    start = re.fullmatch("::stop-commands::([0-9a-f]{32})", lines[0])
    assert start is not None
    end = lines.index(f"::{start[1]}::")
    assert lines[1:end] == ["::error::mine", "::stop-commands::x", ""]
    again = script("check").log.splitlines()[0]
    assert again != lines[0]


def test_commands_resume_on_a_line_of_their_own(script):
    """Also where the last line printed has no end."""
    (script.tools / "mlapath").write_text("#!/bin/sh\nprintf 'no end'\n", "utf-8")
    lines = script("check").log.splitlines()
    assert lines[1] == "no end"
    assert re.fullmatch("::[0-9a-f]{32}::", lines[2])


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_inputs_are_words_and_never_run(script, text):
    names = ("project=", "vllm=", "baseline=", "fail-on=", "output=sarif:")
    ran = script("check", code=2, CONFIG=text, VLLM=text, BASELINE=text, FAIL_ON=text, SARIF=text)
    assert options(ran)[1:-1] == [f"--{name}{text}" for name in names]
    assert list(script.folder.iterdir()) == []
    assert ran.output == "exit-code=2\n"


@pytest.mark.parametrize("text", [*HOSTILE, "1.0 --index-url=x", "-r x", "@ file:x"])
def test_a_hostile_version_is_refused(script, text):
    ran = script("install", VERSION=text)
    assert ran.code == 2
    assert ran.log == "::error title=mlapath::the input 'version' is not a version\n"
    assert list(script.temp.iterdir()) == []


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("vllm==0.26.0", "0.26.0"),
        ("vLLM[audio] == 0.26.0rc1 ; python_version > '3'", "0.26.0rc1"),
        ("  vllm==0.26.0+cu129 --hash=sha256:aa", "0.26.0+cu129"),
        ("vllm==0.26.0 # vllm==0.1", "0.26.0"),
        ("vllm==0.26.0 \\", "0.26.0"),
        ("vllm==0.26.0\r", "0.26.0"),
        ("vllm==0.26.0\nvllm==0.27.0", "0.26.0"),
    ],
)
def test_the_pin_of_a_requirements_file_is_checked(script, line, version):
    (script.folder / "my requirements.txt").write_bytes(f"torch==2.9\n{line}\n".encode())
    ran = script("check", REQUIREMENTS="my requirements.txt")
    assert options(ran)[1] == f"--vllm={version}"


@pytest.mark.parametrize(
    "line",
    [
        "vllm>=0.26",
        "vllm==0.26.*",
        "vllm-extra==1.0",
        "# vllm==0.26.0",
        "xvllm==1",
        "",
        "vllm===1",
    ],
)
def test_no_pin_is_an_error(script, line):
    (script.folder / "r.txt").write_text(f"{line}\n", "utf-8")
    ran = script("check", REQUIREMENTS="r.txt")
    assert (ran.code, ran.words) == (2, None)
    assert "no line vllm==VERSION" in ran.log


@pytest.mark.parametrize("inputs", [{"REQUIREMENTS": "none.txt"}, {"REQUIREMENTS": "-"}])
def test_a_missing_requirements_file_is_an_error(script, inputs):
    ran = script("check", **inputs)
    assert (ran.code, ran.words) == (2, None)
    assert "names no file" in ran.log


def test_two_ways_to_name_vllm_are_one_too_many(script):
    ran = script("check", REQUIREMENTS="r.txt", VLLM="0.26.0")
    assert (ran.code, ran.words) == (2, None)


def test_an_installed_mlapath_comes_before_the_one_on_path(script):
    programs = script.temp / "mlapath-venv" / "bin"
    programs.mkdir(parents=True)
    own = programs / "mlapath"
    own.write_text("#!/bin/sh\necho its own\nexit 3\n", "utf-8")
    own.chmod(0o755)
    ran = script("check")
    assert (ran.code, ran.words) == (3, None)
    assert "its own" in ran.log


def test_install_asks_pip_for_one_thing_only(script):
    """With a stand-in for python that makes the venv."""
    python = script.tools / "python3"
    python.write_text(
        '#!/bin/sh\nif [ "$2" = venv ]; then\n'
        '  mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; exit\nfi\n'
        f'exec "{sys.executable}" "{script.tools / "fake.py"}" "$@"\n',
        "utf-8",
    )
    python.chmod(0o755)
    head = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--"]
    ran = script("install", VERSION="0.1.0")
    assert (ran.code, ran.words) == (0, [*head, "mlapath==0.1.0"])
    (what,) = script("install").words[len(head) :]
    assert (Path(what) / "action.yml").is_file()


def test_an_unknown_step_is_an_error(script):
    assert script("no-such").code == 2
