"""What the pages show is what the commands print, on the real release."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlapath.cli.main import main
from support.examples import Example, examples, first_difference
from support.realtree import real_tree

ROOT = Path(__file__).resolve().parents[2]
PAGES = (
    "README.md",
    "docs/tutorial.md",
    "docs/ask-about-a-batch.md",
    "docs/compare-releases.md",
    "docs/draw-the-path.md",
    "docs/my-print-does-not-fire.md",
)
SHOWN = [e for page in PAGES for e in examples((ROOT / page).read_text("utf-8"))]


def test_the_pages_have_examples() -> None:
    assert len(SHOWN) >= 4
    assert all(e.words[0] in ("analyze", "matrix", "fires", "graph") for e in SHOWN)


def test_a_wrong_line_is_found() -> None:
    example = Example((), ("a", "…", "c …", "e"))
    assert first_difference(example, "a\nb\nc d\ne\nf") is None
    assert first_difference(example, "a\nb\nc d\nx\ne") == "'e', but it prints 'x'"
    assert first_difference(example, "b\na\nc d\ne") == "'a', but it prints 'b'"
    assert first_difference(example, "a\nb\nx\n") == "'c …'"


@pytest.mark.network
@pytest.mark.slow
@pytest.mark.parametrize("example", SHOWN, ids=lambda e: " ".join(e.words[5:]))
def test_output(
    example: Example, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for version in example.words[example.words.index("--vllm") + 1].split(","):
        real_tree(version)
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("COLUMNS", raising=False)  # whole lines, as in a pipe
    main(example.words)
    assert first_difference(example, capsys.readouterr().out) is None
