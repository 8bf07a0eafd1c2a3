"""What a summary tells of a step."""

from __future__ import annotations

from mlapath.ci import rules
from mlapath.ci.changes import changes
from mlapath.findings.diff import ScenarioDiff, TreeDiff
from mlapath.findings.gate import Finding, Rule


def finding(
    rule: Rule, subject: str, before: str, after: str, cause: str | None = None
) -> Finding:
    message = f"{subject.partition(' ')[0]}: {before} -> {after} (more)"
    return Finding(rule, rule.severity, "s", subject, message, None, before, after, cause)


VERDICT = finding(rules.VERDICT, "forward_mha (x)", "never", "conditional", "a guard")


def told(*scenarios: ScenarioDiff) -> list[tuple[tuple[str, ...], str, str | None, bool]]:
    found = changes(TreeDiff("1", "2", scenarios))
    return [(c.scenarios, c.text, c.because, c.grave) for c in found]


def test_scenarios_that_change_alike_share_a_line():
    other = finding(rules.VERDICT, "forward_mha (x)", "never", "conditional", "another guard")
    assert told(
        ScenarioDiff("a", (VERDICT,)), ScenarioDiff("b", (other,)), ScenarioDiff("c", (VERDICT,))
    ) == [
        (("a", "c"), "forward_mha: never -> conditional", "a guard", True),
        (("b",), "forward_mha: never -> conditional", "another guard", True),
    ]


def test_what_is_left_out():
    quiet = (
        finding(rules.SIGNATURE, "f", "a", "b"),
        finding(rules.CLASS, "backend class (x)", "a", "b"),
        finding(rules.SETTING, "model_runner", "none", "v1"),
    )
    assert told(ScenarioDiff("a", quiet)) == []
    kept = finding(rules.CLASS, "layer class (x)", "a", "b")
    setting = finding(rules.SETTING, "block_size", "16", "64", "vLLM sets it")
    assert [(text, why) for _, text, why, _ in told(ScenarioDiff("a", (kept, setting)))] == [
        (setting.message, None), (kept.message, None),
    ]  # fmt: skip


def test_an_outcome_says_it_all_and_an_error_comes_first():
    outcome = finding(rules.OUTCOME, "outcome", "runs", "refuses", "no")
    setting = finding(rules.SETTING, "block_size", "64", "16")
    assert told(ScenarioDiff("a", (setting, outcome, VERDICT)), ScenarioDiff("b", error="e")) == [
        (("b",), "not compared: e", None, True), (("a",), outcome.message, "no", True),
    ]  # fmt: skip
