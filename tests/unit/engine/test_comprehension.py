"""Comprehensions: what they do is certain only as far as their items and filters are."""

from mlapath.values.truth import Truth
from support.differential import assert_same
from support.unknowns import with_unknown


def test_over_known_items():
    assert_same(
        """
        a = [x * y for x in range(3) if x for y in range(x) if y != 1]
        b = {k: v for k, v in zip("ab", (1, 2))}
        c = sorted({x % 2 for x in range(5)})
        d = list(x for x in range(3))
        """,
        "a b c d",
    )


def test_effects_over_an_unknown_iterable_are_repeated_any_number_of_times():
    run = with_unknown(
        """
        log, count = [], 0
        def note(x):
            global count
            count += 1
            log.append(x)
        made = [note(x) for x in u]
        """
    )
    assert run.value("log").d.open
    assert run.unknown("count").hint == "int"
    assert run.value("made").d.open


def test_an_exception_under_an_unknown_filter_is_not_certain():
    run = with_unknown(
        """
        def fail(x):
            raise ValueError(x)
        made = [fail(x) for x in (1, 2) if u]
        log = []
        also = [log.append(x) for x in (1, 2) if u]
        after = 1
        """
    )
    assert run.plain("after") == 1
    assert run.value("log").d.open or not run.value("log").d.items
    assert any(r.raised.explicit for r in run.engine.trace.refusals)


def test_calls_under_an_unknown_filter_are_not_certain():
    run = with_unknown(
        """
        def f(x):
            return x
        made = [f(x) for x in (1, 2) if u]
        def g(x):
            return x
        sure = [g(x) for x in (1, 2)]
        """
    )
    calls = {edge.callee: edge.certain for edge in run.engine.trace.calls.values()}
    assert calls["subject.f"] is False
    assert calls["subject.g"] is True


def test_an_open_list_may_lack_the_items_it_shows():
    run = with_unknown(
        """
        items = [1]
        items.extend(u)
        ran = []
        made = [ran.append(x) for x in items]
        some = bool(made)
        """
    )
    assert run.engine.truth(run.value("made")) is Truth.UNKNOWN
    assert run.value("ran").d.open
