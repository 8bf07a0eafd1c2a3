from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlapath.ci.entries import NOT_CHECKED, Place, count_severities, entries, place_of, step_line
from mlapath.findings.gate import Checked, GateResult, Severity
from mlapath.findings.model import EvidenceKind, EvidenceStep
from support import gate_samples as samples


def result_of(*findings):
    return GateResult("0.26.0", (Checked("s", findings),))


def fingerprints(*findings):
    return [entry.fingerprint for entry in entries(result_of(*findings))]


def test_findings_keep_their_order_and_an_error_is_one_more():
    found = entries(samples.mixed())
    assert [e.finding.rule.id for e in found] == ["MLA101", "MLA203", "MLA301", "MLA000"]
    assert found[-1].finding.rule is NOT_CHECKED
    assert found[-1].headline == "v3-cpu: could not be checked: models/v3.json: no such file"
    assert found[-1].details == ()


def test_an_error_comes_after_the_findings_of_its_scenario():
    checked = Checked("s", (samples.default_changed("s"),), error="stopped half-way")
    found = entries(GateResult("0.26.0", (checked,)))
    assert [e.finding.rule.id for e in found] == ["MLA203", "MLA000"]


@pytest.mark.parametrize(
    "changes",
    [
        {"at": "vllm/elsewhere.py:1"},
        {"at": None},
        {"message": "worded anew"},
        {"before": None, "after": "always", "cause": None},
        {"severity": Severity.NOTE},
        {"evidence": ()},
    ],
)
def test_a_fingerprint_survives_all_but_its_identity(changes):
    assert fingerprints(samples.verdict_changed(**changes)) == fingerprints(
        samples.verdict_changed()
    )


def test_a_fingerprint_is_fixed_for_ever():
    """Alerts that users have dismissed hang on it."""
    assert fingerprints(samples.verdict_changed()) == [
        "e0544b1b6c36af1ed17063ecaa4fe27f14662007687fc301bb1925a499af3320"
    ]


def test_rule_scenario_and_subject_tell_findings_apart():
    finding = samples.verdict_changed()
    others = [
        replace(finding, rule=samples.MOVED),
        replace(finding, scenario="other"),
        replace(finding, subject="other"),
    ]
    assert len({*fingerprints(finding, *others)}) == 4


@given(st.lists(st.tuples(*[st.text("ab\",[]' ", max_size=3)] * 2), min_size=2, max_size=5))
def test_fingerprints_are_unique_and_do_not_run_into_each_other(pairs):
    found = [samples.verdict_changed(scenario, subject=subject) for scenario, subject in pairs]
    assert len({*fingerprints(*found)}) == len(pairs)


def test_repeats_do_not_change_the_first():
    finding = samples.verdict_changed()
    first, second, third = fingerprints(finding, replace(finding, at="vllm/b.py:1"), finding)
    assert len({first, second, third}) == 3
    assert [first] == fingerprints(finding)


@pytest.mark.parametrize(
    ("at", "place"),
    [
        ("vllm/a.py:12", Place("vllm/a.py", 12, True)),
        ("vllm/a:3.py:12", Place("vllm/a:3.py", 12, True)),
        ("vllm/a.py", Place("vllm/a.py", 1, True)),
        ("vllm/a.py:0", Place("vllm/a.py:0", 1, True)),
        (None, Place("pyproject.toml", 1, False)),
    ],
)
def test_places(at, place):
    assert place_of(at, "pyproject.toml") == place


def test_a_step_reads_as_in_the_reports():
    step = EvidenceStep("vllm/a.py:1", "x =\n  y", "0", EvidenceKind.ASSIGN)
    assert step_line(step) == "set: x = y → 0"
    assert len(step_line(replace(step, value="z" * 9999))) == 1000


def test_counts():
    found = entries(samples.mixed())
    assert count_severities(found) == "2 errors, 1 warning, 1 note"
    assert count_severities(()) == "no findings"


def test_headline_and_details_are_single_lines_of_a_bounded_length():
    long = "a\n" * 9999
    (entry,) = entries(result_of(samples.verdict_changed(message=long, before=long)))
    for text in (entry.headline, dict(entry.details)["before"]):
        assert "\n" not in text
        assert len(text) == 1000
        assert text.endswith("…")
