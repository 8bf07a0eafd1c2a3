from support.unknowns import with_unknown


def test_bounds_of_a_quotient_hold_for_divisors_below_one():
    run = with_unknown(
        """
        import math
        n = min(len(u), 10)
        half, third = n / 0.5 > 10, n // 3 > 10
        whole = n // len(u.other) > 10
        fraction = n / math.sqrt(len(u)) > 10
        """
    )
    assert run.unknown("half").hint == "bool"
    assert run.plain("third") is False
    assert run.plain("whole") is False
    assert run.unknown("fraction").hint == "bool"
