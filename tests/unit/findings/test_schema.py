"""What is encoded is what the schemas describe: no more and no less."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from mlapath.findings.encode import encode_report, encode_reports, encode_tree
from mlapath.findings.schema import NAMES, load_schema
from support import samples


def closed(schema: Any) -> Any:
    """Forbid every key that the schema does not describe."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        result["additionalProperties"] = False
    return result


def validator(name: str) -> Draft202012Validator:
    resources = [(n, Resource.from_contents(closed(load_schema(n)))) for n in NAMES]
    registry = Registry().with_resources((f"{n}.json", r) for n, r in resources)
    return Draft202012Validator(closed(load_schema(name)), registry=registry)


@pytest.mark.parametrize("name", NAMES)
def test_schemas_are_schemas(name):
    schema = load_schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"{name}.json"


@pytest.mark.parametrize("name", sorted(samples.all_reports()))
def test_reports(name):
    encoded = encode_reports([samples.all_reports()[name]])
    validator("report-1").validate(json.loads(json.dumps(encoded, allow_nan=False)))


def test_several_reports():
    encoded = encode_reports(list(samples.all_reports().values()))
    validator("reports-1").validate(encoded)
    validator("reports-1").validate(encode_reports([]))


def test_tree():
    validator("tree-1").validate(encode_tree(samples.tree()))


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
    assert not validator("report-1").is_valid(encoded)


def test_a_conditional_verdict_needs_its_condition():
    encoded: Any = encode_report(samples.dense())
    assert validator("report-1").is_valid(encoded)
    encoded["attention"][0]["targets"][0]["condition"] = None
    assert not validator("report-1").is_valid(encoded)
