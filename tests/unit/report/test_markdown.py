import pytest

from mlapath.report.markdown import render_markdown
from support import samples
from support.golden import check_golden

REPORTS = samples.all_reports()


@pytest.mark.parametrize("name", sorted(REPORTS))
def test_golden(name):
    check_golden(f"report/{name}.md", render_markdown([REPORTS[name]]))


def test_golden_several():
    check_golden("report/several.md", render_markdown([REPORTS["sparse"], REPORTS["refused"]]))


def test_hostile_text_stays_text():
    text = render_markdown([REPORTS["unproven"], REPORTS["plain"]])
    assert not any(c in text for c in "\x1b\r\u202e")
    assert "\\[bold\\]" in text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1


def test_code_with_backticks_is_fenced_longer():
    assert "`` x\\x1b[31m | `y`" in render_markdown([REPORTS["unproven"]])
