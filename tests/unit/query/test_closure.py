import pytest

from mlapath.query.closure import Fact, check, stored_under
from support.differential import evaluate

CLASS = """class Layer:
    def __init__(self, given=None):
        if given is not None:
            self.backend = given
        else:
            self.backend = "own"
"""
LATE = """
    def swap(self):
        self.backend = "late"
"""
MADE = """
layer = Layer()
"""


@pytest.mark.parametrize(("late", "blockers"), [("", []), (LATE, ["swap"])])
def test_a_write_that_the_constructor_passed_by_is_no_blocker(tmp_path, late, blockers):
    text = CLASS + late + MADE
    run = evaluate(text)
    layer = run.value("layer").d
    (tmp_path / "subject.py").write_text(text, encoding="utf-8")
    found = check(
        Fact("backend", "subject.py", 6), [layer], [run.engine.trace], tmp_path, ["subject.py"],
        stored_under([layer]),
    )  # fmt: skip
    assert [site.function for site in found.sites[:2]] == ["__init__", "__init__"]
    assert [site.function for site in found.blockers] == blockers
