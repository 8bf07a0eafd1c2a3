import pytest

from mlapath.base.errors import UsageError
from mlapath.base.verdict import Verdict
from mlapath.ci.expect import Expectation, find_mismatches, parse_expectations
from support import samples

MHA_NEVER = Expectation("forward_mha", Verdict.NEVER)


def test_parse():
    assert parse_expectations(["forward_mha=never", "a.py:3=ALWAYS", "forward_mha=never"]) == (
        MHA_NEVER,
        Expectation("a.py:3", Verdict.ALWAYS),
    )


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        (["forward_mha"], "expected TARGET=VERDICT"),
        (["=never"], "expected TARGET=VERDICT"),
        (["forward_mha=nevr"], "did you mean never"),
        (["forward_mha="], "not a verdict"),
        (["f=never", "f=always"], "two verdicts"),
    ],
)
def test_wrong_forms(texts, problem):
    with pytest.raises(UsageError, match=problem):
        parse_expectations(texts)


def test_what_holds_and_what_does_not():
    wanted = [MHA_NEVER, Expectation("forward_mqa", Verdict.NEVER)]
    (mismatch,) = find_mismatches([samples.sparse()], wanted)
    assert str(mismatch) == (
        "expectation failed: forward_mqa is always, not never "
        "(h100, model.layers.0.self_attn.attn)"
    )


@pytest.mark.parametrize("report", [samples.refused(), samples.plain()])
def test_where_no_mla_layer_runs_every_target_is_never(report):
    assert find_mismatches([report], [MHA_NEVER]) == ()
    (mismatch,) = find_mismatches([report], [Expectation("forward_mha", Verdict.ALWAYS)])
    assert mismatch.found is Verdict.NEVER


def test_an_open_outcome_and_an_unspoken_target_hold_nothing():
    (mismatch,) = find_mismatches([samples.unproven()], [MHA_NEVER])
    assert mismatch.found is Verdict.UNPROVEN
    (mismatch,) = find_mismatches([samples.sparse()], [Expectation("other", Verdict.NEVER)])
    assert mismatch.found is Verdict.UNPROVEN


def test_every_report_counts():
    reports = [samples.sparse(), samples.dense(), samples.refused()]
    assert [m.found for m in find_mismatches(reports, [MHA_NEVER])] == [Verdict.CONDITIONAL]
