"""``matrix`` and ``merge`` on the command line."""

import pytest

from mlapath.report.json_report import render_matrix
from support.eras import site
from support.matrices import matrix as sample


@pytest.fixture
def ask(run, models):
    def ask_main(*words):
        return run(
            "matrix", "--config", str(models / "deepseek-v3.2.json"), "--device", "h100",
            "--vllm", f"{site('0.16')},{site('0.26')}", "--set", "num_hidden_layers=4",
            "--jobs", "1", *words,
        )  # fmt: skip

    return ask_main


def test_a_table_with_what_changed(ask):
    ran = ask()
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].split() == [
        "tree", "outcome", "backend", "prefill", "threshold", "forward_mha", "forward_mqa",
    ]  # fmt: skip
    assert "conditional*" in lines[2]


def test_shards_are_merged(ask, run, tmp_path):
    files = [str(tmp_path / f"{number}.json") for number in (1, 2)]
    for number, file in enumerate(files, 1):
        assert ask(f"--shard={number}/2", "--output", f"json:{file}").code == 0
    whole = ask("--format", "json")
    assert run("merge", *files, "--format", "json").out == whole.out
    assert run("merge", files[1]).code == 2
    assert "row 1" in run("merge", files[1]).err


def test_a_row_without_an_answer_gives_exit_code_2(ask):
    ran = ask("--vllm", "nowhere", "--format", "csv")
    assert ran.code == 2
    assert len(ran.out.splitlines()) == 4
    assert "nowhere is neither" in ran.out


@pytest.mark.parametrize("text", [None, "{", "[]", '{"schema": "x"}', "[" * 100_000])
def test_what_is_no_matrix_is_one_line(run, tmp_path, text):
    file = tmp_path / "part.json"
    if text is not None:
        file.write_text(text)
    ran = run("merge", str(file))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert "part.json" in ran.err


def test_an_error_row_survives_merging(run, tmp_path):
    file = tmp_path / "all.json"
    file.write_text(render_matrix(sample()))
    ran = run("merge", str(file))
    assert ran.code == 2
    assert "0.26.0 cannot be read" in ran.out
