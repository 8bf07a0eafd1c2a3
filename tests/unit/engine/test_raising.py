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
