import os

from mlapath.cli.reference import render_reference


def test_the_page_is_what_the_program_says(repo):
    page = repo / "docs" / "reference" / "cli.md"
    if os.environ.get("MLAPATH_ACCEPT"):
        page.write_text(render_reference(), encoding="utf-8", newline="\n")
    hint = "run python -m mlapath.cli.reference > docs/reference/cli.md"
    assert page.read_text(encoding="utf-8") == render_reference(), hint


def test_every_option_has_a_meaning():
    rows = [line for line in render_reference().splitlines() if line.startswith("| `")]
    assert len(rows) > 20
    assert all(line.rstrip("| ").endswith(".") for line in rows)
