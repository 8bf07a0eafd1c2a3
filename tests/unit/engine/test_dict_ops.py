import pytest

from mlapath.values.objects import OPEN
from support.differential import assert_same
from support.unknowns import with_unknown


@pytest.mark.parametrize("op", ["|", "&", "-", "^"])
def test_sets(op):
    assert_same(
        f"""
        a, b = {{1, 2, 3}}, {{3, 4}}
        r = a {op} b
        a {op}= b
        """,
        "r a",
    )


def test_dicts():
    assert_same(
        """
        from collections import OrderedDict, defaultdict
        a, b = {"x": 1, "y": 2}, {"y": 3, "z": 4}
        r = a | b
        a |= b
        c = {"x": 1}
        c |= [("q", 2)]
        d = {"x": 1}
        d |= OrderedDict(x=5)
        try:
            s = {1}
            s |= [2]
        except TypeError:
            t = "refused"
        """,
        "r a c d t",
    )


def test_keys_that_may_be_there():
    run = with_unknown(
        """
        b = {1}
        if u:
            b.add(2)
        a = {1, 2, 3}
        minus, both, either = a - b, a & b, {3} | b
        one, two, three = 1 in minus, 2 in minus, 3 in minus
        shared, maybe = 1 in both, 2 in both
        joined, new = 3 in either, 2 in either
        """
    )
    assert run.plain("one") is False
    assert run.plain("three") is True
    assert run.plain("shared") is True
    assert run.plain("joined") is True
    for name in ("two", "maybe", "new"):
        assert run.unknown(name).hint == "bool"


def test_with_something_unknown():
    run = with_unknown(
        """
        s, t, d = {1}, {1}, {"a": 1}
        s |= u
        t -= u
        d |= u
        kept, lost, value = 1 in s, 1 in t, d["a"]
        """
    )
    assert run.plain("kept") is True
    assert run.unknown("lost").hint == "bool"
    run.unknown("value")
    assert OPEN in run.value("s").d.data
    assert OPEN not in run.value("t").d.data


def test_what_is_taken_from_an_open_set_stays_open():
    run = with_unknown(
        """
        s = set(u)
        s.add(1)
        a, b, c = s - {1}, s & {1, 2}, {1, 2} - s
        n = len(a)
        one, two = 1 in b, 2 in b
        left = 1 in c
        """
    )
    run.unknown("n")
    assert run.plain("one") is True
    assert run.unknown("two").hint == "bool"
    assert run.plain("left") is False
    assert OPEN not in run.value("b").d.data
