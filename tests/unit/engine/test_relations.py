"""Numbers that are not known, and the sums and differences that relate them."""

import pytest

from mlapath.values.value import ABSENT, Unknown
from support.unknowns import with_unknown

START = """
class Box:
    def __init__(self, n): self.n = n
def count(low=0):
    n = int(some_lib.count())
    assert n >= low
    return n
total, part = count(1), count()
rest = total - part
both = total + part
box = Box(part)
"""


def bounds(test: str, value: str) -> tuple[object, object]:
    """The least and the greatest that ``value`` may be where ``test`` holds."""
    run = with_unknown(START + f"if {test}: r = {value}")
    d = next(option.d for option in run.value("r").d.options if option.d is not ABSENT)
    return (d.lo, d.hi) if type(d) is Unknown else (d, d)


@pytest.mark.parametrize(
    ("test", "value", "expected"),
    [
        ("rest <= 0", "part", (1, None)),
        ("rest <= 0", "box.n", (1, None)),
        ("rest == 0", "part", (1, None)),
        ("not rest", "part", (1, None)),
        ("not rest > 0", "part", (1, None)),
        ("part == 0", "rest", (1, None)),
        ("part <= 0", "rest", (1, None)),
        ("not part", "rest", (1, None)),
        ("part", "part", (1, None)),
        ("part", "box.n", (1, None)),
        ("part > 5", "both", (7, None)),
        ("both < 5", "total", (1, 4)),
        ("both < 5", "part", (0, 3)),
        ("both < 5", "rest", (-2, 4)),
        ("both == 1", "part", (0, 0)),
        ("both == 1", "rest", (1, 1)),
        ("rest > 3", "total", (4, None)),
        ("rest > 3", "part", (0, None)),
    ],
)
def test_what_a_guard_says_of_one_is_known_of_the_others(test, value, expected):
    assert bounds(test, value) == expected


def test_after_the_guard_nothing_is_known_any_more():
    run = with_unknown(START + "if rest <= 0: pass")
    assert (run.unknown("part").lo, run.unknown("part").hi) == (0, None)


def test_the_larger_of_the_two_is_positive_on_both_sides():
    run = with_unknown(START + "if rest > 0: part = total\nr = part > 0")
    assert run.plain("r") is True


SIGN = "\nif rest <= 0: r = {} > 0\nelse: r = True"


@pytest.mark.parametrize(
    "body",
    [
        "part = count()" + SIGN.format("part"),
        "rest = float(total) - part" + SIGN.format("part"),
        "for _ in u:\n  rest = total - part\n  part = count()" + SIGN.format("part"),
        "boxes = [Box(count()) for _ in u]\n"
        "for one in boxes:\n  for two in boxes: rest, n = total - one.n, two.n" + SIGN.format("n"),
    ],
)
def test_other_numbers_are_left_alone(body):
    assert with_unknown(START + "n = 0\n" + body).unknown("r").hint == "bool"


@pytest.mark.parametrize(
    "guard",
    ["if rest > 0: pass", "if part > 3: pass\nelse: pass", "if part: pass", "if not rest: pass"],
)
def test_what_is_learnt_on_one_side_only_is_forgotten_and_no_more(guard):
    run = with_unknown(START + "before = [part]\n" + guard)
    after, before = run.value("part").d, run.value("before").d.items[0].d
    assert after.root is before.root
    assert (after.lo, after.hi, after.text) == (0, None, before.text)


def test_numbers_that_were_told_apart_stay_the_same_number():
    run = with_unknown(START + "if rest > 0: x = part\nelse: x = part\nif x == 0: r = part == 0")
    assert [option.d for option in run.value("r").d.options] == [ABSENT, True]
