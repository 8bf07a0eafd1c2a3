"""Other processes and the system.

``subprocess``, ``multiprocessing``, ``signal``, ``socket``, ``pickle``, ``faulthandler``,
``resource``, ``getpass``.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, Fn, Library, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.stdlib_shutil import which
from mlapath.models.stdlib_threading import (
    LOCKS,
    TRUTHY,
    error_class,
    lock_class,
    queue_class,
    some,
    thread_class,
)
from mlapath.models.support import gives, instance, nothing, opaque_class, unknown
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.truth import Truth
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
SIGNALS = {"SIGHUP": 1, "SIGINT": 2, "SIGQUIT": 3, "SIGILL": 4, "SIGTRAP": 5, "SIGABRT": 6,
           "SIGBUS": 7, "SIGFPE": 8, "SIGKILL": 9, "SIGUSR1": 10, "SIGSEGV": 11, "SIGUSR2": 12,
           "SIGPIPE": 13, "SIGALRM": 14, "SIGTERM": 15, "SIGCHLD": 17}  # fmt: skip
"""As Linux numbers them."""
CONSTANTS = {**{f"signal.{name}": number for name, number in SIGNALS.items()},
             "subprocess.PIPE": -1, "subprocess.STDOUT": -2, "subprocess.DEVNULL": -3,
             "pickle.HIGHEST_PROTOCOL": 5}  # fmt: skip


def _text(it: Any, kwargs: Kwargs, name: str) -> V:
    """Output: text where it was asked for, else bytes; None where it is not kept, if known."""
    asked = [kwargs.get(key, V(None)) for key in ("text", "universal_newlines", "encoding")]
    truths = [it.truth(value) for value in asked]
    hint = "str" if Truth.TRUE in truths else "" if Truth.UNKNOWN in truths else "bytes"
    return unknown(f"the {name} of a process", hint)


def _run(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``run(args, …)``: it may fail to start, or to succeed."""
    it.may_raise(it.frame, "subprocess.run")
    kept = {"stdout", "stderr"} & set(kwargs) or it.truth(
        kwargs.get("capture_output", V(False))) is not Truth.FALSE  # fmt: skip
    outputs = {name: _text(it, kwargs, name) if kept else V(None) for name in ("stdout", "stderr")}
    checked = it.truth(kwargs.get("check", V(False))) is Truth.TRUE
    code = V(0) if checked else unknown("the exit code of a process", "int")
    cls = library_class(it, "subprocess.CompletedProcess")
    return instance(it, cls, {"args": args[0] if args else V(None), "returncode": code, **outputs})


def _output(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``check_output(args, …)``; of ``which TOOL`` the path, where the tool is there."""
    text = _text(it, kwargs, "output")
    found = _located(it, args)
    if found is not None and text.d.hint in ("str", "bytes"):
        line = f"{found.d}\n"
        return V(line if text.d.hint == "str" else line.encode(), found.o)
    it.may_raise(it.frame, "subprocess.check_output")
    return text


def _located(it: Any, args: Args) -> V | None:
    """The path that a command ``which TOOL`` prints, if it is known."""
    try:
        command = to_py(args[0]) if args else None
    except NotConcrete:
        return None
    if not isinstance(command, list | tuple) or len(command) != 2 or command[0] != "which":
        return None
    found = which(it, [V(command[1])], {})
    return found if type(found.d) is str else None


def _handler(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``signal(number, handler)``: others call it."""
    it.trace.escape(args[-1])
    return unknown("the handler of a signal")


# -- multiprocessing -----------------------------------------------------------------------

PARTS = (*LOCKS, "Queue", "JoinableQueue", "SimpleQueue", "Process")


def _context(it: Any, args: Args, kwargs: Kwargs) -> V:
    return instance(it, library_class(it, "multiprocessing.context.BaseContext"), {})


def _part(name: str) -> Fn:
    """``context.Name``: as ``multiprocessing.Name``."""
    return lambda it, args, kwargs: it.models.symbol(it, f"multiprocessing.{name}")


def _context_class(it: Any) -> V:
    methods: dict[str, Fn] = {name: (lambda i, a, k, fn=fn: fn(i, a[1:], k))  # type: ignore[misc]
                              for name, fn in CONTEXT.items()}  # fmt: skip
    full = "multiprocessing.context.BaseContext"
    return V(make_class(it, full, methods=methods, foreign=full, facts=TRUTHY,
                        properties={name: _part(name) for name in PARTS}))  # fmt: skip


CONTEXT: dict[str, Fn] = {
    "cpu_count": gives("multiprocessing.cpu_count", "int", lo=1),
    "active_children": gives("multiprocessing.active_children", "list"),
    "parent_process": gives("multiprocessing.parent_process"),
    "current_process": some("multiprocessing.Process"),
    "get_start_method": gives("multiprocessing.get_start_method", "str"),
    "set_start_method": nothing, "freeze_support": nothing, "set_executable": nothing,
    "Pipe": gives("multiprocessing.Pipe", "tuple"), "Manager": gives("multiprocessing.Manager"),
    "Pool": gives("multiprocessing.Pool"), "Value": gives("multiprocessing.Value"),
    "Array": gives("multiprocessing.Array"),
    "get_all_start_methods": gives("multiprocessing.get_all_start_methods", "list"),
}  # fmt: skip


def _multi(name: str) -> Factory:
    full = f"multiprocessing.{name}"
    if name == "Process":
        return thread_class(full)
    return lock_class(full) if name in LOCKS else queue_class(full)


def _derived(full: str, base: str) -> Factory:
    return lambda it: V(make_class(it, full, (library_class(it, base),)))


LIBRARY = Library(
    functions={
        "subprocess.run": _run,
        "subprocess.check_output": _output,
        "subprocess.getoutput": gives("subprocess.getoutput", "str"),
        "subprocess.getstatusoutput": gives("subprocess.getstatusoutput", "tuple"),
        "subprocess.call": gives("subprocess.call", "int", raises=True),
        "subprocess.check_call": gives("subprocess.check_call", "int", raises=True),
        "subprocess.list2cmdline": gives("subprocess.list2cmdline", "str"),
        "signal.signal": _handler,
        "signal.getsignal": gives("signal.getsignal"),
        "signal.alarm": gives("signal.alarm", "int", lo=0),
        "signal.raise_signal": nothing,
        **{f"multiprocessing.{name}": fn for name, fn in CONTEXT.items()},
        "multiprocessing.get_context": _context,
        "socket.gethostname": gives("socket.gethostname", "str"),
        "socket.getfqdn": gives("socket.getfqdn", "str"),
        "socket.gethostbyname": gives("socket.gethostbyname", "str", raises=True),
        "socket.getaddrinfo": gives("socket.getaddrinfo", "list", raises=True),
        "socket.has_dualstack_ipv6": gives("socket.has_dualstack_ipv6", "bool"),
        "pickle.dumps": gives("pickle.dumps", "bytes", raises=True),
        "pickle.dump": gives("pickle.dump", raises=True),
        "pickle.loads": gives("pickle.loads", raises=True),
        "pickle.load": gives("pickle.load", raises=True),
        "copyreg.pickle": gives("copyreg.pickle"),
        **{f"faulthandler.{name}": nothing for name in (
            "enable", "disable", "register", "dump_traceback", "dump_traceback_later",
            "cancel_dump_traceback_later")},
        "resource.getrlimit": gives("resource.getrlimit", "tuple"),
        "resource.setrlimit": gives("resource.setrlimit", raises=True),
        "resource.getrusage": gives("resource.getrusage"),
        "getpass.getuser": gives("getpass.getuser", "str", raises=True),
        "ctypes.util.find_library": gives("ctypes.util.find_library"),
        "ctypes.sizeof": gives("ctypes.sizeof", "int", lo=0),
    },
    values={
        **{name: (lambda it, n=number: V(n)) for name, number in CONSTANTS.items()},  # type: ignore[misc]
        "subprocess.CompletedProcess": opaque_class(
            "subprocess.CompletedProcess",
            {"check_returncode": gives("CompletedProcess.check_returncode", raises=True)}),
        "subprocess.SubprocessError": error_class("subprocess.SubprocessError"),
        "subprocess.CalledProcessError": _derived(
            "subprocess.CalledProcessError", "subprocess.SubprocessError"),
        "subprocess.TimeoutExpired": _derived(
            "subprocess.TimeoutExpired", "subprocess.SubprocessError"),
        **{f"multiprocessing.{name}": _multi(name) for name in PARTS},
        "multiprocessing.context.BaseContext": _context_class,
        "socket.error": lambda it: it.builtins["OSError"],
        "socket.timeout": lambda it: it.builtins["TimeoutError"],
        "socket.gaierror": error_class("socket.gaierror", "OSError"),
        "socket.herror": error_class("socket.herror", "OSError"),
        "pickle.PickleError": error_class("pickle.PickleError"),
        "pickle.PicklingError": _derived("pickle.PicklingError", "pickle.PickleError"),
        "pickle.UnpicklingError": _derived("pickle.UnpicklingError", "pickle.PickleError"),
    },
    aliases={"multiprocessing.process.BaseProcess": "multiprocessing.Process",
             "multiprocessing.context.SpawnProcess": "multiprocessing.Process",
             "multiprocessing.queues.Queue": "multiprocessing.Queue"},
)  # fmt: skip
