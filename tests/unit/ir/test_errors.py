from __future__ import annotations

import copy

from mlapath.base.errors import ExitCode, TreeError
from mlapath.ir import ParseError


def test_parse_error_is_a_tree_error_of_one_line() -> None:
    error = ParseError("a/b.py", 3, "invalid syntax")
    assert isinstance(error, TreeError)
    assert error.exit_code is ExitCode.USAGE
    assert str(error) == "cannot read a/b.py:3: invalid syntax"


def test_parse_error_can_be_copied_between_processes() -> None:
    twin = copy.copy(ParseError("a/b.py", 3, "invalid syntax"))
    assert (twin.path, twin.line, twin.message) == ("a/b.py", 3, "invalid syntax")
