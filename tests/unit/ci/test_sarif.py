import json
import re
import zlib
from dataclasses import replace
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mlapath.base.clean import clean
from mlapath.ci import sarif
from mlapath.ci.sarif import MAX_BYTES, MAX_RESULTS, MAX_STEPS, render_sarif
from mlapath.findings.gate import Checked, GateResult, Severity
from mlapath.findings.model import EvidenceKind, EvidenceStep
from support import gate_samples as samples
from support.golden import check_golden
from support.sarif_schema import SCHEMA

VALIDATOR = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)


def run_of(result):
    document = json.loads(render_sarif(result))
    VALIDATOR.validate(document)
    return document["runs"][0]


def result_of(*findings, **more):
    return GateResult("0.26.0", (Checked("s", findings),), **more)


@pytest.mark.parametrize("name", sorted(samples.all_results()))
def test_golden(name):
    result = samples.all_results()[name]
    check_golden(f"ci/{name}.sarif", render_sarif(result))
    run_of(result)


def test_the_schema_would_notice():
    document = json.loads(render_sarif(samples.mixed()))
    result = document["runs"][0]["results"][0]
    for broken in ({"level": "fatal"}, {"locations": []}, {"extra": 1}):
        bad = json.loads(json.dumps(document))
        bad["runs"][0]["results"][0] = {**result, **broken}
        assert not VALIDATOR.is_valid(bad)


def test_the_evidence_is_the_code_flow():
    (flow,) = run_of(samples.mixed())["results"][0]["codeFlows"]
    steps = [step["location"] for step in flow["threadFlows"][0]["locations"]]
    assert [step["message"]["text"] for step in steps] == [
        "config: index_topk → 2048",
        "set: is_sparse = self.impl.is_sparse → True",
        "branch: num_mha_tokens > 0",
    ]
    places = [step["physicalLocation"] for step in steps]
    assert [p["artifactLocation"]["uriBaseId"] for p in places] == [
        "%SRCROOT%",
        "PACKAGES",
        "PACKAGES",
    ]
    assert [p["region"]["startLine"] for p in places] == [1, 537, 551]


def test_rules_are_those_that_occur_and_every_result_points_at_its_own():
    run = run_of(samples.mixed())
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["MLA000", "MLA101", "MLA203", "MLA301"]
    assert [rules[r["ruleIndex"]] for r in run["results"]] == [r["ruleId"] for r in run["results"]]
    assert run_of(samples.all_results()["passed"])["tool"]["driver"]["rules"] == []


def test_an_error_is_a_result_so_that_alerts_stay_open_and_a_notification():
    run = run_of(samples.mixed())
    (invocation,) = run["invocations"]
    assert not invocation["executionSuccessful"]
    assert "no such file" in invocation["toolExecutionNotifications"][0]["message"]["text"]
    assert run["results"][-1]["ruleId"] == "MLA000"
    assert run_of(samples.all_results()["passed"])["invocations"][0]["executionSuccessful"]


@given(st.text(min_size=1).map("vllm/{}.py".format))
@example("vllm/a b%41?#[]:é\udc80.py")
@example("vllm/../\\x.py")
def test_uris_are_relative_and_decode_to_the_path(path):
    run = run_of(result_of(samples.verdict_changed(at=f"{path}:3", evidence=())))
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(uri, errors="surrogatepass") == path
    assert not uri.startswith("/")


TEXTS = (st.text(max_size=30) | st.text("{}0[]()\\x ", max_size=20)).map(clean)


@given(TEXTS)
@example("{0} and {12}")
@example("impls[i](args)")
@example('{"a": {0}}')
@example("{{0}} [[a]](b)")
def test_nothing_in_a_message_is_a_placeholder_or_a_link(text):
    run = run_of(result_of(samples.verdict_changed(message=text)))
    headline = run["results"][0]["message"]["text"].splitlines()[0]
    assert re.search(r"\{\d+\}|\[[^\]]*\]\(", headline) is None
    assert headline.replace(" ", "") == f"glm-5-h100: {text}".replace(" ", "")


def many(number, **changes):
    return [samples.verdict_changed(subject=f"s{at}", **changes) for at in range(number)]


def test_the_gravest_are_kept_in_their_order(monkeypatch):
    assert sarif._BUDGETS[0] == (MAX_RESULTS, MAX_STEPS)
    monkeypatch.setattr(sarif, "_BUDGETS", ((10, 5),))
    mild = many(11, severity=Severity.NOTE, evidence=())
    grave = [samples.verdict_changed(subject="grave", evidence=())]
    run = run_of(result_of(*mild, *grave))
    subjects = [r["properties"]["subject"] for r in run["results"]]
    assert subjects == [f"s{at}" for at in range(9)] + ["grave"]
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"].startswith("2 findings are left out")


def test_a_long_chain_keeps_both_ends_and_says_what_is_missing():
    chain = tuple(
        EvidenceStep(f"vllm/a.py:{at + 1}", f"x = {at}", None, EvidenceKind.ASSIGN)
        for at in range(MAX_STEPS + 5)
    )
    run = run_of(result_of(samples.verdict_changed(evidence=chain)))
    steps = run["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    texts = [step["location"]["message"]["text"] for step in steps]
    assert len(texts) == MAX_STEPS
    assert (texts[0], texts[-1]) == ("set: x = 0", f"set: x = {MAX_STEPS + 4}")
    assert [text for text in texts if "cut to this one" in text] == [
        "set: x = 499 (6 steps, cut to this one)"
    ]


def test_a_file_too_large_for_github_loses_evidence_first(monkeypatch):
    monkeypatch.setattr(sarif, "MAX_BYTES", 8_000)
    chain = tuple(
        EvidenceStep(f"vllm/a.py:{at + 1}", f"x{at * 7919}", None, EvidenceKind.ASSIGN)
        for at in range(300)
    )
    findings = [replace(finding, evidence=chain) for finding in many(5)]
    text = render_sarif(result_of(*findings))
    VALIDATOR.validate(json.loads(text))
    results = json.loads(text)["runs"][0]["results"]
    assert len(results) == 5
    assert len(results[0]["codeFlows"][0]["threadFlows"][0]["locations"]) == 50
    assert len(zlib.compress(text.encode())) <= 8_000


def test_even_the_worst_case_stays_below_the_limit():
    """Texts that do not compress, as long as an entry lets them be, at the last budget."""
    noise = [f"{at * 2654435761 % 2**64:x}" for at in range(500 * 70)]
    findings = [
        samples.verdict_changed(
            subject="".join(noise[at : at + 70]), message="".join(noise[at : at + 70])
        )
        for at in range(0, len(noise), 70)
    ]
    assert len(zlib.compress(render_sarif(result_of(*findings)).encode())) <= MAX_BYTES
