import pytest

from mlapath.base.errors import UsageError
from mlapath.scenario.scenario import parse_env, parse_targets


def test_env():
    assert parse_env(["A=1", "B=x=y", "A=2", "C="]) == {"A": "2", "B": "x=y", "C": ""}
    for wrong in ("A", "=1", "1A=2", "A B=1"):
        with pytest.raises(UsageError, match="expected NAME=VALUE"):
            parse_env([wrong])


def test_targets():
    assert parse_targets(["forward_mha", "Impl.forward", "forward_mha"]) == (
        "forward_mha",
        "Impl.forward",
    )
    for wrong in ("", "a-b", "a.", "1a", "a b"):
        with pytest.raises(UsageError, match="--target"):
            parse_targets([wrong])
