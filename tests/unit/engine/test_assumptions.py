"""What a guard assumes of an unknown value holds under the guard, and no longer."""

from mlapath.values.value import Union
from support.unknowns import with_unknown


def test_an_assumption_ends_with_its_guard():
    run = with_unknown(
        """
        first = 1 if u else 2
        second = 1 if u else 2
        if u: third = 1
        else: third = 2
        if u: fourth = 1
        else: fourth = 2
        """
    )
    for name in ("first", "second", "third", "fourth"):
        assert type(run.value(name).d) is Union, name


def test_an_assumption_of_one_side_ends_too():
    run = with_unknown(
        """
        v = some_lib.other()
        if v:
            if u: a = 1
            else: a = 2
        else:
            a = 3
        after = 1 if u else 2
        """
    )
    assert type(run.value("after").d) is Union


def test_it_holds_inside_and_after_a_side_that_leaves():
    run = with_unknown(
        """
        def inside():
            if u:
                return 1 if u else 2
            return 3
        def after():
            if u:
                return 9
            return 1 if u else 2
        r = inside(), after()
        seen = [x in (1, 3) for x in (inside(),)], [x in (9, 2) for x in (after(),)]
        """
    )
    assert run.plain("seen") == ([True], [True])
