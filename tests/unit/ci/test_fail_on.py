from dataclasses import replace

import pytest

from mlapath.base.errors import UsageError
from mlapath.ci.fail_on import FailOn, parse_fail_on
from mlapath.ci.rules import RULES
from mlapath.findings.gate import Severity
from support import gates


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], FailOn(None)),
        (["error"], FailOn(Severity.ERROR)),
        (["error,note"], FailOn(Severity.NOTE)),
        (["never"], FailOn(None)),
        (["never", "mla402"], FailOn(None, frozenset({"MLA402"}))),
        (["verdict-changed", "warning"], FailOn(Severity.WARNING, frozenset({"MLA203"}))),
    ],
)
def test_words(words, expected):
    assert parse_fail_on(words) == expected


@pytest.mark.parametrize("word", ["eror", "MLA999", "verdict-chnged", "2"])
def test_wrong_words(word):
    with pytest.raises(UsageError, match="expected a severity, a rule or never"):
        parse_fail_on([word])


@pytest.mark.parametrize(
    ("severity", "number"),
    [(Severity.ERROR, 1), (Severity.WARNING, 2), (Severity.NOTE, 4), (None, 0)],
)
def test_what_fails(severity, number):
    assert len(FailOn(severity).failing(gates.gate())) == number


def test_the_findings_own_severity_counts():
    milder = replace(gates.verdict(), severity=Severity.NOTE)
    assert not FailOn(Severity.WARNING).fails(milder)
    assert FailOn(None, frozenset({milder.rule.id})).fails(milder)
    assert all(parse_fail_on([rule.name]).rules == {rule.id} for rule in RULES.values())
