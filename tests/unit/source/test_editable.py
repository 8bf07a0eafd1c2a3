from pathlib import Path

import pytest

from mlapath.source.editable import mapped_package
from support.wheels import lay_out

FINDER = "__editable___vllm_1_0_finder.py"


@pytest.mark.parametrize("text", ["MAPPING: dict[str, str] = {!r}\n", "MAPPING = {!r}\n"])
def test_finder_is_read_not_run(tmp_path: Path, text: str) -> None:
    source = lay_out(tmp_path / "src", {"vllm/__init__.py": ""})
    bomb = "import nowhere\nraise SystemExit\n"
    mapping = {"vllm": str(source / "vllm")}
    site = lay_out(tmp_path / "site", {FINDER: bomb + text.format(mapping)})
    assert mapped_package(site, "vllm") == source
    assert mapped_package(site, "other") is None


@pytest.mark.parametrize(
    "text", ["MAPPING = {'vllm': f()}", "MAPPING = 3", "syntax error here", "", "X = {}"]
)
def test_finder_that_tells_nothing(tmp_path: Path, text: str) -> None:
    assert mapped_package(lay_out(tmp_path, {FINDER: text}), "vllm") is None


def test_finder_that_leads_nowhere(tmp_path: Path) -> None:
    site = lay_out(tmp_path, {FINDER: "MAPPING = {'vllm': '/nowhere/vllm'}"})
    assert mapped_package(site, "vllm") is None


def test_pth_lines(tmp_path: Path) -> None:
    source = lay_out(tmp_path / "src", {"vllm/__init__.py": ""})
    text = f"# words\nimport sys; sys.x = 1\n/nowhere\n{source}\n"
    site = lay_out(tmp_path / "site", {"__editable__.vllm.pth": text})
    assert mapped_package(site, "vllm") == source
