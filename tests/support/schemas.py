"""Outputs held against the JSON Schemas, with every undescribed key forbidden."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from mlapath.findings.schema import NAMES, load_schema


def closed_validator(name: str) -> Draft202012Validator:
    """Give a validator for the schema ``name`` that refuses keys it does not describe."""
    resources = {f"{n}.json": Resource.from_contents(_closed(load_schema(n))) for n in NAMES}
    registry = Registry().with_resources(resources.items())
    return Draft202012Validator(resources[f"{name}.json"].contents, registry=registry)


def validate_output(encoded: dict[str, Any]) -> None:
    """Check a parsed output against the schema that it names."""
    name = encoded["schema"].removeprefix("mlapath.").replace("/", "-")
    closed_validator(name).validate(encoded)


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: _closed(value) for key, value in schema.items()}
    if schema.get("type") == "object" and "properties" in schema:
        result["additionalProperties"] = False
    return result
