"""Arguments of a call that depend on guards that are not known."""

import pytest

from mlapath.values.union import options
from support.differential import assert_same
from support.unknowns import with_unknown


def found(run, name):
    return {option.d for option in options(run.value(name))}


@pytest.mark.parametrize(
    "made",
    [
        "kwargs = {} if u else {'b': 5}",
        "kwargs = {}\nif u: kwargs['b'] = 5",
    ],
)
@pytest.mark.parametrize(
    "function",
    [
        "def f(a, b=2): return b",
        "def f(a, *, b=2): return b",
        "def f(a, **more): return more.get('b', 2)",
        "f = lambda a, b=2: b",
        (
            "class A:\n    def __init__(self, a, b=2): self.b = b\n"
            "def f(*a, **k): return A(*a, **k).b"
        ),
        "import functools\nf = functools.partial(lambda a, b=2: b)",
    ],
)
def test_a_keyword_that_may_be_missing(made, function):
    run = with_unknown(f"{function}\n{made}\nr = f(1, **kwargs)")
    assert found(run, "r") == {2, 5}
    assert not run.engine.trace.limits


def test_a_keyword_that_may_be_missing_of_a_library_function():
    run = with_unknown(
        """
        kept = [3]
        kwargs = {} if u else {"base": 16}
        r = int("10", **kwargs)
        some_lib.call(kept, **kwargs)
        """
    )
    assert found(run, "r") == {10, 16}
    assert run.plain("kept") == [3]
    assert not run.engine.trace.limits


def test_one_of_two_tuples_of_arguments():
    run = with_unknown(
        """
        def f(a, b=2): return a + b
        args = (1,) if u else (1, 5)
        r = f(*args)
        """
    )
    assert found(run, "r") == {3, 6}


def test_a_required_keyword_that_may_be_missing_may_fail():
    run = with_unknown(
        """
        def f(a): return a
        kwargs = {} if u else {"a": 5}
        try:
            r = f(**kwargs)
        except TypeError:
            r = "missing"
        """
    )
    assert found(run, "r") == {"missing", 5}


def test_a_call_with_keywords_that_may_be_missing_is_made_for_certain():
    run = with_unknown(
        """
        def f(a=1): return a
        def g():
            kwargs = {} if u else {"a": 5}
            return f(**kwargs)
        g()
        """
    )
    (edge,) = [e for e in run.engine.trace.calls.values() if e.callee == "subject.f"]
    assert edge.certain


def test_known_arguments():
    assert_same(
        """
        def f(*a, **k): return a, sorted(k.items())
        r = f(1, *(2, 3), *[4], x=1, **{"y": 2}, **dict(z=3))
        """,
        "r",
    )
