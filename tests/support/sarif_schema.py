"""What we write of SARIF 2.1.0, as a schema written by hand from the standard's text.

It is stricter than the standard: every property that is not listed is refused, so a file that is
valid here is valid there. GitHub's requirements (SARIF support for code scanning) are in it, too.
"""

from __future__ import annotations

from typing import Any


def _object(required: str, optional: str = "", **properties: Any) -> dict[str, Any]:
    names = {*required.split(), *optional.split()}
    assert names == set(properties), names ^ set(properties)
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def _list(items: Any, **limits: int) -> dict[str, Any]:
    return {"type": "array", "items": items, **limits}


def _text(limit: int | None = None) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, **({} if limit is None else {"maxLength": limit})}


LEVEL = {"enum": ["error", "warning", "note"]}
LINE = {"type": "integer", "minimum": 1}
MESSAGE = _object("text", text=_text())
DESCRIPTION = _object("text", text=_text(1024))
TEXTS = {"type": "object", "additionalProperties": {"type": "string"}}
URI = {"type": "string", "format": "uri-reference", "pattern": r"^[A-Za-z0-9_.~%/-]+$"}
PHYSICAL = _object(
    "artifactLocation region",
    artifactLocation=_object(
        "uri uriBaseId", uri=URI, uriBaseId={"enum": ["PACKAGES", "%SRCROOT%"]}
    ),
    region=_object(
        "startLine startColumn endLine", startLine=LINE, startColumn=LINE, endLine=LINE
    ),
)
STEP = _object(
    "location",
    location=_object("message physicalLocation", message=MESSAGE, physicalLocation=PHYSICAL),
)
CODE_FLOW = _object(
    "threadFlows",
    threadFlows=_list(
        _object("locations", locations=_list(STEP, minItems=1, maxItems=1000)),
        minItems=1,
        maxItems=1,
    ),
)
RESULT = _object(
    "ruleId ruleIndex level message locations partialFingerprints properties",
    "codeFlows",
    ruleId=_text(),
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=MESSAGE,
    locations=_list(
        _object("physicalLocation", physicalLocation=PHYSICAL), minItems=1, maxItems=1
    ),
    partialFingerprints=_object(
        "mlapathFinding/v1 primaryLocationLineHash",
        **{
            "mlapathFinding/v1": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "primaryLocationLineHash": {"type": "string", "pattern": "^[0-9a-f]{64}:1$"},
        },
    ),
    codeFlows=_list(CODE_FLOW, minItems=1, maxItems=1),
    properties=TEXTS,
)
RULE = _object(
    "id name shortDescription fullDescription help defaultConfiguration",
    id=_text(),
    name=_text(255),
    shortDescription=DESCRIPTION,
    fullDescription=DESCRIPTION,
    help=MESSAGE,
    defaultConfiguration=_object("level", level=LEVEL),
)
DRIVER = _object(
    "name version semanticVersion rules",
    name=_text(),
    version=_text(),
    semanticVersion=_text(),
    rules=_list(RULE, maxItems=25_000),
)
INVOCATION = _object(
    "executionSuccessful toolExecutionNotifications",
    executionSuccessful={"type": "boolean"},
    toolExecutionNotifications=_list(_object("level message", level=LEVEL, message=MESSAGE)),
)
BASE = _object("description", description=MESSAGE)
RUN = _object(
    "tool invocations originalUriBaseIds columnKind results properties",
    tool=_object("driver", driver=DRIVER),
    invocations=_list(INVOCATION, minItems=1, maxItems=1),
    originalUriBaseIds=_object("PACKAGES %SRCROOT%", **{"PACKAGES": BASE, "%SRCROOT%": BASE}),
    columnKind={"const": "unicodeCodePoints"},
    results=_list(RESULT, maxItems=5_000),
    properties=TEXTS,
)
SCHEMA = _object(
    "$schema version runs",
    **{
        "$schema": {"const": "https://json.schemastore.org/sarif-2.1.0.json"},
        "version": {"const": "2.1.0"},
        "runs": _list(RUN, minItems=1, maxItems=1),
    },
)
