import pytest

from support.differential import assert_same
from support.unknowns import with_unknown


def test_known_recursion_is_followed():
    assert_same(
        """
        def depth(d): return 1 + max((depth(x) for x in d), default=0)
        def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
        r = depth([[[]], []]), fib(12)
        """,
        "r",
    )


def test_recursion_over_something_unknown_ends():
    run = with_unknown(
        """
        count, seen = 0, []
        def walk(d):
            global count
            count += 1
            seen.append(1)
            for value in d.values():
                if isinstance(value, dict):
                    walk(value)
                if value:
                    walk(value)
            return 3
        r = walk(u)
        """
    )
    assert run.plain("r") == 3
    run.unknown("count")
    assert run.value("seen").d.open
    assert run.engine.budget.steps < 20_000
    assert any("recursion" in limit.why for limit in run.engine.trace.limits.values())


def test_equal_arguments_under_an_unknown_guard_end_too():
    run = with_unknown(
        """
        class A:
            def __init__(self): self.n, self.kept = 0, 1
            def f(self):
                self.n += 1
                if u.ask(): self.f()
                if u.ask(): return self.f()
                return 1
        a = A()
        r = a.f()
        n, kept = a.n, a.kept
        """
    )
    run.unknown("n")
    run.unknown("r")
    assert run.plain("kept") == 1


@pytest.mark.parametrize("levels", [1, 5])
def test_known_levels_under_an_unknown_guard_are_followed(levels):
    run = with_unknown(
        f"""
        def f(n, acc):
            if u: acc = acc + 0
            return acc if n == 0 else f(n - 1, acc + 1)
        r = f({levels}, 0) if u else {levels}
        """
    )
    assert run.plain("r") == levels
