import os

from mlapath.project.reference import render_project_reference


def test_the_page_is_what_the_schema_says(repo):
    page = repo / "docs" / "reference" / "project.md"
    if os.environ.get("MLAPATH_ACCEPT"):
        page.write_text(render_project_reference(), encoding="utf-8", newline="\n")
    hint = "run python -m mlapath.project.reference > docs/reference/project.md"
    assert page.read_text(encoding="utf-8") == render_project_reference(), hint
    rows = [r for r in render_project_reference().splitlines() if r.startswith("| `")]
    assert all(cell.strip() for row in rows for cell in row.strip("|").split("|"))
