"""``--expect``: verdicts that must hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mlapath.base.errors import UsageError
from mlapath.base.nearest import did_you_mean
from mlapath.base.verdict import Verdict
from mlapath.findings.model import Outcome, Report


@dataclass(frozen=True)
class Expectation:
    """``target`` must have ``verdict`` in every group of layers that it concerns."""

    target: str
    verdict: Verdict


@dataclass(frozen=True)
class Mismatch:
    """An expectation that does not hold: where, and what was found instead."""

    device: str
    expectation: Expectation
    found: Verdict
    layer: str | None

    def __str__(self) -> str:
        where = self.device if self.layer is None else f"{self.device}, {self.layer}"
        target, wanted = self.expectation.target, self.expectation.verdict.value
        return f"expectation failed: {target} is {self.found.value}, not {wanted} ({where})"


def parse_expectations(texts: Iterable[str]) -> tuple[Expectation, ...]:
    """Read ``TARGET=VERDICT`` arguments.

    Raises:
        UsageError: not of that form, no such verdict, or two verdicts for one target.
    """
    expectations: dict[str, Expectation] = {}
    for text in texts:
        target, equals, word = text.rpartition("=")
        if not equals or not target:
            raise UsageError(f"--expect {text!r}: expected TARGET=VERDICT")
        names = [verdict.value for verdict in Verdict]
        if word.lower() not in names:
            raise UsageError(
                f"--expect {text!r}: {word!r} is not a verdict ({', '.join(names)})"
                f"{did_you_mean(word, names)}"
            )
        expectation = Expectation(target, Verdict(word.lower()))
        if expectations.setdefault(target, expectation) != expectation:
            raise UsageError(f"--expect gives {target!r} two verdicts")
    return tuple(expectations.values())


def find_mismatches(
    reports: Sequence[Report], expectations: Sequence[Expectation]
) -> tuple[Mismatch, ...]:
    """Hold each report against each expectation.

    Where vLLM refuses before a layer is made, or no layer is MLA, no target runs: ``never``. An
    outcome that was not settled settles no target: ``unproven``.
    """
    return tuple(
        Mismatch(report.scenario.device.name, expectation, found, layer)
        for report in reports
        for expectation in expectations
        for layer, found in _verdicts(report, expectation.target)
        if found is not expectation.verdict
    )


def _verdicts(report: Report, target: str) -> Iterator[tuple[str | None, Verdict]]:
    spoken = False
    for group in report.attention:
        for verdict in group.targets:
            if verdict.target == target:
                spoken = True
                yield group.layers[0], verdict.verdict
    if spoken:
        return
    no_mla_layer = not any(group.mla for group in report.attention)
    settled = report.outcome is not Outcome.UNPROVEN and no_mla_layer
    yield None, Verdict.NEVER if settled else Verdict.UNPROVEN
