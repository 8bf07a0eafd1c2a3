"""What a guard that is not known says about names, on each of its sides."""

from mlapath.values.truth import Truth
from support.differential import FakeFacts, evaluate

LIB = FakeFacts(modules={"some_lib": Truth.TRUE})


def test_the_deciding_operand_is_narrowed_on_both_sides():
    run = evaluate(
        """
        import some_lib
        def f(sparse, forced):
            n = int(some_lib.count())
            if sparse and n > 0 and not asked(forced):
                n = 0
            return n > 0
        def asked(forced):
            return not forced
        narrowed, plain = f(True, True), f(False, True)
        """,
        LIB,
    )
    assert run.plain("narrowed") is False
    assert run.unknown("plain")


def test_an_or_is_narrowed_too():
    run = evaluate(
        """
        import some_lib
        def f(n, off):
            if off or n < 3:
                n = 5
            return n >= 3
        value = f(int(some_lib.count()), False)
        """,
        LIB,
    )
    assert run.plain("value") is True


def test_two_unknown_operands_narrow_nothing():
    run = evaluate(
        """
        import some_lib
        def f(n, m):
            if m > 0 and n > 0:
                n = 0
            return n > 0
        value = f(int(some_lib.count()), int(some_lib.other()))
        """,
        LIB,
    )
    assert run.unknown("value")


def test_the_truth_of_an_object_is_asked_once():
    run = evaluate(
        """
        asked = []
        class Odd:
            def __bool__(self):
                asked.append(1)
                return True
        if len(asked) == 0 and Odd():
            count = len(asked)
        """
    )
    assert run.plain("count") == 1
