"""Questions that people asked about real deployments: mlapath gives their known answers."""

from __future__ import annotations

import pytest

from support.cases import Case, answer, ask, expected, read_cases

pytestmark = [pytest.mark.network, pytest.mark.slow]

KNOWN_WRONG: dict[str, str] = {
    "dcp-005a": "unproven: gathering the queries calls a memoised method that a loop of unknown "
    "length at start-up may have changed, for all the evaluator knows",
    "hyb-001a": "only the first pipeline stage is evaluated; the one MLA layer is on the second",
    "reach-002c": "conditional: that a step without prefills has decodes is not tracked",
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
