"""``warnings``, ``traceback``, ``atexit``: what is said to people, and hooks for the end."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Library, argument, make_class
from mlapath.models.support import gives, instance, nothing, opaque_class
from mlapath.values.objects import ClassObj, Native
from mlapath.values.truth import Truth
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]


def _catch(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    return instance(it, cls, {"record": kwargs.get("record", V(False))})


def _enter(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``with catch_warnings(record=True) as caught``: what is caught is not known."""
    if it.truth(args[0].d.attrs["record"]) is Truth.FALSE:
        return V(None)
    made = it.heap.list([])
    it.heap.open_list(made, "warnings that were caught")
    return V(made)


def _catcher(it: Any) -> V:
    return V(make_class(it, "warnings.catch_warnings", construct=_catch,
                        methods={"__enter__": _enter, "__exit__": nothing}))  # fmt: skip


def _deprecated(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``deprecated(message, *, category, stacklevel)``: a decorator that gives what it gets."""
    return V(Native("warnings.deprecated()", lambda i, a, k: a[0]))


def _register(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``atexit.register(func, …)``: it gives the function back."""
    function = argument(args, kwargs, 0, "func") or V(None)
    it.trace.escape(function)
    return function


QUIET = ("warn", "warn_explicit", "filterwarnings", "simplefilter", "resetwarnings",
         "showwarning")  # fmt: skip
LIBRARY = Library(
    functions={
        **{f"warnings.{name}": nothing for name in QUIET},
        "warnings.formatwarning": gives("warnings.formatwarning", "str"),
        "warnings.deprecated": _deprecated,
        **{f"traceback.{name}": nothing for name in (
            "print_exc", "print_exception", "print_stack", "print_tb", "print_last",
            "print_list", "clear_frames")},
        **{f"traceback.{name}": gives(f"traceback.{name}", "str") for name in ("format_exc",)},
        **{f"traceback.{name}": gives(f"traceback.{name}", "list") for name in (
            "format_exception", "format_exception_only", "format_stack", "format_tb",
            "format_list", "extract_stack", "extract_tb")},
        "atexit.register": _register,
        "atexit.unregister": nothing,
    },
    values={
        "warnings.catch_warnings": _catcher,
        "warnings.WarningMessage": opaque_class("warnings.WarningMessage"),
        "traceback.TracebackException": opaque_class("traceback.TracebackException"),
        "traceback.StackSummary": opaque_class("traceback.StackSummary"),
    },
)  # fmt: skip
