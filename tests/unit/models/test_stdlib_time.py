from support.differential import assert_same, evaluate
from support.unknowns import with_unknown


def test_spans_of_time():
    assert_same(
        """
        from datetime import timedelta
        import time
        a, b = timedelta(minutes=2), timedelta(seconds=30)
        r = [a.total_seconds(), (a + b).seconds, (a - b).total_seconds(), a > b, a == b * 4,
             (a * 2).seconds, a / b, str(a), bool(timedelta()), bool(a), {a: 1}[timedelta(0, 120)],
             time.sleep(0), (-a).days, isinstance(a, timedelta), a // 2 == timedelta(minutes=1)]
        """,
        "r",
    )


def test_clocks_are_not_known():
    run = evaluate(
        """
        import time
        from datetime import datetime, timezone, timedelta
        t = time.time()
        later = t > -1
        n = time.monotonic_ns()
        now = datetime.now(timezone.utc)
        text = now.strftime("%Y")
        kind = isinstance(now, datetime)
        year = now.year
        after = now + timedelta(days=1)
        """
    )
    assert run.unknown("t").hint == "float"
    assert run.plain("later") is True
    assert run.unknown("n").hint == "int"
    assert run.unknown("text").hint == "str"
    assert run.plain("kind") is True
    run.unknown("year")
    run.unknown("after")


def test_spans_that_are_not_known():
    run = with_unknown(
        """
        from datetime import timedelta
        a = timedelta(seconds=u)
        r, s = a.total_seconds(), a > timedelta(1)
        """
    )
    run.unknown("r")
    assert run.unknown("s").hint == "bool"
