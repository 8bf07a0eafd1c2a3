import os
import subprocess
import sys

import pytest

from mlapath.ci.formats import FORMATS
from support import gate_samples as samples

DUMP = """
import sys
sys.path.insert(0, "tests")
from mlapath.ci.formats import FORMATS
from support import gate_samples
for render in FORMATS.values():
    for result in gate_samples.all_results().values():
        sys.stdout.buffer.write(render(result).encode())
"""


@pytest.mark.parametrize("name", FORMATS)
def test_plain_text_that_any_file_can_hold(name):
    for result in samples.all_results().values():
        text = FORMATS[name](result)
        assert "\x1b" not in text
        assert "\r" not in text
        text.encode("utf-8")
        assert text == "" or text.endswith("\n")


def test_the_names_are_sorted_and_fit_the_option():
    assert list(FORMATS) == sorted(FORMATS)
    assert all(name.isalpha() and name.islower() for name in FORMATS)


def test_the_same_bytes_under_every_hash_seed(repo):
    def dump(seed):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", DUMP],
            cwd=repo,
            env=environment,
            capture_output=True,
            check=True,
        )
        return done.stdout

    first = dump("1")
    assert len(first) > 10_000
    assert dump("2") == first
