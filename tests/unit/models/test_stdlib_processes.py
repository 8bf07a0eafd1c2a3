import signal

import pytest

from mlapath.models.stdlib_processes import SIGNALS
from support.differential import evaluate
from support.unknowns import with_unknown


def test_what_processes_say_is_not_known():
    run = evaluate(
        """
        import subprocess
        a = subprocess.run(["x"], capture_output=True, text=True)
        out, code = a.stdout, a.returncode
        b = subprocess.run(["x"], check=True)
        plain = b.stdout, b.returncode
        try:
            c = subprocess.check_output(["x"])
        except subprocess.CalledProcessError:
            c = None
        pipe = subprocess.PIPE, subprocess.DEVNULL
        kind = issubclass(subprocess.TimeoutExpired, subprocess.SubprocessError)
        """
    )
    assert run.unknown("out").hint == "str"
    assert run.unknown("code").hint == "int"
    assert run.plain("plain") == (None, 0)
    run.unknown("c")
    assert run.plain("pipe") == (-1, -3)
    assert run.plain("kind") is True


def test_processes_and_contexts():
    run = evaluate(
        """
        import multiprocessing
        from multiprocessing import Process
        def work(): pass
        p = Process(target=work)
        p.start()
        context = multiprocessing.get_context("spawn")
        q = context.Process(target=work)
        queue = context.Queue()
        r = [isinstance(p, Process), isinstance(q, Process), queue.put(1), p.join(),
             multiprocessing.cpu_count() > 0]
        name = multiprocessing.current_process().name
        parent = multiprocessing.parent_process()
        """
    )
    assert run.plain("r") == [True, True, None, None, True]
    assert "subject.work" in run.engine.trace.escaped
    assert run.unknown("name").hint == "str"
    run.unknown("parent")


def test_handlers_are_called_by_others():
    run = evaluate(
        """
        import signal
        def stop(number, frame): pass
        signal.signal(signal.SIGTERM, stop)
        """
    )
    assert "subject.stop" in run.engine.trace.escaped


@pytest.mark.skipif(not hasattr(signal, "SIGHUP") or signal.SIGUSR1 != 10, reason="not Linux")
@pytest.mark.parametrize("name", sorted(SIGNALS))
def test_numbers_of_signals(name):
    assert getattr(signal, name) == SIGNALS[name]


def test_pickles_and_addresses():
    run = with_unknown(
        """
        import pickle, socket
        a, b = pickle.dumps([1]), pickle.loads(u)
        host = socket.gethostname()
        same = socket.error is OSError
        kind = issubclass(pickle.PicklingError, pickle.PickleError)
        """
    )
    assert run.unknown("a").hint == "bytes"
    run.unknown("b")
    assert run.unknown("host").hint == "str"
    assert run.plain("same") is True
    assert run.plain("kind") is True


def test_where_a_tool_is():
    run = evaluate(
        """
        import os, subprocess
        with open(os.devnull, "w") as nothing:
            found = subprocess.check_output(["which", "nvcc"], stderr=nothing).decode().rstrip()
        text = subprocess.check_output(["which", "nvcc"], text=True)
        try:
            other = subprocess.check_output(["which", "some-tool"])
        except subprocess.CalledProcessError:
            other = None
        """
    )
    assert run.plain("found") == "/usr/bin/nvcc"
    assert run.plain("text") == "/usr/bin/nvcc\n"
    run.unknown("other")
