"""Work handed to others: it is done at once, and its outcome is kept for who asks.

Threads, pools and event loops of the program run what they are given when they are given it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Factory, Fn, make_class
from mlapath.models.support import gives, instance, nothing, unknown
from mlapath.values.objects import Instance
from mlapath.values.truth import Truth
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
RESULT, ERROR = "\0result", "\0error"


def future(it: Any, full: str, run: Callable[[], V]) -> V:
    """A future of class ``full`` over what ``run`` gives or raises."""
    value, error = it.attempt(run, it.builtins["Exception"])
    attrs = {key: v for key, v in ((RESULT, value), (ERROR, error)) if v is not None}
    return instance(it, it.models.symbol(it, full).d, attrs)


def done(it: Any, full: str, value: V) -> V:
    """A future that has its result."""
    return instance(it, it.models.symbol(it, full).d, {RESULT: value})


def outcome(it: Any, value: V) -> V:
    """What awaiting a future gives, or asking for its result; other values as they are."""
    d = value.d
    if type(d) is not Instance or not any(c.facts.get("future") for c in d.cls.mro):
        return value
    result: V | None = d.attrs.get(RESULT)
    error: V | None = d.attrs.get(ERROR)
    if error is None:
        return unknown("the result of work that is not followed") if result is None else result
    if result is None:
        raise it.make_raise(error)

    def side(option: V) -> V:
        if option.d:
            return result
        raise it.make_raise(error)

    joined: V = it.each([V(True), V(False)], side)
    return joined


def _result(it: Any, args: Args, kwargs: Kwargs) -> V:
    return outcome(it, args[0])


def _exception(it: Any, args: Args, kwargs: Kwargs) -> V:
    attrs = args[0].d.attrs
    if RESULT not in attrs and ERROR not in attrs:
        return unknown("the exception of work that is not followed")
    known = [attrs[ERROR]] if ERROR in attrs else []
    joined: V = it.union([*known, V(None)] if RESULT in attrs or not known else known)
    return joined


def _keep(key: str) -> Fn:
    """``set_result`` and ``set_exception``."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        it.heap.put(args[0].d.attrs, key, args[1])
        return V(None)

    return fn


def _then(it: Any, args: Args, kwargs: Kwargs) -> V:
    """``add_done_callback(fn)``."""
    it.call(args[1], [args[0]], {})
    return V(None)


def future_class(full: str) -> Factory:
    """A class of futures or tasks."""
    methods: dict[str, Fn] = {
        "__init__": nothing, "result": _result, "exception": _exception, "__await__": _result,
        "set_result": _keep(RESULT), "set_exception": _keep(ERROR), "add_done_callback": _then,
        "done": gives(f"{full}.done", "bool"), "cancelled": gives(f"{full}.cancelled", "bool"),
        "running": gives(f"{full}.running", "bool"), "cancel": gives(f"{full}.cancel", "bool"),
        "remove_done_callback": nothing, "set_name": nothing,
        "get_name": gives(f"{full}.get_name", "str"),
    }  # fmt: skip
    return lambda it: V(make_class(it, full, methods=methods, foreign=full, facts={
        "future": True, "frozen": True, "truth": lambda i, v: Truth.TRUE}))  # fmt: skip
