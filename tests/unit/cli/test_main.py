import os
import subprocess
import sys

import pytest

from mlapath import __version__
from mlapath.base.errors import (
    ConfigError,
    ExitCode,
    MlapathError,
    NetworkError,
    TreeError,
    UsageError,
)


@pytest.fixture
def fails_with(run, analysis, glm5):
    def analyze(error):
        def report(_request):
            raise error

        analysis.report = report
        return run("analyze", "--config", glm5, "--device", "h100")

    return analyze


@pytest.mark.parametrize("kind", [UsageError, ConfigError, TreeError, NetworkError, MlapathError])
def test_known_errors_are_one_line(fails_with, kind):
    ran = fails_with(kind("it\n is\x1b[31m wrong"))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "mlapath: it is\\x1b[31m wrong\n"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (KeyError("x"), "KeyError: 'x'"),
        (RecursionError(), "RecursionError"),
        (MemoryError(), "MemoryError"),
        (OSError(5, "boom"), "OSError: [Errno 5] boom"),
        (AssertionError("a\nb"), "AssertionError: a b"),
    ],
)
def test_internal_errors_exit_4_without_a_traceback(fails_with, error, line):
    ran = fails_with(error)
    assert (ran.code, ran.out) == (ExitCode.INTERNAL, "")
    assert ran.err.startswith(f"mlapath: internal error: {line} (please report it")
    assert ran.err.count("\n") == 1


def test_debug_adds_the_traceback(fails_with, monkeypatch):
    monkeypatch.setenv("MLAPATH_DEBUG", "1")
    ran = fails_with(KeyError("x"))
    assert ran.code == ExitCode.INTERNAL
    assert "Traceback" in ran.err


def test_interrupt(fails_with):
    ran = fails_with(KeyboardInterrupt())
    assert ran.code == 130
    assert "Traceback" not in ran.err


def test_version_help_and_nothing(run):
    assert run("--version").out == f"mlapath {__version__}\n"
    for words in ((), ("--help",), ("-h",)):
        ran = run(*words)
        assert ran.code == 0
        assert "analyze" in ran.out
    assert "ENGINE FLAGS" in run("analyze", "--help").out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["anlyze"], "No such command 'anlyze'"),
        (["--nope"], "No such option: --nope"),
        (["cache"], "Missing command"),
        (["cache", "cler"], "No such command 'cler'"),
    ],
)
def test_wrong_commands(run, words, problem):
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err
    assert ran.err.count("\n") == 1
    assert "--help" in ran.err


def process(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "mlapath", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        **options,
    )


def test_as_a_module_and_exit_code():
    assert process("--version").stdout == f"mlapath {__version__}\n"
    assert process("--nope").returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
@pytest.mark.parametrize("words", [["--help"], ["cache", "info"], ["--version"]])
def test_a_reader_that_goes_away_is_no_error(words):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "mlapath", *words],
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_small_commands_load_no_large_library():
    code = (
        "import sys\n"
        "from mlapath.cli.main import main\n"
        "main(['cache', 'info'])\n"
        "heavy = {'libcst', 'networkx', 'rich', 'requests', 'mlapath.ir', 'mlapath.engine'}\n"
        "sys.exit(' '.join(sorted(heavy & set(sys.modules))) or 0)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert ran.returncode == 0
