"""Exceptions of the analysed program: making, matching, who could catch them."""

from __future__ import annotations

from typing import Any, NoReturn

from mlapath.engine.control import Frame, Pending, PyRaise
from mlapath.engine.fork import merge_state
from mlapath.values.join import union
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import External, Union, Unknown, V


def exception(it: Any, name: str, args: list[V]) -> V:
    """An instance of a builtin exception class."""
    made: V = it.instantiate(it.builtins[name].d, args, {})
    return made


def throw(it: Any, name: str, message: str, /, **attrs: V) -> NoReturn:
    """Raise a builtin exception, with further attributes, in the analysed program."""
    error = exception(it, name, [V(message)])
    for attr, value in attrs.items():
        it.heap.put(error.d.attrs, attr, value)
    raise make_raise(it, error)


def throw_key(it: Any, index: V) -> NoReturn:
    """Raise KeyError(index)."""
    raise make_raise(it, exception(it, "KeyError", [index]))


def make_raise(it: Any, value: V) -> PyRaise:
    """What ``raise value`` raises; a class is instantiated."""
    if type(value.d) is ClassObj:
        value = it.instantiate(value.d, [], {})
    elif type(value.d) is External:
        value = V(it.new_instance(it.models.foreign_class(it, value.d.name)))
    fr: Frame = it.frame
    handled = current_exception(it, fr)
    if handled is not None and type(value.d) is Instance and handled.exc.d is not value.d:
        it.heap.put(value.d.attrs, "__context__", handled.exc)
    raised = PyRaise(value, fr.path, fr.pos, fr.stack())
    raised.control = fr.control if fr.control is not None else value.o
    handled = current_exception(it, fr)
    raised.feared = handled is not None and handled.feared
    it.raises[value.d] = raised
    return raised


def exception_matches(it: Any, exc: V, cls: V) -> Truth:
    """Whether ``except cls`` catches ``exc``."""
    if type(cls.d) is tuple:
        found = [exception_matches(it, exc, c) for c in cls.d]
        if Truth.TRUE in found:
            return Truth.TRUE
        return Truth.UNKNOWN if Truth.UNKNOWN in found else Truth.FALSE
    if type(exc.d) is Unknown:
        any_ = type(cls.d) is ClassObj and cls.d.name in ("Exception", "BaseException")
        return Truth.TRUE if any_ else Truth.UNKNOWN
    if type(exc.d) is Union:
        each = {exception_matches(it, o, cls) for o in exc.d.options}
        return each.pop() if len(each) == 1 else Truth.UNKNOWN
    result: Truth = it.isinstance(exc, cls)
    return result


def catches(it: Any, classes: list[V | None], raised: PyRaise) -> bool:
    """Whether one of a try's handlers may catch what was raised."""
    return any(
        c is None or exception_matches(it, raised.exc, c) is not Truth.FALSE for c in classes
    )


def may_throw(it: Any, name: str, message: str) -> None:
    """The program may raise a builtin exception here."""
    may_raise_of(it, (name,), V(message))


def may_throw_key(it: Any, index: V) -> None:
    """The program may raise KeyError(index) here."""
    may_raise_of(it, ("KeyError",), index)


def may_raise_of(it: Any, names: tuple[str, ...], argument: V) -> None:
    """The program may raise one of some builtin exceptions here.

    An alternative, where a handler could catch it; one for all such places in a try, in the
    join of their states. By assumption, this does not make the import of a module fail.
    """
    if len(it.tries) <= it.quiet or not any(may_catch(it, name) for name in names):
        return
    known: dict[str, Pending] = it.tries[-1].pending
    key = " ".join(names)
    if key in known and known[key].alive:
        merge_state(it, known[key])
        return
    errors = [exception(it, name, [argument]) for name in names]
    known[key] = it.leave_pending_with(make_raise(it, union(errors)))


def may_be_caught(it: Any, raised: PyRaise) -> bool:
    """Whether any active try may catch it: if not, the program ends there."""
    return any(catches(it, active.classes, raised) for active in it.tries)


def may_catch(it: Any, name: str) -> bool:
    """Whether an active try may catch the builtin exception class ``name``."""
    cls = it.builtins[name].d
    return any(
        c is None or it.issubclass(V(cls), c) is not Truth.FALSE
        for active in it.tries[it.quiet :]
        for c in active.classes
    )


def current_exception(it: Any, fr: Frame) -> PyRaise | None:
    """The exception being handled, as ``raise`` without operand re-raises it."""
    frame: Frame | None = fr
    while frame is not None:
        if frame.handled is not None:
            return frame.handled
        frame = frame.parent
    return None


def message_of(it: Any, exc: V) -> str:
    """The exception's text, as ``str(exc)`` gives it where it is known."""
    d = exc.d
    if type(d) is not Instance:
        return ""
    args = d.attrs.get("args")
    if args is None or type(args.d) is not tuple:
        return ""
    if len(args.d) == 1:
        value = args.d[0]
        quoted = any(c.full == "builtins.KeyError" for c in d.cls.mro)
        text = it.format_value(value, "r" if quoted else "s", "")
        if text is None:
            return value.d.text if type(value.d) is Unknown and value.d.text else "{…}"
        return str(text)
    return ", ".join(it.format_value(a, "r", "") or "{…}" for a in args.d)
