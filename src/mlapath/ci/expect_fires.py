"""``--expect FILE:LINE=VERDICT`` of ``fires``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mlapath.ci.expect import Expectation, Mismatch
from mlapath.findings.fires import FiresReport


def find_fires_mismatches(
    reports: Sequence[FiresReport], expectations: Sequence[Expectation]
) -> Iterator[Mismatch]:
    """Hold each answer for an expected place against its verdict."""
    for report in reports:
        for expectation in expectations:
            for location in report.locations:
                asked = location.asked == expectation.target
                if asked and location.verdict is not expectation.verdict:
                    device = report.scenario.device.name
                    yield Mismatch(device, expectation, location.verdict, location.at)


__all__ = ["find_fires_mismatches"]
