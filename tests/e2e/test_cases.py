"""Questions that people asked about real deployments: mlapath gives their known answers."""

from __future__ import annotations

import pytest

from support.cases import Case, answer, ask, expected, read_cases

pytestmark = [pytest.mark.network, pytest.mark.slow]

KNOWN_WRONG: dict[str, str] = {
    "dcp-005a": "unproven: the guard before the caller is held against writes to attributes, such "
    "as model.embed_tokens, through which the layer is only reached",
}
"""Cases that mlapath answers otherwise today, and why."""


def params() -> list[object]:
    marks = {name: pytest.mark.xfail(strict=True, reason=why) for name, why in KNOWN_WRONG.items()}
    return [
        pytest.param(case, id=case.id, marks=[marks[case.id]] if case.id in marks else [])
        for case in read_cases()
    ]


@pytest.mark.parametrize("case", params())
def test_case(case: Case) -> None:
    assert answer(ask(case), case.expect) == expected(case)
