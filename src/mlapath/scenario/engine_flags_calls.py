"""Calls: functions of the tree are walked, those of the table of natives are called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mlapath.scenario.engine_flags_attributes import get_attribute
from mlapath.scenario.engine_flags_functions import bind
from mlapath.scenario.engine_flags_names import LAZY_MODULE
from mlapath.scenario.engine_flags_operators import as_hint, first_unread
from mlapath.scenario.engine_flags_statements import Returned
from mlapath.scenario.engine_flags_values import (
    REST,
    Bound,
    CannotReadError,
    Foreign,
    Frame,
    Function,
    Host,
    ModuleRef,
    Unread,
)

if TYPE_CHECKING:
    from mlapath.scenario.engine_flags_walker import Walker

MAX_DEPTH = 25
_GATHERING = (list, set, dict, Host)
"""Types whose methods may be given unread values: they only keep them."""
_CHANGING = (
    "add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove",
    "reverse", "setdefault", "sort", "update",
)  # fmt: skip


def call(walker: Walker, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The result of a call; unread where it cannot be known. Raises what the callee raises."""
    if isinstance(function, Unread):
        return function
    if isinstance(function, Bound):
        return call(walker, function.function, (function.receiver, *args), kwargs)
    if isinstance(function, Function):
        return _enter(walker, function, args, kwargs)
    if isinstance(function, (Foreign, ModuleRef)):
        return Unread(f"what {function.name} gives")
    if isinstance(function, type) and walker.classes.info(function) is not None:
        if function.__name__ == LAZY_MODULE and args and isinstance(args[-1], str):
            return ModuleRef(args[-1])
        return Unread(f"an object of {function.__name__}")
    return _native(walker, function, args, kwargs)


def _native(walker: Walker, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    receiver = getattr(function, "__self__", None)
    if isinstance(receiver, Host):
        return function(*args, **kwargs)
    if not isinstance(receiver, _GATHERING):
        unread = first_unread(*args, *kwargs.values())
        if unread is not None:
            return unread
    if walker.unsure and getattr(function, "__name__", "") in _CHANGING:
        return _change_maybe(walker, function, receiver, args, kwargs)
    target = getattr(function, "__origin__", None) or function
    if not callable(target):
        raise TypeError(f"{target!r} is not callable")
    given = [as_python(walker, arg) for arg in args]
    return target(*given, **{name: as_python(walker, arg) for name, arg in kwargs.items()})


def _change_maybe(
    walker: Walker, function: Any, receiver: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> None:
    """A container is changed under an unknown condition: what may have changed is unread."""
    if not isinstance(receiver, _GATHERING):
        return
    if function.__name__ != "update" or not isinstance(receiver, dict):
        raise CannotReadError(f"{function.__name__}() on an unknown condition")
    for name in dict(*args, **kwargs):
        receiver[name] = Unread(walker.unsure[0])


def as_python(walker: Walker, value: Any) -> Any:
    """A value as an argument for Python: functions callable, library classes as stand-ins."""
    if isinstance(value, (Function, Bound)):
        return partial(_called_back, walker, value)
    return as_hint(walker, value) if isinstance(value, Foreign) else value


def _called_back(walker: Walker, function: Any, *args: Any, **kwargs: Any) -> Any:
    return call(walker, function, args, kwargs)


def _enter(
    walker: Walker, function: Function, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    if not walker.may_enter(function) or function.is_generator or REST in kwargs:
        return Unread(f"what {function.scope.name}.{function.name} gives")
    if walker.unsure and function.name in walker.active:
        return Unread(f"{function.name} calls itself on an unknown condition")
    if len(walker.active) >= MAX_DEPTH:
        raise CannotReadError(f"{function.scope.path}: {function.name} is called too deeply")
    names = bind(function, args, kwargs)
    me = args[0] if args and function.owner is not None else None
    walker.active.append(function.name)
    try:
        frame = Frame(function.scope, names, function.closure, function.owner, me)
        signal = walker.run(frame, function.body)
    finally:
        walker.active.pop()
    return signal.value if isinstance(signal, Returned) else None


def get_by_name(walker: Walker, value: Any, name: str, *default: Any) -> Any:
    """``getattr`` over the reader's values."""
    try:
        return get_attribute(walker, value, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def has_by_name(walker: Walker, value: Any, name: str) -> Any:
    """``hasattr`` over the reader's values."""
    try:
        found = get_attribute(walker, value, name)
    except AttributeError:
        return False
    return found if isinstance(found, Unread) else True
