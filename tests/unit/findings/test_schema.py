"""What is encoded is what the schemas describe: no more and no less."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mlapath.findings.encode import encode_report, encode_reports, encode_tree
from mlapath.findings.gate import GateResult
from mlapath.findings.schema import NAMES, load_schema
from mlapath.report.json_report import render_diff, render_gate, render_reports
from support import gates, samples
from support.schemas import closed_validator, validate_output


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_schemas(name):
    schema = load_schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"{name}.json"


@pytest.mark.parametrize("name", sorted(samples.all_reports()))
def test_reports(name):
    validate_output(json.loads(render_reports([samples.all_reports()[name]])))


def test_several_reports():
    validate_output(encode_reports(list(samples.all_reports().values())))
    validate_output(encode_reports([]))


def test_tree():
    validate_output(encode_tree(samples.tree()))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("outcome",), "fine"),
        (("refusal",), {"exception": "E"}),
        (("attention", 0, "targets", 0, "verdict"), "maybe"),
        (("attention", 0, "targets", 0, "evidence", 1, "at"), "vllm\\x.py:1"),
        (("attention", 0, "targets", 0, "evidence", 1, "at"), "vllm/x.py"),
        (("attention", 0, "layers"), []),
        (("unread_env",), [{"name": "X"}]),
        (("more",), 1),
    ],
)
def test_the_schema_refuses_what_is_wrong(path, value):
    encoded: Any = copy.deepcopy(encode_report(samples.sparse()))
    *way, last = path
    inner = encoded
    for step in way:
        inner = inner[step]
    inner[last] = value
    assert not closed_validator("report-1").is_valid(encoded)


def test_a_conditional_verdict_needs_its_condition():
    encoded: Any = encode_report(samples.dense())
    assert closed_validator("report-1").is_valid(encoded)
    encoded["attention"][0]["targets"][0]["condition"] = None
    assert not closed_validator("report-1").is_valid(encoded)


@pytest.mark.parametrize("found", [gates.gate(), GateResult("x")])
def test_checks(found):
    validate_output(json.loads(render_gate(found)))


@pytest.mark.parametrize("found", [gates.diff(), gates.walk()])
def test_diffs(found):
    validate_output(json.loads(render_diff(found)))
