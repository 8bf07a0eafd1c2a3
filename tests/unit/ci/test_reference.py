import os

from mlapath.ci.reference import render_rules


def test_the_page_is_what_the_rules_say(repo):
    page = repo / "docs" / "reference" / "rules.md"
    if os.environ.get("MLAPATH_ACCEPT"):
        page.write_text(render_rules(), encoding="utf-8", newline="\n")
    hint = "run python -m mlapath.ci.reference > docs/reference/rules.md"
    assert page.read_text(encoding="utf-8") == render_rules(), hint
