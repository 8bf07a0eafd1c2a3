from support.differential import assert_same, evaluate


def test_warnings_are_said_and_nothing_comes_back():
    assert_same(
        """
        import warnings, traceback, atexit
        def bye(): pass
        with warnings.catch_warnings() as c:
            warnings.simplefilter("ignore")
            n = warnings.warn("x", DeprecationWarning, stacklevel=2)
        try:
            1 / 0
        except ZeroDivisionError:
            t = isinstance(traceback.format_exc(), str)
        r = [c, n, atexit.register(bye) is bye, atexit.unregister(bye), t]
        """,
        "r",
    )


def test_what_was_caught_is_not_known():
    run = evaluate(
        """
        import warnings
        with warnings.catch_warnings(record=True) as caught:
            warnings.warn("x")
        n = len(caught)
        @warnings.deprecated("old")
        def f(): return 1
        r = f()
        """
    )
    run.unknown("n")
    assert run.plain("r") == 1


def test_what_runs_at_the_end_may_be_called():
    run = evaluate("import atexit\ndef bye(): pass\natexit.register(bye)\n")
    assert "subject.bye" in run.engine.trace.escaped
