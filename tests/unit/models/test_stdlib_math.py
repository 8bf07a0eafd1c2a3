import pytest

from support.differential import assert_same
from support.unknowns import with_unknown


@pytest.mark.parametrize(
    "expression",
    [
        "ceil(2.1)", "floor(-2.1)", "trunc(2.9)", "gcd(12, 18)", "lcm(4, 6)", "prod([2, 3, 4])",
        "prod([], start=5)", "sqrt(16)", "log2(8)", "log(8, 2)", "isclose(0.1 + 0.2, 0.3)",
        "pi", "inf", "factorial(5)", "comb(5, 2)", "hypot(3, 4)", "fsum([0.1] * 3)",
        "isfinite(1.0)", "isqrt(17)", "pow(2, 3)", "modf(1.5)", "copysign(1, -2)",
    ],
)  # fmt: skip
def test_known_numbers(expression):
    assert_same(f"import math\nr = math.{expression}\n", "r")


def test_errors_are_those_of_cpython():
    assert_same(
        """
        import math
        r = []
        for f in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.ceil(math.inf),
                  lambda: math.gcd(1.5), lambda: math.ceil("a")):
            try:
                f()
            except (ValueError, TypeError, OverflowError) as error:
                r.append(type(error).__name__)
        """,
        "r",
    )


def test_ceil_of_a_class_with_its_own():
    assert_same(
        """
        import math
        class A:
            def __ceil__(self): return 7
        class N(int): pass
        r = [math.ceil(A()), math.ceil(N(3)), math.gcd(N(4), 6)]
        """,
        "r",
    )


def test_bounds_carry_through_rounding():
    run = with_unknown(
        """
        import math
        n = len(u)
        r = math.ceil(n / 2) >= 0
        s = math.sqrt(u) >= 0
        t = math.ceil(u)
        p = math.prod([1, u])
        """
    )
    assert run.plain("r") is True
    assert run.plain("s") is True
    assert run.unknown("t").hint == "int"
    run.unknown("p")
