import json
from dataclasses import replace

import pytest

from mlapath.base.errors import ConfigError
from mlapath.ci import lock as module
from mlapath.ci.lock import Asked, Entry, Lock, parse_lock, render_lock
from mlapath.ci.snapshot import Snapshot
from mlapath.ci.take import take
from support import samples


def lock():
    asked = Asked("models/glm-5.json", "00", "h100", ("-tp", "8"), {"A": "1"})
    return Lock(
        {
            name: Entry(asked, take(report), "0.16.0")
            for name, report in samples.all_reports().items()
        }
    )


def test_what_is_written_is_read_back():
    assert parse_lock(render_lock(lock()), "x") == lock()
    assert parse_lock(render_lock(Lock()), "x") == Lock()
    assert lock().versions == ("0.16.0",)


def test_it_is_json_that_does_not_depend_on_order():
    text = render_lock(lock())
    data = json.loads(text)
    assert data["schema"] == "mlapath.lock/1"
    assert list(data["scenarios"]) == sorted(data["scenarios"])
    turned = Lock(dict(reversed(lock().scenarios.items())))
    assert render_lock(turned) == text
    assert text.endswith("}\n")


def test_a_step_is_a_line_and_no_line_number_is_kept():
    text = render_lock(lock())
    assert '      ["guard", "num_mha_tokens > 0", "False"],\n' in text
    assert ".py:" not in text
    assert "cache/trees" not in text


def test_texts_that_utf8_lacks_are_escaped():
    entry = lock().scenarios["plain"]
    hostile = replace(entry, asked=replace(entry.asked, config="\ud800 … \x1b"))
    text = render_lock(Lock({"x": hostile}))
    assert text.encode()
    assert parse_lock(text, "x").scenarios["x"] == hostile


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda d: d.update(schema="mlapath.lock/99"), "this mlapath reads 'mlapath.lock/1'"),
        (lambda d: d.update(schema=3), "not a baseline"),
        (lambda d: d.update(extra=3), "unknown key 'extra'"),
        (lambda d: d["scenarios"]["x"].pop("asked"), "scenarios.x: missing 1 required"),
        (
            lambda d: d["scenarios"]["x"]["answer"].update(outcome=3),
            "answer.outcome: expected str",
        ),
        (lambda d: d["scenarios"]["x"]["answer"].update(groups={}), "groups: expected a list"),
        (lambda d: d["scenarios"]["x"]["answer"].update(settings=[]), "expected an object"),
        (
            lambda d: d["scenarios"]["x"]["answer"].update(settings={"a": []}),
            "settings.a: expected one of",
        ),
        (lambda d: d.update(scenarios=[]), "scenarios: expected an object"),
    ],
)
def test_a_file_that_is_something_else_is_one_line(change, problem):
    data = json.loads(render_lock(Lock({"x": lock().scenarios["plain"]})))
    change(data)
    with pytest.raises(ConfigError) as error:
        parse_lock(json.dumps(data), "mlapath.lock")
    assert str(error.value).startswith("mlapath.lock: ")
    assert problem in str(error.value)


@pytest.mark.parametrize("text", ["", "<<<<<<< ours\n{}", "[]", "{}", "[" * 100_000])
def test_no_baseline_at_all(text):
    with pytest.raises(ConfigError):
        parse_lock(text, "x")


def test_older_baselines_are_upgraded(monkeypatch):
    def upgrade(data):
        return {"schema": module.SCHEMA, "scenarios": data["answers"]}

    monkeypatch.setattr(module, "UPGRADES", {"mlapath.lock/0": upgrade})
    old = {"schema": "mlapath.lock/0", "answers": {}}
    assert parse_lock(json.dumps(old), "x") == Lock()


def test_defaults_are_left_out():
    text = render_lock(Lock({"x": Entry(Asked("c", "d", "h100"), Snapshot("runs"))}))
    assert '"answer": {\n    "outcome": "runs"\n   }' in text
