"""Programs written by hand (``subjects.md``): the evaluator has seen every run of CPython."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from soundness.check import check

HEADER = """\
from outside import given, risky
u0, u1, u2, u3, u4, u5 = (given(0), given(1), given(2), given(3), given(4), given(5))
log = []
"""
"""``u0`` and ``u5``: a bool; ``u1``: 0 to 3; ``u2``: None or a number; ``u3``: a list of numbers;
``u4``: "x", "y" or "z"."""

TEXT = (Path(__file__).parent / "subjects.md").read_text("utf-8")
SUBJECTS = dict(re.findall(r"^## (.+?)\n+```python\n(.*?)```", TEXT, re.MULTILINE | re.DOTALL))


def test_every_heading_has_its_program() -> None:
    assert len(SUBJECTS) == TEXT.count("\n## ") > 70


@pytest.mark.parametrize("title", SUBJECTS)
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_subject(title: str) -> None:
    assert check(HEADER + SUBJECTS[title], range(40)) == []
