"""``asyncio``: coroutines have run when they are called; loops and tasks hold what they gave."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.futures import done, future, future_class, outcome
from mlapath.models.stdlib_threading import LOCK, LOCKS, TRUTHY, error_class, queue_class
from mlapath.models.support import gives, instance, nothing
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
TASK, LOOP = "asyncio.Task", "asyncio.AbstractEventLoop"


def _first(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``run(coro)`` and the like: what the coroutine gave."""
    given = [*args, *(kwargs[k] for k in ("main", "aw", "coro", "fut", "future") if k in kwargs)]
    return outcome(it, given[0])


def _waited(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``wait_for(aw, timeout)``: it may be too late."""
    it.may_raise(it.frame, "asyncio.wait_for")
    return _first(it, args, kwargs)


def _task(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``create_task(coro)``: a task that has ended."""
    value = argument(args, kwargs, 0, "coro") or V(None)
    return done(it, TASK, outcome(it, value))


def _gather(it: Any, args: Args, kwargs: Kwargs) -> V:
    made = V(it.heap.list([outcome(it, value) for value in args]))
    return done(it, TASK, made)


def _elsewhere(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``to_thread(func, *args)``."""
    return future(it, TASK, lambda: it.call(args[0], args[1:], kwargs))


def _in_executor(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``loop.run_in_executor(executor, func, *args)``."""
    return future(it, TASK, lambda: it.call(args[2], args[3:], kwargs))


def _on_loop(fn: Fn) -> Fn:
    return lambda it, args, kwargs: fn(it, args[1:], kwargs)


def _later(index: int) -> Fn:
    """``call_soon(f, …)`` and the like: others call it."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        it.trace.escape(args[index])
        return V(None)

    return fn


def _loop_class(it: Any) -> V:
    methods: dict[str, Fn] = {
        "run_until_complete": _on_loop(_first), "create_task": _on_loop(_task),
        "run_in_executor": _in_executor, "create_future": _future, "call_soon": _later(1),
        "call_soon_threadsafe": _later(1), "call_later": _later(2), "call_at": _later(2),
        "add_signal_handler": _later(2), "remove_signal_handler": nothing, "close": nothing,
        "stop": nothing, "run_forever": nothing, "set_debug": nothing,
        "set_exception_handler": nothing, "set_default_executor": nothing,
        "is_running": gives("is_running", "bool"), "is_closed": gives("is_closed", "bool"),
        "time": gives("loop.time", "float"),
    }  # fmt: skip
    return V(make_class(it, LOOP, methods=methods, foreign=LOOP, facts=TRUTHY))


def _future(it: Any, args: Args, kwargs: Kwargs) -> V:
    return instance(it, library_class(it, "asyncio.Future"), {})


def _loop(raises: bool) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        if raises:
            it.may_raise(it.frame, "asyncio.get_running_loop")
        return instance(it, library_class(it, LOOP), {})

    return fn


def _lock(full: str) -> Factory:
    names = LOCKS[full.rpartition(".")[2]].split()
    methods = {name: LOCK[name] for name in ("__init__", *names)}
    enter: dict[str, Fn] = {"__aenter__": nothing, "__aexit__": nothing}
    return lambda it: V(make_class(it, full, methods={**methods, **enter}, facts=TRUTHY))


def _timeout_class(it: Any) -> V:
    methods: dict[str, Fn] = {"__init__": nothing, "__aenter__": lambda i, a, k: a[0],
                              "__aexit__": nothing, "reschedule": nothing}  # fmt: skip
    return V(make_class(it, "asyncio.Timeout", methods=methods, facts=TRUTHY))


def _timeout(it: Any, args: Args, kwargs: Kwargs) -> V:
    return instance(it, library_class(it, "asyncio.Timeout"), {})


LIBRARY = Library(
    functions={
        "asyncio.run": _first, "asyncio.shield": _first, "asyncio.wait_for": _waited,
        "asyncio.create_task": _task, "asyncio.ensure_future": _task, "asyncio.gather": _gather,
        "asyncio.wrap_future": _task, "asyncio.run_coroutine_threadsafe": _task,
        "asyncio.to_thread": _elsewhere, "asyncio.sleep": nothing,
        "asyncio.set_event_loop": nothing, "asyncio.set_event_loop_policy": nothing,
        "asyncio.get_event_loop": _loop(raises=True),
        "asyncio.get_running_loop": _loop(raises=True),
        "asyncio.new_event_loop": _loop(raises=False),
        "asyncio.timeout": _timeout, "asyncio.timeout_at": _timeout,
        "asyncio.iscoroutine": gives("asyncio.iscoroutine", "bool"),
        "asyncio.isfuture": gives("asyncio.isfuture", "bool"),
        "asyncio.wait": gives("asyncio.wait", "tuple"),
        "asyncio.as_completed": gives("asyncio.as_completed", "list"),
        "asyncio.all_tasks": gives("asyncio.all_tasks", "set"),
        "asyncio.current_task": gives("asyncio.current_task"),
    },
    values={
        "asyncio.Future": future_class("asyncio.Future"),
        TASK: future_class(TASK),
        LOOP: _loop_class,
        "asyncio.Timeout": _timeout_class,
        **{f"asyncio.{name}": _lock(f"asyncio.{name}") for name in LOCKS},
        **{f"asyncio.{name}": queue_class(f"asyncio.{name}") for name in (
            "Queue", "LifoQueue", "PriorityQueue")},
        "asyncio.CancelledError": error_class("asyncio.CancelledError", "BaseException"),
        "asyncio.TimeoutError": lambda it: it.builtins["TimeoutError"],
        **{f"asyncio.{name}": error_class(f"asyncio.{name}") for name in (
            "InvalidStateError", "QueueEmpty", "QueueFull")},
        "asyncio.IncompleteReadError": error_class("asyncio.IncompleteReadError", "EOFError"),
    },
    aliases={"asyncio.exceptions.CancelledError": "asyncio.CancelledError",
             "asyncio.events.AbstractEventLoop": LOOP},
)  # fmt: skip
