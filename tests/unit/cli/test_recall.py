"""What was said before is said again, as long as all it rests on is as it was."""

import os
from pathlib import Path

import pytest

from mlapath.base.stamps import stat_digest
from support import samples


@pytest.fixture
def tree(tmp_path, analysis) -> Path:
    file = tmp_path / "site" / "vllm" / "mla.py"
    file.parent.mkdir(parents=True)
    file.write_text("use = 1\n")
    root = str(tmp_path / "site")
    analysis.folders = ((root, "vllm", stat_digest(root, "vllm")),)
    return file


@pytest.fixture
def config(tmp_path, models) -> Path:
    file = tmp_path / "model" / "config.json"
    file.parent.mkdir()
    file.write_bytes((models / "glm-5.json").read_bytes())
    return file


@pytest.fixture
def ask(run, tree, config):
    def ask_main(*words: str, config: Path = config):
        return run("analyze", "--config", str(config), "--vllm=0.16.0", "--device", "h100", *words)

    return ask_main


def test_the_second_time_nothing_is_analysed(ask, analysis):
    first = ask("--expect=forward_mha=always")
    again = ask("--expect=forward_mha=always")
    assert len(analysis.requests) == 1
    assert (again.out, again.err, again.code) == (first.out, first.err, first.code)
    assert first.code == 1
    assert "not always" in first.err


def test_other_words_are_another_question(ask, analysis):
    ask()
    ask("-v")
    ask("--", "--enforce-eager")
    ask("--", "--kv-cache-dtype", "fp8")
    assert len(analysis.requests) == 4


@pytest.mark.parametrize("change", ["edit", "add", "remove", "config", "quant config"])
def test_a_file_that_changes_asks_again(ask, analysis, tree, config, change):
    ask()
    if change == "edit":
        tree.write_text("use = 2\n")
        os.utime(tree, ns=(1, 1))
    elif change == "add":
        tree.with_name("new.py").write_text("")
    elif change == "remove":
        tree.unlink()
    elif change == "config":
        config.write_text(config.read_text() + " ")
    else:
        config.with_name("hf_quant_config.json").write_text("{}")
    analysis.report = lambda _request: samples.refused()
    assert "rtx-pro-6000" in ask().out
    assert len(analysis.requests) == 2


@pytest.mark.parametrize("name", ["NO_COLOR", "COLUMNS", "UV_INDEX_URL"])
def test_a_variable_that_bears_on_the_answer_asks_again(ask, analysis, monkeypatch, name):
    ask()
    monkeypatch.setenv(name, "1")
    ask()
    assert len(analysis.requests) == 2


@pytest.mark.parametrize("words", [["--no-cache"], ["--inherit-env"], ["--output=text:-"]])
def test_what_does_more_than_say_is_run_each_time(ask, analysis, words):
    ask(*words)
    ask(*words)
    assert len(analysis.requests) == 2


def test_without_a_device_or_a_tree_the_machine_counts(run, analysis, config, tree):
    for _ in range(2):
        run("analyze", "--config", str(config), "--device", "h100")
        run("analyze", "--config", str(config), "--vllm=0.16.0")
    assert len([r for r in analysis.requests if r.scenario.device.name == "h100"]) >= 2


@pytest.mark.parametrize("words", [["--config", "{}"], ["--config={}"], ["--config=~/serve.yaml"]])
def test_a_flag_that_names_a_file_is_run_each_time(ask, analysis, tmp_path, monkeypatch, words):
    flags = tmp_path / "serve.yaml"
    flags.write_text("dtype: auto\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for _ in range(2):
        ask("--", *(word.format(flags) for word in words))
    assert len(analysis.requests) == 2


def test_a_link_that_leads_elsewhere_asks_again(ask, analysis, config, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "config.json").write_bytes(config.read_bytes())
    link = tmp_path / "link"
    link.symlink_to(config.parent, target_is_directory=True)
    ask(config=link)
    link.unlink()
    link.symlink_to(other, target_is_directory=True)
    ask(config=link)
    assert len(analysis.requests) == 2


def test_a_damaged_entry_is_run_again(ask, analysis, monkeypatch):
    ask()
    folder = Path(os.environ["MLAPATH_CACHE_DIR"]) / "said"
    (entry,) = folder.iterdir()
    entry.write_bytes(entry.read_bytes()[:-3])
    ask()
    assert len(analysis.requests) == 2
