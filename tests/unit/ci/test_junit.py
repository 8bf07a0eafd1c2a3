import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mlapath.base.clean import clean
from mlapath.ci.junit import render_junit
from mlapath.findings.gate import Checked, GateResult
from support import gate_samples as samples
from support.golden import check_golden

FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, 2.2


def suites_of(result):
    text = render_junit(result)
    assert FORBIDDEN.search(text) is None
    return list(ET.fromstring(text.encode("utf-8")))


@pytest.mark.parametrize("name", sorted(samples.all_results()))
def test_golden(name):
    check_golden(f"ci/{name}.junit.xml", render_junit(samples.all_results()[name]))


def test_scenarios_are_suites_and_findings_failed_cases():
    suites = suites_of(samples.mixed())
    assert [suite.get("name") for suite in suites] == [
        "glm-5-h100",
        "glm-5-a100",
        "v3-b200",
        "v3-cpu",
    ]
    outcomes = [[[part.tag for part in case] for case in suite] for suite in suites]
    assert outcomes == [[["failure"], ["failure"]], [[]], [["failure"]], [["error"]]]


@pytest.mark.parametrize("name", sorted(samples.all_results()))
def test_the_counts_are_those_of_the_cases(name):
    root = ET.fromstring(render_junit(samples.all_results()[name]))
    for element in (root, *root):
        counted = {
            "tests": len(element.findall(".//testcase")),
            "failures": len(element.findall(".//failure")),
            "errors": len(element.findall(".//error")),
            "skipped": 0,
        }
        assert {kind: int(element.get(kind)) for kind in counted} == counted


def test_cases_of_one_suite_have_names_of_their_own():
    finding = samples.verdict_changed()
    (suite,) = suites_of(GateResult("0.26.0", (Checked("s", (finding, finding, finding)),)))
    names = [case.get("name") for case in suite]
    base = "MLA101 verdict-changed: forward_mha"
    assert names == [base, f"{base} (2)", f"{base} (3)"]


@given(st.text())
@example("\x00\x0b\x1b\x85\ud800\ufffe\uffff\u2028")
@example("<![CDATA[]]>&amp;\"'\r\n\t ]]>")
def test_any_text_comes_back(text):
    finding = samples.verdict_changed(text, subject=text, message=text, cause=text)
    (suite,) = suites_of(GateResult("0.26.0", (Checked(text, (finding,)),)))
    assert suite.get("name") == clean(text)
    (case,) = suite
    assert case.get("classname") == clean(text)
    assert case.get("name") == clean(f"MLA101 verdict-changed: {text}")
    (failure,) = case
    assert failure.get("message") == clean(f"{text}: {text}")
    assert "evidence:" in failure.text.split("\n")
