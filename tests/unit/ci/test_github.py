from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mlapath.base.clean import clean
from mlapath.ci.github import escape_data, escape_property, render_annotations
from mlapath.findings.gate import Checked, GateResult, Severity
from support import gate_samples as samples
from support.golden import check_golden

TEXTS = st.text() | st.text("%0ADd25:,=;\r\n ax", max_size=12)


def parse(line):
    """Read a line as the runner does: kind, properties, message; None for an ordinary line."""
    line = line.lstrip()
    end = line.find("::", 2)
    if not line.startswith("::") or end < 0:
        return None
    kind, _, listed = line[2:end].partition(" ")
    pairs = (item.split("=", 1) for item in listed.strip().split(",") if item)
    properties = {name: unescape(value, "\r\n:,%") for name, value in pairs}
    return kind, properties, unescape(line[end + 2 :], "\r\n%")


def unescape(text, characters):
    for character in characters:  # the percent sign comes last
        text = text.replace(f"%{ord(character):02X}", character)
    return text


def commands(result):
    """The commands of the output, which has nothing else."""
    lines = render_annotations(result).split("\n")
    assert lines.pop() == ""
    parsed = [parse(line) for line in lines]
    assert None not in parsed
    return parsed


def result_of(*findings):
    return GateResult("0.26.0", (Checked("s", findings),))


@pytest.mark.parametrize("name", sorted(samples.all_results()))
def test_golden(name):
    check_golden(f"ci/{name}.github.txt", render_annotations(samples.all_results()[name]))


@given(TEXTS)
@example("%0A")
@example("%250A::error::")
def test_data_survives_the_runner(text):
    escaped = escape_data(text)
    assert not any(c in escaped for c in "\r\n")
    assert unescape(escaped, "\r\n%") == text


@given(TEXTS)
@example("a,line=1::x%2C")
def test_properties_survive_the_runner(text):
    escaped = escape_property(text)
    assert not any(c in escaped for c in "\r\n:,")
    assert unescape(escaped, "\r\n:,%") == text


@given(TEXTS, TEXTS.filter(clean))
def test_each_finding_is_one_command_with_its_own_text(message, file):
    finding = samples.verdict_changed(message=message, at=f"{file}:7", cause=message)
    ((kind, properties, shown),) = commands(result_of(finding))
    assert kind == "error"
    assert properties == {
        "file": clean(file),
        "line": "7",
        "title": "MLA101 verdict-changed",
    }
    lines = shown.split("\n")
    assert lines[0] == clean(f"glm-5-h100: {message}")
    assert lines[-1] == f"first cause: {clean(message)}"


def test_severities_and_places():
    found = commands(samples.mixed())
    assert [(kind, p["file"].rpartition("/")[2], p["line"]) for kind, p, _ in found] == [
        ("error", "mla_attention.py", "551"),
        ("error", "mlapath.toml", "1"),
        ("warning", "mlapath.toml", "1"),
        ("notice", "attention.py", "12"),
    ]


@pytest.mark.parametrize("letter", ["a", "\U0001f600"])
def test_a_long_message_is_cut_where_the_runner_would(letter):
    long = letter * 1000
    finding = samples.verdict_changed(message=long, subject=long, before=long, after=long)
    ((_, _, shown),) = commands(result_of(replace(finding, cause=long)))
    assert len(shown.encode("utf-16-le")) // 2 in (4095, 4096)
    assert shown.endswith("…")


def test_the_last_of_a_kind_says_how_many_are_missing():
    def of(number, severity):
        return [
            samples.verdict_changed(subject=f"s{at}", severity=severity) for at in range(number)
        ]

    found = commands(result_of(*of(10, Severity.NOTE), *of(13, Severity.ERROR)))
    assert [kind for kind, _, _ in found] == ["error"] * 10 + ["notice"] * 10
    assert found[9][2] == "4 more of this kind: see the job summary"
    assert found[8][2].startswith("glm-5-h100: ")
    assert all("more of this kind" not in message for _, _, message in found[10:])
