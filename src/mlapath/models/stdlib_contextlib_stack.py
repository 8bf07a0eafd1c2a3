"""``contextlib.ExitStack``.

Exits are kept in a dict, so that one pushed under an unknown guard is one that may be there.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, Fn, make_class
from mlapath.models.support import instance, perhaps, unknown
from mlapath.values.objects import DictObj, Instance, Native
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, Union, V

EXITS = "_exits"


def stack_class(full: str) -> Factory:
    """``ExitStack`` or ``AsyncExitStack``."""
    methods: dict[str, Fn] = {
        "__enter__": _self, "__aenter__": _self, "__exit__": _leave, "__aexit__": _leave,
        "enter_context": _enter_context, "enter_async_context": _enter_context, "push": _push,
        "push_async_exit": _push, "callback": _callback, "push_async_callback": _callback,
        "pop_all": _pop_all, "close": _close, "aclose": _close,
    }  # fmt: skip
    return lambda it: V(make_class(it, full, methods=methods, construct=_construct))


def _construct(it: Any, cls: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return instance(it, cls, {EXITS: V(it.heap.dict())})


def _exits(value: V) -> DictObj:
    exits: DictObj = value.d.attrs[EXITS].d
    return exits


def _self(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def _add(it: Any, stack: V, leave: V) -> None:
    number = it.store["exit_stack"] = it.store.get("exit_stack", 0) + 1
    it.dict_set(_exits(stack), V(number), leave)


def _enter_context(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    manager = args[1]
    if type(manager.d) is Union:
        joined: V = it.each(
            [o for o in manager.d.options if o.d is not ABSENT],
            lambda o: _enter_context(it, [args[0], o], {}),
        )
        return joined
    enter = it.lookup_special(manager, "__enter__") or it.lookup_special(manager, "__aenter__")
    leave = it.lookup_special(manager, "__exit__") or it.lookup_special(manager, "__aexit__")
    if enter is None:
        result: V = it.opaque_result(manager, "__enter__")
        return result
    entered: V = it.call(enter, [], {})
    if leave is not None:
        _add(it, args[0], leave)
    return entered


def _push(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    leave = it.lookup_special(args[1], "__exit__") if type(args[1].d) is Instance else None
    _add(it, args[0], leave or args[1])
    return args[1]


def _callback(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    function, given = args[1], args[2:]

    def run(engine: Any, exc: list[V], named: dict[str, V]) -> V:
        engine.call(function, list(given), dict(kwargs))
        return V(False)

    made = Native("contextlib.ExitStack.callback()", run)
    made.attrs = it.heap.cell({"__wrapped__": function})
    _add(it, args[0], V(made))
    return function


def _pop_all(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    old = _exits(args[0])
    moved = it.heap.dict(dict(old.data))
    for key in list(old.data):
        it.heap.drop(old.data, key)
    return instance(it, args[0].d.cls, {EXITS: V(moved)})


def _close(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _leave(it, [args[0], V(None), V(None), V(None)], {})
    return V(None)


def _leave(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """Run the exits, last first; true where one of them swallowed the exception."""
    exits = _exits(args[0])
    details = (args[1:] + [V(None)] * 3)[:3]
    swallowed = Truth.FALSE
    for key, (_, leave) in reversed(list(exits.data.items())):
        it.heap.drop(exits.data, key)
        options = leave.d.options if type(leave.d) is Union else (leave,)
        present = [o for o in options if o.d is not ABSENT]

        def run(found: list[V] = present, exc: list[V] = details) -> V:
            return it.each(found, lambda f: it.call(f, list(exc), {}))  # type: ignore[no-any-return]

        answer = run() if len(present) == len(options) else perhaps(it, run, V(False))
        truth = it.truth(answer)
        if details[1].d is None or truth is Truth.FALSE:
            continue
        swallowed = truth if swallowed is not Truth.TRUE else swallowed
        if truth is Truth.TRUE:
            details = [V(None)] * 3
    if swallowed is Truth.UNKNOWN:
        return unknown("whether an exit swallows the exception", "bool")
    return V(swallowed is Truth.TRUE)
