"""JUnit's XML, as Jenkins, GitLab and most other CI systems read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree as ET

from mlapath.base.clean import clean
from mlapath.ci.entries import NOT_CHECKED, Entry, by_scenario, step_line
from mlapath.findings.gate import GateResult

_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def render_junit(result: GateResult) -> str:
    """Give a suite for each scenario, and in it a failed case for each finding.

    A scenario without findings has one passed case; one that could not be checked has a case in
    error. There are no times: the same findings give the same text. All text is ``clean``, so
    that no character is left that XML forbids.
    """
    root = ET.Element("testsuites", {"name": clean(f"mlapath check {result.tree}")})
    counts: Counter[str] = Counter()
    for checked, found in by_scenario(result):
        suite, own = _suite(checked.scenario, found)
        root.append(suite)
        counts += own
    _count(root, counts)
    ET.indent(root, " ")
    return _HEAD + ET.tostring(root, encoding="unicode") + "\n"


def _suite(scenario: str, found: Iterable[Entry]) -> tuple[ET.Element, Counter[str]]:
    suite = ET.Element("testsuite", {"name": clean(scenario)})
    counts: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for entry in found:
        suite.append(_case(entry, names))
        in_error = entry.finding.rule is NOT_CHECKED
        counts.update(("tests", "errors" if in_error else "failures"))
    if not counts:
        ET.SubElement(suite, "testcase", {"classname": clean(scenario), "name": "no findings"})
        counts["tests"] = 1
    _count(suite, counts)
    return suite, counts


def _case(entry: Entry, names: Counter[str]) -> ET.Element:
    """A case; readers take two of one name for one, so repeats are numbered."""
    finding = entry.finding
    name = clean(f"{finding.rule.id} {finding.rule.name}: {finding.subject}")
    names[name] += 1
    case = ET.Element(
        "testcase",
        {
            "classname": clean(finding.scenario),
            "name": name if names[name] == 1 else f"{name} ({names[name]})",
            "file": clean(entry.place.file),
            "line": str(entry.place.line),
        },
    )
    kind = "error" if finding.rule is NOT_CHECKED else "failure"
    fault = ET.SubElement(case, kind, {"type": finding.rule.id, "message": entry.headline})
    fault.text = "\n".join(_body(entry))
    return case


def _body(entry: Entry) -> Iterable[str]:
    finding = entry.finding
    yield f"severity: {finding.severity.value}"
    yield f"at: {clean(entry.place.file)}:{entry.place.line}"
    yield from (f"{label}: {text}" for label, text in entry.details)
    yield f"what to do: {clean(finding.rule.help)}"
    if finding.evidence:
        yield "evidence:"
    for step in finding.evidence:
        yield f"  {step_line(step)}" + ("" if step.at is None else f" ({clean(step.at)})")


def _count(element: ET.Element, counts: Mapping[str, int]) -> None:
    for kind in ("tests", "failures", "errors"):
        element.set(kind, str(counts.get(kind, 0)))
    element.set("skipped", "0")
