import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mlapath.base.clean import clean
from mlapath.ci.summary import MAX_BYTES, render_summary
from mlapath.findings.gate import Checked, GateResult
from mlapath.findings.model import EvidenceKind, EvidenceStep
from support import gate_samples as samples
from support.golden import check_golden

PARSER = MarkdownIt("commonmark").enable("table")


def shown(result):
    """The text of each heading, cell, item and paragraph, without its markup."""
    return [
        "".join(child.content for child in token.children)
        for token in PARSER.parse(render_summary(result))
        if token.type == "inline"
    ]


def html_of(result):
    return [
        token.content.strip()
        for token in PARSER.parse(render_summary(result))
        if token.type == "html_block"
    ]


def result_of(*findings):
    return GateResult("0.26.0", (Checked("s", findings),))


@pytest.mark.parametrize("name", sorted(samples.all_results()))
def test_golden(name):
    check_golden(f"ci/{name}.summary.md", render_summary(samples.all_results()[name]))


def test_the_table_has_a_row_for_each_scenario():
    texts = shown(samples.mixed())
    start = texts.index("scenario")
    assert texts[start : start + 10] == [
        *("scenario", "findings"),
        *("glm-5-h100", "1 error, 1 warning"),
        *("glm-5-a100", "no findings"),
        *("v3-b200", "1 note"),
        *("v3-cpu", "not checked"),
    ]
    assert texts[1] == "1 error, 1 warning, 1 note in 4 scenarios, 1 of them not checked."


def test_evidence_is_folded():
    html = html_of(samples.mixed())
    assert html == ["<details><summary>evidence</summary>", "</details>"]
    assert "set: is_sparse = self.impl.is_sparse → True" in " ".join(shown(samples.mixed()))


TEXTS = (st.text(max_size=30) | st.text("\\`*_[]()<>#|~&-+=!1. a\n/", max_size=20)).filter(clean)


@given(TEXTS, TEXTS)
def test_any_text_stands_for_itself(text, other):
    step = EvidenceStep(f"vllm/{other}.py:1", text, None, EvidenceKind.GUARD)
    finding = samples.verdict_changed(
        text, message=other, before=text, cause=None, evidence=(step,)
    )
    result = GateResult("0.26.0", (Checked(text, (finding,)),))
    texts = shown(result)
    one, two = clean(text), clean(other)
    assert texts.count(one) == 2  # a cell and a heading
    assert f"error MLA101 verdict-changed: {two} ({samples.LAYER}:551)" in texts
    assert f"before: {one}" in texts
    assert f"branch: {one} ({clean(f'vllm/{other}.py:1')})" in texts
    assert html_of(result) == ["<details><summary>evidence</summary>", "</details>"]


def test_scenarios_of_one_name_lose_nothing():
    twice = tuple(Checked("s", (samples.verdict_changed("s", message=m),)) for m in "ab")
    texts = " ".join(shown(GateResult("0.26.0", twice)))
    assert "verdict-changed: a" in texts
    assert "verdict-changed: b" in texts


def test_what_does_not_fit_is_left_out_evidence_first(monkeypatch):
    step = EvidenceStep("vllm/a.py:1", "x" * 500, None, EvidenceKind.GUARD)
    findings = [
        samples.verdict_changed("s", subject=f"s{at}", evidence=(step,) * 4) for at in range(20)
    ]
    monkeypatch.setattr("mlapath.ci.summary.MAX_BYTES", 9_000)
    text = render_summary(result_of(*findings))
    assert len(text.encode()) <= 9_000
    assert text.count("<details>") == 3
    assert text.count("MLA101") == 5
    assert text.endswith("Cut at GitHub's limit: 5 of 20 findings are shown.\n")


def test_many_scenarios_stay_below_the_limit():
    checked = tuple(Checked(f"scenario-{at:06}-é") for at in range(40_000))
    text = render_summary(GateResult("0.26.0", checked))
    assert MAX_BYTES - 400 < len(text.encode()) <= MAX_BYTES
    assert text.endswith("Cut at GitHub's limit: 0 of 0 findings are shown.\n")
