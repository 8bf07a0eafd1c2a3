"""The gate on real releases: the how-to's five commands, and what changed at known releases."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from mlapath.cli.main import main
from support.examples import Example, first_difference
from support.realtree import MODELS, real_tree

PAGE = Path(__file__).resolve().parents[2] / "docs" / "upgrade-gate.md"

pytestmark = [pytest.mark.network, pytest.mark.slow]


def test_the_five_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = PAGE.read_text("utf-8")
    commands = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)[0].splitlines()[1:]
    shown = re.findall(r"```text\n(.*?)```", text, re.DOTALL)[0].splitlines()
    for version in ("0.25.1", "0.26.0"):
        real_tree(version)
    shutil.copy(MODELS / "deepseek-v3.2.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    codes = [main(shlex.split(command)[1:]) for command in commands[:-1]]
    assert codes == [0, 0, 0]
    assert capsys.readouterr().out.splitlines()[-1] == "deepseek-v3.2 OK"
    last = tuple(shlex.split(commands[-1])[1:])
    assert main(last) == 1
    assert first_difference(Example(last, tuple(shown)), capsys.readouterr().out) is None


def _found(before: str, after: str, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """The findings of DeepSeek-V3.2 on an H100 by rule, four layers."""
    for version in (before, after):
        real_tree(version)
    config = str(MODELS / "deepseek-v3.2.json")
    words = ["--config", config, "--device=h100", "--set=num_hidden_layers=4", "--format=json"]
    assert main(["diff", before, after, *words, "--jobs=1"]) == 0
    ((scenario,),) = [s["scenarios"] for s in json.loads(capsys.readouterr().out)["steps"]]
    assert scenario["error"] is None
    return {f["rule"] + " " + f["message"]: f["cause"] for f in scenario["findings"]}


def test_sparse_prefill_may_take_mha_from_0_26(capsys: pytest.CaptureFixture[str]) -> None:
    found = _found("0.25.1", "0.26.0", capsys)
    causes = [c for m, c in found.items() if m.startswith("MLA203 forward_mha: never -> cond")]
    (cause,) = causes
    assert "isinstance(self.impl, SparseMLAAttentionImpl) → True" in cause


def test_the_layers_class_moves_at_0_29(capsys: pytest.CaptureFixture[str]) -> None:
    found = _found("0.28.0", "0.29.0", capsys)
    assert any(m.startswith("MLA301 ") and "vllm.models.deepseek_v32" in m for m in found)
