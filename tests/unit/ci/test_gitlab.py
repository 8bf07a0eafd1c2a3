import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlapath.base.clean import clean
from mlapath.ci.gitlab import render_gitlab
from mlapath.findings.gate import Checked, GateResult, Severity
from support import gate_samples as samples
from support.golden import check_golden


def issues_of(*findings):
    return json.loads(render_gitlab(GateResult("0.26.0", (Checked("s", findings),))))


@pytest.mark.parametrize("name", sorted(samples.all_results()))
def test_golden(name):
    check_golden(f"ci/{name}.gitlab.json", render_gitlab(samples.all_results()[name]))


def test_what_gitlab_requires_is_there():
    for result in samples.all_results().values():
        text = render_gitlab(result)
        assert text.isascii()  # so there is no byte order mark either
        for issue in json.loads(text):
            assert {*issue} == {
                "check_name",
                "description",
                "fingerprint",
                "location",
                "severity",
            }
            assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
            assert issue["location"]["lines"]["begin"] >= 1
            assert not issue["location"]["path"].startswith("/")


def test_severities_rank_as_ours():
    found = [issues_of(samples.verdict_changed(severity=s))[0]["severity"] for s in Severity]
    assert found == ["major", "minor", "info"]


def test_equal_findings_have_fingerprints_of_their_own():
    issues = issues_of(samples.verdict_changed(), samples.verdict_changed(at="vllm/b.py:1"))
    assert len({issue["fingerprint"] for issue in issues}) == 2


@given(st.text())
def test_any_text_comes_back(text):
    (issue,) = issues_of(samples.verdict_changed(message=text, cause=text))
    headline = clean(f"glm-5-h100: {text}")
    assert issue["description"] == f"{headline}; first cause: {clean(text)}"
    json.dumps(issue, ensure_ascii=False).encode("utf-8")  # no half of a surrogate pair
