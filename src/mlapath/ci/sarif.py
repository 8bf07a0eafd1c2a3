"""SARIF 2.1.0, for GitHub's code scanning and every other reader of the standard."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Sequence
from urllib.parse import quote

from mlapath import __version__
from mlapath.base.clean import clean
from mlapath.base.short import shorten
from mlapath.ci.entries import Entry, Place, entries, place_of, step_line
from mlapath.findings.gate import GateResult, Rule, Severity
from mlapath.findings.model import EvidenceStep
from mlapath.scenario.config_file import JsonObject, JsonValue

# GitHub, "SARIF support for code scanning", and "SARIF results exceed one or more limits".
MAX_BYTES = 10 * 1024 * 1024
"""Of the file once it is compressed; a larger one is rejected."""
MAX_RESULTS = 5_000
"""Shown of a run (25,000 are accepted); the rest would be left out, the mildest first."""
MAX_STEPS = 1_000
"""Thread flow locations shown of a result (10,000 are accepted)."""
MAX_NAME = 255
"""Characters of a rule's name."""
MAX_DESCRIPTION = 1_024
"""Characters of a rule's short and full description."""

PACKAGES = "PACKAGES"
"""The base of code that was read: a folder with ``vllm/`` or ``transformers/``, wherever it is."""
PROJECT = "%SRCROOT%"
"""The base of the user's own files: the root of the checkout."""

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_BUDGETS = ((MAX_RESULTS, MAX_STEPS), (MAX_RESULTS, 50), (MAX_RESULTS, 10), (500, 2))
"""Results, and steps of each, to try until the file is small enough; the last always is."""
_MARGIN = 1024
_SYNTAX = re.compile(r"(?<=\{)(?=\d+\})|(?<=\])(?=\()")


def render_sarif(result: GateResult) -> str:
    """Give one run as ASCII with a newline at its end.

    A result's code flow is its evidence. What GitHub would not take or show is left out, the
    mildest findings and the middle of the evidence first, and a notification says so.
    """
    found = entries(result)
    text = ""
    for results, steps in _BUDGETS:
        document = _document(result, found, results, steps)
        text = json.dumps(document, indent=1, sort_keys=True, allow_nan=False) + "\n"
        if len(text) <= MAX_BYTES or len(zlib.compress(text.encode())) <= MAX_BYTES - _MARGIN:
            break
    return text


def _document(result: GateResult, found: Sequence[Entry], results: int, steps: int) -> JsonObject:
    kept = _gravest(found, results)
    rules = sorted({entry.finding.rule.id: entry.finding.rule for entry in kept}.items())
    driver: JsonObject = {
        "name": "mlapath",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for _, rule in rules],
    }
    index = {name: at for at, (name, _) in enumerate(rules)}
    run: JsonObject = {
        "tool": {"driver": driver},
        "invocations": [_invocation(result, len(found) - len(kept))],
        "originalUriBaseIds": {
            PACKAGES: {"description": _message("Where the packages lie whose code was read.")},
            PROJECT: {"description": _message("The root of the checkout.")},
        },
        "columnKind": "unicodeCodePoints",
        "results": [_result(entry, index, steps, result.project) for entry in kept],
        "properties": {"tree": clean(result.tree)},
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _gravest(found: Sequence[Entry], limit: int) -> list[Entry]:
    """At most ``limit`` of them, still in their order."""
    ranks = {severity: rank for rank, severity in enumerate(Severity)}
    by_rank = sorted(range(len(found)), key=lambda at: ranks[found[at].finding.severity])
    return [found[at] for at in sorted(by_rank[:limit])]


def _rule(rule: Rule) -> JsonObject:
    summary = _message(shorten(clean(rule.summary), MAX_DESCRIPTION))
    return {
        "id": rule.id,
        "name": shorten(rule.name, MAX_NAME),
        "shortDescription": summary,
        "fullDescription": summary,
        "help": _message(clean(rule.help) or clean(rule.summary)),
        "defaultConfiguration": {"level": rule.severity.value},
    }


def _invocation(result: GateResult, left_out: int) -> JsonObject:
    notes: list[JsonValue] = [
        {
            "level": "error",
            "message": _message(f"{clean(checked.scenario)}: {clean(checked.error)}"),
        }
        for checked in result.scenarios
        if checked.error is not None
    ]
    if left_out:
        text = (
            f"{left_out} findings are left out here, the mildest, to stay within GitHub's limits."
        )
        notes.append({"level": "warning", "message": _message(text)})
    successful = all(checked.error is None for checked in result.scenarios)
    return {"executionSuccessful": successful, "toolExecutionNotifications": notes}


def _result(entry: Entry, index: dict[str, int], steps: int, project: str) -> JsonObject:
    finding = entry.finding
    lines = [entry.headline, *(f"{label}: {text}" for label, text in entry.details)]
    facts = {label.rpartition(" ")[2]: text for label, text in entry.details}
    encoded: JsonObject = {
        "ruleId": finding.rule.id,
        "ruleIndex": index[finding.rule.id],
        "level": finding.severity.value,
        "message": _message("\n".join(lines)),
        "locations": [{"physicalLocation": _physical(entry.place)}],
        "partialFingerprints": {
            "mlapathFinding/v1": entry.fingerprint,
            # The only one that GitHub reads; its form there is a hash, a colon and a count.
            "primaryLocationLineHash": f"{entry.fingerprint}:1",
        },
        "properties": {"scenario": clean(finding.scenario), **facts},
    }
    if finding.evidence:
        flow: list[JsonValue] = [
            _step(text, place) for text, place in _chain(finding.evidence, steps, project)
        ]
        encoded["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    return encoded


def _chain(steps: Sequence[EvidenceStep], limit: int, project: str) -> list[tuple[str, Place]]:
    """The steps with their places; of a chain that is too long both ends, and how much is cut.

    What was given, which has no place in the tree, comes from the project file.
    """
    chain = [(step_line(step), place_of(step.at, project)) for step in steps]
    if len(chain) <= limit:
        return chain
    head, tail = (limit - 1) // 2, limit // 2
    cut = len(chain) - head - tail
    text, place = chain[head]
    return [*chain[:head], (f"{text} ({cut} steps, cut to this one)", place), *chain[-tail:]]


def _step(text: str, place: Place) -> JsonObject:
    return {"location": {"message": _message(text), "physicalLocation": _physical(place)}}


def _physical(place: Place) -> JsonObject:
    """A whole line: columns are not known, and an absent end column means the line's end."""
    return {
        "artifactLocation": {
            "uri": quote(place.file.lstrip("/"), safe="/", errors="surrogatepass"),
            "uriBaseId": PACKAGES if place.in_tree else PROJECT,
        },
        "region": {"startLine": place.line, "startColumn": 1, "endLine": place.line},
    }


def _message(text: str) -> JsonObject:
    """Plain text in which nothing is a placeholder or a link (SARIF 2.1.0, 3.11.5 and 3.11.6).

    A space breaks up what would be: ``{0}`` and ``a[i](b)``. Other braces stay as they are; few
    readers undo the doubling that the standard asks for.
    """
    return {"text": _SYNTAX.sub(" ", text)}
