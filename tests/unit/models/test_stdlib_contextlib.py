from support.differential import assert_same
from support.unknowns import with_unknown


def test_a_generator_manager_runs_around_the_body():
    assert_same(
        """
        from contextlib import contextmanager
        log = []
        @contextmanager
        def m(name, depth=1):
            log.append(("in", name, depth))
            try:
                yield name * 2
            finally:
                log.append(("out", name))
        with m("a") as x, m("b", depth=2) as y:
            log.append((x, y))
        @contextmanager
        def swallow():
            try:
                yield
            except ValueError as error:
                log.append(str(error))
        with swallow():
            raise ValueError("gone")
        """,
        "log x y",
    )


def test_a_manager_as_a_decorator_is_made_anew_for_each_call():
    assert_same(
        """
        from contextlib import contextmanager
        log = []
        @contextmanager
        def m():
            log.append("in")
            yield
            log.append("out")
        class A:
            @m()
            def f(self, x):
                log.append(x)
                return x + 1
        r = A().f(1), A().f(2), A.f.__name__
        """,
        "log r",
    )


def test_entered_by_hand_the_exit_comes_later():
    assert_same(
        """
        from contextlib import contextmanager
        current, log = None, []
        @contextmanager
        def use(value):
            global current
            old = current
            current = value
            log.append("in")
            try:
                yield value
            finally:
                current = old
                log.append("out")
        m = use(3)
        r = [m.__enter__(), current]
        log.append("body")
        r += [m.__exit__(None, None, None), current]
        """,
        "log r",
    )


def test_what_the_body_wrote_too_is_not_known_after_an_exit_by_hand():
    run = with_unknown(
        """
        from contextlib import contextmanager
        count = 0
        @contextmanager
        def m():
            global count
            count = 1
            yield
            count = count + 1
        c = m()
        c.__enter__()
        count = 10
        c.__exit__(None, None, None)
        """
    )
    run.unknown("count")


def test_suppress_catches_what_it_names_only():
    assert_same(
        """
        import contextlib
        log = []
        with contextlib.suppress(KeyError, ValueError):
            log.append(1)
            int("x")
            log.append(2)
        try:
            with contextlib.suppress(KeyError):
                int("x")
        except ValueError:
            log.append(3)
        with contextlib.suppress(ImportError):
            import module_that_is_not_there
            log.append(4)
        """,
        "log",
    )


def test_suppress_joins_the_alternative_that_raises():
    run = with_unknown(
        """
        import contextlib
        x = 0
        with contextlib.suppress(ValueError):
            if u:
                raise ValueError
            x = 1
        """
    )
    assert {o.d for o in run.value("x").d.options} == {0, 1}
    assert not [r for r in run.engine.trace.refusals if not r.guards]


def test_either_of_two_managers():
    run = with_unknown(
        """
        from contextlib import contextmanager, nullcontext
        state = "off"
        @contextmanager
        def on():
            global state
            state = "on"
            yield
            state = "off again"
        with on() if u else nullcontext():
            inside = state
        """
    )
    assert {o.d for o in run.value("inside").d.options} == {"on", "off"}
    assert {o.d for o in run.value("state").d.options} == {"off", "off again"}


def test_exit_stack_unwinds_in_reverse():
    assert_same(
        """
        from contextlib import ExitStack, contextmanager, suppress
        log = []
        @contextmanager
        def m(name):
            log.append("in " + name)
            yield name
            log.append("out " + name)
        class C:
            def __enter__(self): return self
            def __exit__(self, *exc): log.append(("exit", exc[0] is None))
        with ExitStack() as stack:
            r = [stack.enter_context(m("a")), stack.enter_context(m("b"))]
            stack.enter_context(C())
            stack.callback(log.append, "called")
            kept = stack.pop_all()
            log.append("body")
        log.append("after")
        kept.close()
        with ExitStack() as stack:
            stack.enter_context(suppress(ValueError))
            raise ValueError
        """,
        "log r",
    )


def test_an_exit_pushed_under_an_unknown_guard_may_run():
    run = with_unknown(
        """
        from contextlib import ExitStack
        state = 0
        def reset():
            global state
            state = 1
        with ExitStack() as stack:
            if u:
                stack.callback(reset)
        """
    )
    assert {o.d for o in run.value("state").d.options} == {0, 1}


def test_the_ready_made_managers():
    assert_same(
        """
        import contextlib, io
        log = []
        class T:
            def close(self): log.append("closed")
        with contextlib.closing(T()) as t: log.append(isinstance(t, T))
        with contextlib.nullcontext(5) as five: log.append(five)
        with contextlib.nullcontext() as none: log.append(none)
        with contextlib.redirect_stdout(io.StringIO()): log.append("quiet")
        class M(contextlib.AbstractContextManager):
            def __exit__(self, *exc): log.append("left")
        with M() as m: log.append(m.__class__.__name__)
        r = [isinstance(m, contextlib.AbstractContextManager),
             isinstance(3, contextlib.AbstractContextManager),
             isinstance(contextlib.nullcontext(), contextlib.AbstractContextManager)]
        """,
        "log r",
    )


def test_an_async_manager():
    run = with_unknown(
        """
        from contextlib import asynccontextmanager
        log = []
        @asynccontextmanager
        async def m():
            log.append("in")
            yield 1
            log.append("out")
        async def f():
            async with m() as x:
                log.append(x)
            return 3
        import asyncio
        r = asyncio.run(f())
        """
    )
    assert run.plain("log") == ["in", 1, "out"]
