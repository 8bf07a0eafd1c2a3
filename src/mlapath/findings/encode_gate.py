"""What a gate found as JSON-able data: ``mlapath.check/1``."""

from __future__ import annotations

from mlapath import __version__
from mlapath.findings.encode import encode_evidence
from mlapath.findings.gate import Finding, GateResult, Severity
from mlapath.scenario.config_file import JsonObject

CHECK_SCHEMA = "mlapath.check/1"


def encode_gate(result: GateResult) -> JsonObject:
    """Encode as ``mlapath.check/1`` (``schema/check-1.json``)."""
    every = [finding for checked in result.scenarios for finding in checked.findings]
    return {
        "schema": CHECK_SCHEMA,
        "mlapath": __version__,
        "tree": result.tree,
        "counts": {
            severity.value: sum(finding.severity is severity for finding in every)
            for severity in Severity
        },
        "scenarios": [
            {
                "scenario": checked.scenario,
                "error": checked.error,
                "findings": [encode_finding(finding) for finding in checked.findings],
            }
            for checked in result.scenarios
        ],
    }


def encode_finding(finding: Finding) -> JsonObject:
    """One finding; its scenario is said by what holds it."""
    return {
        "rule": finding.rule.id,
        "name": finding.rule.name,
        "severity": finding.severity.value,
        "subject": finding.subject,
        "message": finding.message,
        "at": finding.at,
        "before": finding.before,
        "after": finding.after,
        "cause": finding.cause,
        "evidence": encode_evidence(finding.evidence),
    }
