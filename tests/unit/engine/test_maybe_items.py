from mlapath.values.value import Union
from support.unknowns import with_unknown


def test_items_that_may_be_there_do_not_hide_the_best_of_those_that_are():
    run = with_unknown(
        """
        best = []
        best.append((1, "first"))
        if u: best.append((2, "second"))
        low = min(best, key=lambda pair: pair[0])[1]
        high = max(best, key=lambda pair: pair[0])[1]
        some = bool(best)
        size = len(best)
        none = size == 0
        rest = []
        if u: rest.append("only")
        one = min(rest)
        for x in u: best.append((0, x))
        lost = min(best, key=lambda pair: pair[0])
        """
    )
    assert [run.plain(name) for name in ("low", "some", "none", "one")] == [
        "first", True, False, "only"
    ]  # fmt: skip
    assert type(run.value("high").d) is Union
    assert (run.unknown("size").lo, run.unknown("size").hi) == (1, 2)
    assert "unknown items" in run.unknown("lost").why


def test_what_a_loop_of_unknown_length_appends_is_not_all_known():
    run = with_unknown(
        """
        n = 5
        found = [9]
        while some_lib.more():
            n -= 1
            if u.x: found.append(n)
        low = min(found)
        """
    )
    assert run.unknown("low").why
