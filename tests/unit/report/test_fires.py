import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from mlapath.findings.fires import Batch, StepInfo
from mlapath.report.annotated import (
    render_annotated,
    render_annotated_html,
    render_annotated_json,
)
from mlapath.report.fires_text import render_fires_json, render_fires_text
from support import firing_samples as samples
from support.schemas import validate_output


def text(*locations, verbosity=0):
    console = Console(file=io.StringIO(), width=400)
    render_fires_text([samples.report(*locations)], console, verbosity)
    return console.file.getvalue()


def test_json_is_as_the_schema_says():
    encoded = json.loads(render_fires_json([samples.report()]))
    validate_output(encoded)
    first = encoded["locations"][0]
    assert list(encoded)[:4] == ["schema", "tree", "scenario", "locations"]
    assert list(first)[:8] == [
        "at", "function", "verdict", "phases", "print", "evidence", "instead", "notes",
    ]  # fmt: skip
    assert list(first["phases"][0])[:7] == [
        "phase", "batch", "fires", "times", "process", "condition", "because",
    ]  # fmt: skip
    assert first["phases"][1]["condition"]["numbers"] == {"reorder_batch_threshold": 512}
    both = json.loads(render_fires_json([samples.report()] * 2))
    validate_output(both)
    assert [r["schema"] for r in both["reports"]] == ["mlapath.fires/1"] * 2


def test_a_verdict_stands_with_its_reason_and_what_a_print_does():
    shown = text(samples.conditional())
    assert "mla_attention.py:2380 MLACommonImpl.forward_mha" in shown
    assert "CONDITIONAL: when a request of the step has more than 512 new tokens" in shown
    assert "a print here shows: in steps: prefill (conditional)" in shown
    assert "print instead in" in shown
    assert "counts as a decode here" in shown
    assert "per layer per step" in shown


@pytest.mark.parametrize(
    ("graph", "padded", "said"),
    [
        ("FULL", 4, "decode, 3 new tokens; a FULL CUDA graph is taken, of 4 tokens"),
        ("NONE", 3, "decode, 3 new tokens; no CUDA graph is taken"),
        (None, None, "decode, 3 new tokens; which CUDA graph is taken is not known"),
    ],
)
def test_a_given_step_stands_above_the_answers(graph, padded, said):
    step = StepInfo("1@8x3", Batch.DECODE, 3, graph, padded)
    report = replace(samples.report(), step=step)
    console = Console(file=io.StringIO(), width=400)
    render_fires_text([report], console)
    shown = console.file.getvalue()
    assert "a step of batch 1@8x3" in shown
    assert said in shown
    encoded = json.loads(render_fires_json([report]))
    validate_output(encoded)
    assert encoded["step"] == {"batch": "1@8x3", "kind": "decode", "tokens": 3,
                               "cuda_graph": graph, "padded_tokens": padded}  # fmt: skip


def test_phases_in_which_nothing_runs_show_when_verbose():
    assert "nothing calls it there" not in text(samples.conditional())
    assert "nothing calls it there" in text(samples.conditional(), verbosity=1)


def test_quiet_is_one_line_for_each_place():
    shown = text(verbosity=-1).splitlines()
    assert len([line for line in shown if line]) == 5


@pytest.mark.parametrize(
    ("location", "said"),
    [
        (samples.never(), "a print here ends the start-up: torch.compile traces it"),
        (samples.never(), "isinstance(self.impl, Sparse) → True"),
        (samples.unproven(), "what a print here does is not known"),
        (samples.unproven(), "named at a.py:1"),
        (samples.unproven(), "per layer (4)"),
        (samples.comment(), "a comment line"),
    ],
)
def test_what_is_said(location, said):
    assert said in text(location)


def test_only_the_first_blockers_show_unless_verbose():
    assert "not excluded  d" not in " ".join(text(samples.unproven()).split("  "))
    assert len(text(samples.unproven(), verbosity=1)) > len(text(samples.unproven()))


def annotated(*, only_path=False):
    console = Console(file=io.StringIO(), width=200)
    render_annotated(samples.annotated(), console, only_path=only_path)
    return console.file.getvalue().splitlines()


def test_an_annotated_file_has_a_mark_before_each_line():
    lines = annotated()
    assert lines[0].startswith("vllm/x.py")
    assert lines[2:] == [
        "    1 + import x  # config",
        "    2",
        "    3 ~ if <x>:  # → True (index_topk=2048); prefill?",
        "    4 -     a\\x1b[31m = 1",
        "    5       # aside",
        "    6 ?         b = 1",
        "    7 - c = 1  # compiled",
    ]


def test_dead_lines_fold():
    assert annotated(only_path=True)[-3:] == [
        "        … 2 lines that never run", "    6 ?         b = 1", "    7 - c = 1  # compiled",
    ]  # fmt: skip


def test_other_formats_of_an_annotated_file():
    encoded = json.loads(render_annotated_json(samples.annotated(), only_path=False))
    assert encoded["schema"] == "mlapath.annotated/1"
    assert encoded["lines"][2] == {
        "line": 3, "text": "if <x>:", "verdict": "conditional", "phases": ["prefill?"],
        "guard": "True (index_topk=2048)",
    }  # fmt: skip
    short = json.loads(render_annotated_json(samples.annotated(), only_path=True))
    assert [x["line"] for x in short["lines"]] == [1, 2, 3, 6, 7]
    page = render_annotated_html(samples.annotated(), only_path=True)
    assert "if &lt;x&gt;:" in page
    assert "… 2 lines that never run" in page
    assert "\x1b" not in render_annotated_html(samples.annotated(), only_path=False)
