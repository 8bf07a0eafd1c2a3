"""What another release of a companion changes is said to come from it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mlapath.app.ask import Answer
from mlapath.app.blame import blamed
from mlapath.app.parallel import Told
from mlapath.app.request import AnalyzeRequest, TreeRequest
from mlapath.ci import rules
from mlapath.ci.compare import Sides, compare
from mlapath.ci.take import take
from mlapath.findings.gate import Finding
from mlapath.findings.model import Report
from mlapath.scenario.config_file import ModelConfig
from mlapath.scenario.devices import parse_device
from mlapath.scenario.scenario import Scenario
from support import samples

REQUEST = AnalyzeRequest(
    TreeRequest("0.31.0"), Scenario(ModelConfig("c", {}), parse_device("h100"))
)
SAID = "transformers 5.17.0 -> 5.19.0"


def of(report: Report, version: str, layers: int = 61) -> Report:
    (group,) = report.attention
    names = tuple(f"model.layers.{n}.self_attn.attn" for n in range(layers))
    return replace(
        report, tree=replace(report.tree, companions={"transformers": version}),
        attention=(replace(group, layers=names),),
    )  # fmt: skip


BEFORE = of(samples.sparse(), "5.17.0", 28)
AFTER = of(samples.sparse(), "5.19.0", 56)


def against(report: Report) -> tuple[Finding, ...]:
    return compare(Sides("prod", take(BEFORE), take(report), report))


@pytest.fixture
def again(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What the second question is told, and the questions."""
    asked: list[AnalyzeRequest] = []

    def answered(report: Report | None) -> list[AnalyzeRequest]:
        told = Told(None, "offline") if report is None else Told(Answer(report, ()))
        monkeypatch.setattr(
            "mlapath.app.blame.ask_all", lambda requests, *_: (asked.extend(requests), [told])[1]
        )
        return asked

    return answered


def causes(after: Report = AFTER) -> dict[str, str | None]:
    found = blamed(against(after), take(BEFORE), after, REQUEST, against)
    return {finding.rule.id: finding.cause for finding in found}


def test_a_difference_that_the_old_release_does_not_make_is_its(again: Any) -> None:
    asked = again(of(samples.sparse(), "5.17.0", 28))
    assert causes() == {rules.LAYERS.id: SAID, rules.COMPANION.id: None}
    (request,) = asked
    assert request.scenario.packages.present == {"transformers": "5.17.0"}
    assert request.tree == REQUEST.tree


def test_a_difference_that_stays_is_vllms(again: Any) -> None:
    again(of(samples.sparse(), "5.17.0", 56))
    assert causes()[rules.LAYERS.id] is None


def test_the_step_that_differs_is_still_named(again: Any) -> None:
    again(BEFORE)
    (group,) = AFTER.attention
    target = group.targets[0]
    other = replace(samples.SPARSE_CHAIN[1], value="False")
    targets = (replace(target, evidence=(samples.SPARSE_CHAIN[0], other)), *group.targets[1:])
    found = causes(replace(AFTER, attention=(replace(group, targets=targets),)))
    assert found[rules.LAYERS.id] == SAID
    assert str(found[rules.CHAIN.id]).startswith(f"{SAID}: ")


def test_nothing_is_blamed_where_the_old_release_cannot_be_had(again: Any) -> None:
    again(None)
    assert causes()[rules.LAYERS.id] is None
    again(of(samples.sparse(), "5.18.0", 28))
    assert causes()[rules.LAYERS.id] is None


def test_a_release_that_this_vllm_refuses_tells_nothing(again: Any) -> None:
    again(replace(samples.refused(), tree=BEFORE.tree))
    assert causes()[rules.LAYERS.id] is None


@pytest.mark.parametrize(("version", "layers"), [("5.19.0", 28), ("5.17.0", 56)])
def test_nothing_is_asked_without_need(again: Any, version: str, layers: int) -> None:
    asked = again(BEFORE)
    causes(of(samples.sparse(), version, layers))
    assert asked == []
