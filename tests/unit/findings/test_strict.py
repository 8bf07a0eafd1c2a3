from dataclasses import replace

from mlapath.base.verdict import Verdict
from mlapath.findings.strict import apply_strict, is_complete
from support import samples


def verdicts(report):
    return [target.verdict for group in report.attention for target in group.targets]


def test_a_never_under_an_open_assumption_falls():
    strict = apply_strict(samples.sparse())
    assert verdicts(samples.sparse()) == [Verdict.NEVER, Verdict.ALWAYS]
    assert verdicts(strict) == [Verdict.UNPROVEN, Verdict.ALWAYS]
    assert strict.attention[0].targets[0].blockers == (
        "never only under unconfirmed assumptions: A3",
    )


def test_a_confirmed_assumption_carries():
    report = samples.sparse()
    target = report.attention[0].targets[0]
    confirmed = replace(target, assumptions=("A1",))
    group = replace(report.attention[0], targets=(confirmed,))
    assert verdicts(apply_strict(replace(report, attention=(group,)))) == [Verdict.NEVER]


def test_complete():
    assert is_complete(samples.sparse())
    assert is_complete(samples.refused())
    assert is_complete(samples.plain())
    assert not is_complete(samples.unproven())
    assert not is_complete(apply_strict(samples.sparse()))
