"""Questions that people asked about real deployments: mlapath gives their known answers."""

from __future__ import annotations

import pytest

from support.cases import Case, answer, ask, expected, read_cases

pytestmark = [pytest.mark.network, pytest.mark.slow]


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.id)
def test_case(case: Case) -> None:
    assert answer(ask(case), case.expect) == expected(case)
