from types import SimpleNamespace

import pytest

from mlapath.models.stdlib_shutil import which
from mlapath.values.value import Unknown, V


def ask(name, absent=(), present=()):
    facts = SimpleNamespace(absent=absent, present=present)
    return which(SimpleNamespace(facts=facts), [V(name)], {}).d


def test_tools_that_a_serving_machine_has():
    assert ask("nvcc") == "/usr/bin/nvcc"
    assert ask("own", present=("own",)) == "/usr/bin/own"


def test_a_path_that_was_given_is_found_again():
    assert ask(ask("nvcc")) == "/usr/bin/nvcc"


@pytest.mark.parametrize("name", ["nvcc", "/usr/bin/nvcc", "/usr/local/cuda/bin/nvcc"])
def test_an_absent_tool_is_nowhere(name):
    assert ask(name, absent=("nvcc",)) is None


@pytest.mark.parametrize("name", ["own", "/usr/bin/own", "/opt/cuda/bin/nvcc"])
def test_others_are_not_known(name):
    assert isinstance(ask(name), Unknown)
