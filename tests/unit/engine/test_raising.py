import textwrap

import pytest

from mlapath.engine.control import PyRaise
from support.unknowns import with_unknown


def test_nested_tries_that_are_alike_are_told_apart():
    run = with_unknown(
        """
        r = []
        try:
            try:
                r.append(1)
            finally:
                r.append(2)
            try:
                r.append(3)
            except ValueError:
                r.append(4)
            some_lib.may_fail()
        except ValueError:
            r = "handled"
        """
    )
    assert not run.engine.tries
    assert {
        getattr(o.d, "items", o.d) and type(o.d).__name__ for o in run.value("r").d.options
    } == {
        "ListObj",
        "str",
    }


def test_what_a_library_may_raise_does_not_blur_what_is_raised_for_certain():
    with pytest.raises(PyRaise) as caught:
        with_unknown(
            """
            def work():
                try:
                    some_lib.may_fail()
                    raise ValueError("certain")
                finally:
                    some_lib.cleanup()

            try:
                work()
            finally:
                some_lib.cleanup()
            """
        )
    raised = caught.value
    assert (raised.exc.d.cls.name, raised.pos[0]) == ("ValueError", 7)


def test_alternatives_that_raise_do_not_blur_what_the_straight_path_raises():
    with pytest.raises(PyRaise) as caught:
        with_unknown(
            """
            try:
                if u:
                    raise KeyError("perhaps")
                raise ValueError("certain")
            finally:
                some_lib.cleanup()
            """
        )
    raised = caught.value
    assert (raised.exc.d.cls.name, raised.pos[0]) == ("ValueError", 7)


@pytest.mark.parametrize(
    "feared",
    [
        "some_lib.thing.missing",
        "{'a': 1}[some_lib.key()]",
        """
        try:
            some_lib.may_fail()
        except RuntimeError as error:
            raise RuntimeError("wrapped") from error
        """,
    ],
)
def test_what_an_operation_may_raise_does_not_blur_what_is_raised_for_certain(feared):
    inner = textwrap.indent(textwrap.dedent(feared).strip(), "        ")
    with pytest.raises(PyRaise) as caught:
        with_unknown(
            f"""
def work():
    try:
{inner}
        raise ValueError("certain")
    finally:
        done = True
try:
    work()
finally:
    done = True
"""
        )
    assert caught.value.exc.d.cls.name == "ValueError"
    assert not caught.value.feared


def test_one_of_two_exceptions_is_certain_the_straight_one_is_told():
    with pytest.raises(PyRaise) as caught:
        with_unknown(
            """
            try:
                if u:
                    raise ValueError("a")
                raise TypeError("b")
            finally:
                done = True
            """
        )
    raised = caught.value
    assert raised.exc.d.cls.name == "TypeError"
    assert raised.explicit


@pytest.mark.parametrize("use", ["x[0]", "x + [1]"])
def test_an_operation_that_fails_on_one_of_several_values_stands_in_no_ones_way(use):
    run = with_unknown(
        f"""
        def f():
            x = None if u else [1]
            return {use}
        def g():
            try:
                return f()
            finally:
                done = True
        r = f()
        s = g()
        """
    )
    raised = [part for r in run.engine.trace.refusals for part in r.raised.parts or (r.raised,)]
    assert raised
    assert all(part.possible for part in raised)


def test_an_operation_that_fails_in_a_function_that_is_one_of_several():
    run = with_unknown(
        """
        def bad(): return None[0]
        def good(): return 1
        r = (bad if u else good)()
        """
    )
    (refusal,) = run.engine.trace.refusals
    assert not refusal.raised.possible
