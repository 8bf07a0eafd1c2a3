"""Dataclasses to JSON and back."""

import json

import pytest

from mlapath.base.plain import from_plain, to_plain
from mlapath.findings.model import Report
from support import samples


@pytest.mark.parametrize("name", sorted(samples.all_reports()))
def test_a_report_comes_back_as_it_was(name):
    report = samples.all_reports()[name]
    assert from_plain(Report, json.loads(json.dumps(to_plain(report)))) == report


def test_other_data_is_refused():
    plain = to_plain(samples.sparse())
    with pytest.raises(TypeError):
        from_plain(Report, {**plain, "colour": 1})
    with pytest.raises(ValueError, match="green"):
        from_plain(Report, {**plain, "outcome": "green"})
