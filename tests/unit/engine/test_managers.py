import pytest

from mlapath.values.truth import Truth
from mlapath.values.union import options
from support.differential import FakeFacts, assert_same, evaluate
from support.unknowns import with_unknown


def test_class_managers_run_entry_body_and_exit_in_order():
    assert_same(
        """
        log = []
        class M:
            def __init__(self, swallows): self.swallows = swallows
            def __enter__(self): log.append("in"); return 7
            def __exit__(self, kind, exc, tb): log.append(kind is ValueError); return self.swallows
        with M(False) as got: log.append(got)
        with M(True):
            log.append("body")
            raise ValueError("x")
        """,
        "log got",
    )


def test_a_name_of_a_decorated_cached_property_is_the_attribute():
    run = evaluate(
        """
        import functools
        def twice(f):
            def wrapper(self): return f(self) * 2
            return wrapper
        class A:
            @functools.cached_property
            @twice
            def size(self): return 4
        a = A()
        first = a.size
        names = list(a.__dict__)
        """
    )
    assert run.plain("first") == 8
    assert run.plain("names") == ["size"]


def test_super_in_a_method_that_a_decorator_wraps():
    assert_same(
        """
        def plain(f):
            def wrapper(*args): return f(*args)
            return wrapper
        class A:
            def g(self): return 1
        class B(A):
            @plain
            def g(self): return super().g() + 1
        r = B().g()
        """,
        "r",
    )


def test_what_a_librarys_manager_gives_is_the_librarys():
    run = evaluate(
        """
        import some_lib
        with some_lib.session() as s:
            s.send(1)
        """,
        FakeFacts(modules={"some_lib": Truth.TRUE}),
    )
    assert run.unknown("s").lib.startswith("some_lib.")
    assert not run.engine.trace.limits


TWO_YIELDS = """
import contextlib
second = False
@contextlib.contextmanager
def either():
    global second
    if u.a:
        yield 1
    else:
        second = True
        yield 2
"""


def test_the_body_runs_in_each_alternative_that_yields():
    run = with_unknown(
        f"""{TWO_YIELDS}
called = 0
with either() as got:
    here = got
    if second:
        called = 1
"""
    )
    assert {o.d for o in options(run.value("here"))} == {1, 2}
    assert {o.d for o in options(run.value("called"))} == {0, 1}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return got", {1, 2}),
        ("if got == 1: return got", {1, "after"}),
        ("if got == 1: raise ValueError(got)", {"caught", "after"}),
    ],
)
def test_the_body_may_end_differently_in_each_alternative_that_yields(body, expected):
    run = with_unknown(
        f"""{TWO_YIELDS}
def f():
    try:
        with either() as got:
            {body}
    except ValueError:
        return "caught"
    return "after"
r = f()
"""
    )
    assert {o.d for o in options(run.value("r"))} == expected
