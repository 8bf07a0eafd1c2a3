import json
from dataclasses import replace

from mlapath.report.json_report import render_reports, render_tree
from support import samples
from support.golden import check_golden

REPORTS = samples.all_reports()


def test_golden():
    for name, report in REPORTS.items():
        check_golden(f"report/{name}.json", render_reports([report]))
    check_golden("report/tree.json", render_tree(samples.tree()))


def test_infinity_is_text():
    scenario = samples.scenario(engine_args={"a": [float("inf")], "b": {"c": float("nan")}})
    encoded = json.loads(render_reports([replace(REPORTS["plain"], scenario=scenario)]))
    assert encoded["scenario"]["engine_args"] == {"a": ["inf"], "b": {"c": "nan"}}


def test_ascii_one_document_one_newline():
    text = render_reports(list(REPORTS.values()))
    assert text.isascii()
    assert text.endswith("}\n")
    assert len(json.loads(text)["reports"]) == len(REPORTS)
