"""``threading``, ``queue``, ``concurrent.futures``, ``contextvars``, ``_thread``."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.futures import future, future_class
from mlapath.models.support import gives, instance, nothing, unknown
from mlapath.values.objects import ClassObj
from mlapath.values.truth import Truth
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
TRUTHY: dict[str, Any] = {"truth": lambda it, value: Truth.TRUE}
FUTURE = "concurrent.futures.Future"


# -- locks ---------------------------------------------------------------------------------


def _acquire(it: Any, args: Args, kwargs: Kwargs) -> V:
    """It waits until it has the lock, unless it is told not to."""
    if len(args) > 1 or kwargs:
        return unknown("whether a lock was acquired", "bool")
    return V(True)


def _self(it: Any, args: Args, kwargs: Kwargs) -> V:
    return args[0]


def _wait_for(it: Any, args: Args, kwargs: Kwargs) -> V:
    return unknown("whether a condition came to hold", "bool")


LOCK: dict[str, Fn] = {
    "__init__": nothing, "acquire": _acquire, "release": nothing, "__enter__": _acquire,
    "__exit__": nothing, "locked": gives("locked", "bool"), "notify": nothing,
    "notify_all": nothing, "wait": gives("wait", "bool"), "wait_for": _wait_for,
    "is_set": gives("is_set", "bool"), "set": nothing, "clear": nothing, "abort": nothing,
    "reset": nothing,
}  # fmt: skip
LOCKS = {
    "Lock": "acquire release __enter__ __exit__ locked",
    "RLock": "acquire release __enter__ __exit__",
    "Condition": "acquire release __enter__ __exit__ notify notify_all wait wait_for",
    "Semaphore": "acquire release __enter__ __exit__",
    "BoundedSemaphore": "acquire release __enter__ __exit__",
    "Event": "is_set set clear wait", "Barrier": "wait abort reset",
}  # fmt: skip


def lock_class(full: str) -> Factory:
    """A lock or the like; nobody else holds it for ever."""
    names = LOCKS[full.rpartition(".")[2]].split()
    methods = {name: LOCK[name] for name in ("__init__", *names)}
    return lambda it: V(make_class(it, full, methods=methods, facts=TRUTHY))


# -- threads -------------------------------------------------------------------------------

PARAMETERS = ("group", "target", "name", "args", "kwargs")


def _thread_init(it: Any, args: Args, kwargs: Kwargs) -> V:
    made = args[0]
    given = {**dict(zip(PARAMETERS, args[1:], strict=False)), **kwargs}
    for key in ("target", "args", "kwargs"):
        it.heap.put(made.d.attrs, f"_{key}", given.get(key, V(None)))
        it.trace.escape(given.get(key, V(None)))
    name = given.get("name", V(None))
    name = unknown("the name of a thread", "str") if name.d is None else name
    it.heap.put(made.d.attrs, "name", name)
    daemon = given.get("daemon", V(None))
    it.heap.put(made.d.attrs, "daemon", V(False) if daemon.d is None else daemon)
    return V(None)


def _start(it: Any, args: Args, kwargs: Kwargs) -> V:
    """Threads run beside what is evaluated: what they run is noted as called by others."""
    it.trace.escape(it.getattr(args[0], "run"))
    return V(None)


THREAD: dict[str, Fn] = {
    "__init__": _thread_init, "start": _start, "run": nothing, "join": nothing,
    "is_alive": gives("Thread.is_alive", "bool"), "cancel": nothing, "terminate": nothing,
    "kill": nothing, "close": nothing,
}  # fmt: skip


def thread_class(full: str) -> Factory:
    """A thread or a process."""
    return lambda it: V(make_class(it, full, methods=THREAD, foreign=full, facts=TRUTHY))


def some(full: str) -> Fn:
    """A function that gives some instance of the class ``full``."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        names = {"name": unknown("the name of a thread or process", "str")}
        return instance(it, library_class(it, full), names)

    return fn


# -- queues --------------------------------------------------------------------------------


def queue_class(full: str) -> Factory:
    """A queue: others may put and take, so what is in it is not known."""
    methods: dict[str, Fn] = {
        "__init__": nothing, "put": _put, "get": gives(f"{full}.get"),
        "put_nowait": nothing, "get_nowait": gives(f"{full}.get", raises=True),
        "empty": gives(f"{full}.empty", "bool"), "full": gives(f"{full}.full", "bool"),
        "qsize": gives(f"{full}.qsize", "int", lo=0), "task_done": nothing, "join": nothing,
        "close": nothing, "cancel_join_thread": nothing, "join_thread": nothing,
        "shutdown": nothing,
    }  # fmt: skip
    return lambda it: V(make_class(it, full, methods=methods, facts=TRUTHY))


def _put(it: Any, args: Args, kwargs: Kwargs) -> V:
    for value in args[1:]:
        it.trace.escape(value)
    return V(None)


def error_class(full: str, base: str = "Exception") -> Factory:
    """An exception class derived from a builtin one."""
    return lambda it: V(make_class(it, full, (it.builtins[base].d,)))


# -- pools ---------------------------------------------------------------------------------


def _submit(it: Any, args: Args, kwargs: Kwargs) -> V:
    return future(it, FUTURE, lambda: it.call(args[1], args[2:], kwargs))


def _map(it: Any, args: Args, kwargs: Kwargs) -> V:
    result: V = it.call(it.builtins["map"], args[1:], {})
    return result


POOL: dict[str, Fn] = {
    "__init__": nothing, "submit": _submit, "map": _map, "shutdown": nothing, "__enter__": _self,
    "__exit__": nothing,
}  # fmt: skip


def _pool_class(full: str, *bases: str) -> Factory:
    def factory(it: Any) -> V:
        parents = tuple(library_class(it, base) for base in bases)
        return V(make_class(it, full, parents, methods=POOL, facts=TRUTHY))

    return factory


def as_completed(it: Any, args: Args, kwargs: Kwargs) -> V:
    """The futures in the order in which they end: any of them at any place."""
    items = it.iterate(args[0])
    if items is None or it.is_open(args[0]):
        return unknown("futures as they end", "list", args[0].o)
    rows = [it.union(list(items))] * len(items) if items else []
    generator: V = it.generator_of(V(it.heap.list(rows)))
    return generator


def _wait(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``wait(fs)``: all are done, unless there is a time limit."""
    if len(args) > 1 or kwargs:
        return unknown("futures that are done and not done", "tuple")
    items = it.iterate(args[0])
    if items is None:
        return unknown("futures that are done and not done", "tuple")
    return V((it.make_set(list(items)), it.make_set([])))


# -- contextvars ---------------------------------------------------------------------------

VALUE = "\0value"


def _var(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    """``ContextVar(name, *, default=…)``."""
    attrs = {"name": args[0], **({"\0default": kwargs["default"]} if "default" in kwargs else {})}
    return instance(it, cls, attrs)


def _var_get(it: Any, args: Args, kwargs: Kwargs) -> V:
    attrs = args[0].d.attrs
    default = argument(args, kwargs, 1, "default") or attrs.get("\0default")
    found = it.find_attr(args[0], VALUE)
    if found is not None:
        value: V = it.getattr(args[0], VALUE)
        return value
    if default is None:
        raise it.make_raise(it.exception("LookupError", [args[0]]))
    return default


def _var_set(it: Any, args: Args, kwargs: Kwargs) -> V:
    old = args[0].d.attrs.get(VALUE)
    it.heap.put(args[0].d.attrs, VALUE, args[1])
    made = {"var": args[0], **({} if old is None else {"old_value": old})}
    return instance(it, library_class(it, "contextvars.Token"), made)


def _var_reset(it: Any, args: Args, kwargs: Kwargs) -> V:
    old = args[1].d.attrs.get("old_value") if hasattr(args[1].d, "attrs") else None
    if old is None:
        it.heap.drop(args[0].d.attrs, VALUE)
    else:
        it.heap.put(args[0].d.attrs, VALUE, old)
    return V(None)


def _context_run(it: Any, args: Args, kwargs: Kwargs) -> V:
    result: V = it.call(args[1], args[2:], kwargs)
    return result


def _plain(full: str, methods: dict[str, Fn] | None = None) -> Factory:
    return lambda it: V(make_class(it, full, methods=methods, facts=TRUTHY))


def _var_class(it: Any) -> V:
    return V(make_class(
        it, "contextvars.ContextVar", construct=_var, facts=TRUTHY,
        methods={"get": _var_get, "set": _var_set, "reset": _var_reset}))  # fmt: skip


LIBRARY = Library(
    functions={
        **{f"threading.{name}": some("threading.Thread") for name in (
            "current_thread", "main_thread", "currentThread")},
        "threading.get_ident": gives("threading.get_ident", "int", lo=1),
        "threading.get_native_id": gives("threading.get_native_id", "int", lo=1),
        "threading.active_count": gives("threading.active_count", "int", lo=1),
        "threading.enumerate": gives("threading.enumerate", "list"),
        "threading.settrace": nothing,
        "concurrent.futures.as_completed": as_completed,
        "concurrent.futures.wait": _wait,
        "contextvars.copy_context": some("contextvars.Context"),
    },
    values={
        **{f"threading.{name}": lock_class(f"threading.{name}") for name in LOCKS},
        "threading.Thread": thread_class("threading.Thread"),
        "threading.Timer": thread_class("threading.Timer"),
        "threading.local": _plain("threading.local"),
        **{f"queue.{name}": queue_class(f"queue.{name}") for name in (
            "Queue", "SimpleQueue", "LifoQueue", "PriorityQueue")},
        "queue.Empty": error_class("queue.Empty"), "queue.Full": error_class("queue.Full"),
        FUTURE: future_class(FUTURE),
        "concurrent.futures.Executor": _pool_class("concurrent.futures.Executor"),
        **{f"concurrent.futures.{name}": _pool_class(
            f"concurrent.futures.{name}", "concurrent.futures.Executor") for name in (
            "ThreadPoolExecutor", "ProcessPoolExecutor")},
        "concurrent.futures.TimeoutError": lambda it: it.builtins["TimeoutError"],
        "concurrent.futures.CancelledError": error_class("concurrent.futures.CancelledError"),
        "contextvars.ContextVar": _var_class,
        "contextvars.Token": _plain("contextvars.Token"),
        "contextvars.Context": _plain("contextvars.Context", {"run": _context_run}),
    },
    aliases={
        "concurrent.futures.thread.ThreadPoolExecutor": "concurrent.futures.ThreadPoolExecutor",
        "concurrent.futures.process.ProcessPoolExecutor":
            "concurrent.futures.ProcessPoolExecutor",
    },
)  # fmt: skip
