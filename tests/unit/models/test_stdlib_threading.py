import pytest

from support.differential import assert_same, evaluate
from support.unknowns import with_unknown


def test_locks_and_the_like():
    assert_same(
        """
        import threading
        lock, again = threading.Lock(), threading.RLock()
        with lock as held:
            with again:
                inside = True
        c = threading.Condition()
        with c:
            c.notify_all()
        local = threading.local()
        local.x = 5
        r = [held, inside, lock.acquire(), lock.release(), bool(threading.Event()), local.x,
             hasattr(local, "y"), threading.Event().set(), threading.get_ident() > 0]
        """,
        "r",
    )


def test_threads_are_noted_as_callers():
    run = evaluate(
        """
        import threading
        def work(): pass
        class Mine(threading.Thread):
            def __init__(self):
                super().__init__(daemon=True, name="mine")
            def run(self): pass
        t = threading.Thread(target=work, args=(1,))
        m = Mine()
        r = [t.start(), t.join(), m.start(), m.daemon, m.name, isinstance(m, threading.Thread)]
        alive = t.is_alive()
        """
    )
    assert run.plain("r") == [None, None, None, True, "mine", True]
    assert {"subject.work", "subject.Mine.run"} <= run.engine.trace.escaped
    run.unknown("alive")


def test_pools_do_their_work_at_once():
    assert_same(
        """
        from concurrent.futures import ThreadPoolExecutor, Future
        import concurrent.futures
        def f(x, y=1): return x + y
        def bad(): raise ValueError("no")
        with ThreadPoolExecutor(max_workers=2) as pool:
            a, b = pool.submit(f, 1), pool.submit(f, 2, y=5)
            m = list(pool.map(f, [1, 2]))
            c = pool.submit(bad)
        seen = []
        a.add_done_callback(lambda done: seen.append(done.result()))
        try:
            c.result()
        except ValueError as error:
            said = str(error)
        g = Future()
        g.set_result(9)
        one = [x.result() for x in concurrent.futures.as_completed([a])]
        r = [a.result(), b.result(timeout=1), m, said, seen, isinstance(a, Future), g.result(),
             str(c.exception()), a.exception(), one]
        """,
        "r",
    )


def test_work_that_may_raise():
    run = with_unknown(
        """
        from concurrent.futures import ThreadPoolExecutor
        def f():
            if u:
                raise ValueError("no")
            return 1
        future = ThreadPoolExecutor().submit(f)
        try:
            r = future.result()
        except ValueError:
            r = 2
        """
    )
    assert {o.d for o in run.value("r").d.options} == {1, 2}


def test_context_variables():
    assert_same(
        """
        from contextvars import ContextVar
        v, w = ContextVar("v", default=1), ContextVar("w")
        before = v.get(), v.get(7), w.get(8)
        token = v.set(2)
        during = v.get()
        v.reset(token)
        after = v.get()
        try:
            w.get()
        except LookupError:
            missing = True
        r = [before, during, after, missing, v.name]
        """,
        "r",
    )


@pytest.mark.parametrize("call", ["get()", "empty()", "qsize()", "get_nowait()"])
def test_what_is_in_a_queue_is_not_known(call):
    run = evaluate(
        f"""
        import queue
        q = queue.Queue()
        n = q.put(1)
        r = None
        try:
            r = q.{call}
        except queue.Empty:
            pass
        """
    )
    assert run.plain("n") is None
    run.unknown("r")
