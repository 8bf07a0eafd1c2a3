import pytest

from mlapath.query.closure import Fact, check, stored_under
from mlapath.resolve.searches import Searches
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
        Fact("backend", "subject.py", 6), [layer], [run.engine.trace],
        Searches(tmp_path, ("subject.py",)), stored_under([layer]),
    )  # fmt: skip
    assert [site.function for site in found.sites[:2]] == ["__init__", "__init__"]
    assert [site.function for site in found.blockers] == blockers


TWO = """class Layer:
    def __init__(self):
        self.size = 1
        self.part = Part()

    def grow(self):
        self.size = 2


class Part:
    def __init__(self):
        self.size = 3


layer = Layer()
part = layer.part
"""


@pytest.mark.parametrize(("line", "blockers"), [(3, ["grow"]), (12, [])])
def test_a_fact_is_held_against_the_objects_that_it_is_of(tmp_path, line, blockers):
    (tmp_path / "subject.py").write_text(TWO, encoding="utf-8")
    run = evaluate(TWO)
    held = [run.value("layer").d, run.value("part").d]
    found = check(
        Fact("size", "subject.py", line), held, [run.engine.trace],
        Searches(tmp_path, ("subject.py",)), stored_under(held),
    )  # fmt: skip
    assert [site.function for site in found.blockers] == blockers


PARTS = """class Base:
    def start(self, size=1, wide=False):
        self.size = size
        if wide:
            self.size = 9


class Layer(Base):
    def __init__(self):
        self.start(2)
{again}

layer = Layer()
"""
CALLED_LATER = """
    def restart(self):
        self.start(3, wide=True)
"""
CALLED_FROM_OUTSIDE = """

class Other:
    def __init__(self, layer):
        layer.start(3, wide=True)
"""


@pytest.mark.parametrize(
    ("again", "blockers"), [("", []), (CALLED_LATER, [5]), (CALLED_FROM_OUTSIDE, [5])]
)
def test_a_part_of_construction_is_passed_by_like_the_constructor(tmp_path, again, blockers):
    text = PARTS.format(again=again)
    (tmp_path / "subject.py").write_text(text, encoding="utf-8")
    run = evaluate(text)
    layer = run.value("layer").d
    found = check(
        Fact("size", "subject.py", 3), [layer], [run.engine.trace],
        Searches(tmp_path, ("subject.py",)), stored_under([layer]),
    )  # fmt: skip
    assert [site.line for site in found.blockers] == blockers
