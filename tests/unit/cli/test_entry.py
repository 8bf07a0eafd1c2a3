"""The console script, as a process of its own."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("words", "code", "out"), [(["--version"], 0, "mlapath "), (["nonsense"], 2, "")]
)
def test_exit_code_and_output_survive_the_quick_exit(words, code, out):
    ran = subprocess.run(
        [sys.executable, "-m", "mlapath", *words], capture_output=True, text=True, check=False
    )
    assert ran.returncode == code
    assert ran.stdout.startswith(out)
    assert ran.stderr.count("\n") == (1 if code else 0)


def test_a_reader_that_goes_away_is_no_error():
    code = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-m', 'mlapath', '-h'], "
    code += "stdout=subprocess.PIPE, stderr=subprocess.PIPE); p.stdout.close(); "
    code += "sys.stdout.write(p.stderr.read().decode()); sys.exit(p.wait())"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")
