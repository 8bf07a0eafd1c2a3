"""check and diff for people: golden files."""

import io

import pytest
from rich.console import Console

from mlapath.report.diff_document import diff_blocks
from mlapath.report.gate_document import counts, gate_blocks
from mlapath.report.json_report import render_diff, render_gate
from mlapath.report.markdown import blocks_text
from mlapath.report.text import print_blocks
from support import gates
from support.golden import check_golden


def printed(blocks, width=10_000):
    console = Console(file=io.StringIO(), width=width, color_system=None, legacy_windows=False)
    print_blocks(blocks, console)
    return console.file.getvalue()


@pytest.mark.parametrize(("name", "verbosity"), [("quiet", -1), ("plain", 0), ("verbose", 1)])
def test_check(name, verbosity):
    check_golden(f"report/gate.{name}.txt", printed(gate_blocks(gates.gate(), verbosity)))


@pytest.mark.parametrize(("name", "verbosity"), [("quiet", -1), ("plain", 0), ("verbose", 1)])
@pytest.mark.parametrize("what", ["diff", "walk"])
def test_diff(what, name, verbosity):
    found = getattr(gates, what)()
    check_golden(f"report/{what}.{name}.txt", printed(diff_blocks(found, verbosity)))


def test_markdown():
    check_golden("report/diff.md", blocks_text(diff_blocks(gates.diff(), 0)))
    check_golden("report/walk.md", blocks_text(diff_blocks(gates.walk(), 0)))


def test_json():
    check_golden("report/gate.json", render_gate(gates.gate()))
    check_golden("report/diff.json", render_diff(gates.diff()))


def test_nothing_hostile_is_printed():
    for blocks in (gate_blocks(gates.gate(), 1), diff_blocks(gates.diff(), 1)):
        assert printed(blocks).replace("\n", "").isprintable()


def test_a_cause_that_stands_above_is_not_said_again():
    shown = printed(diff_blocks(gates.diff(), 0))
    assert shown.count(gates.CAUSE) == 1


def test_counts():
    assert counts((gates.verdict(), gates.note(), gates.note())) == "1 error, 2 notes"
    assert counts(()) == ""
