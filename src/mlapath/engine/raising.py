"""Exceptions of the analysed program: making, matching, who could catch them."""

from __future__ import annotations

from typing import Any, NoReturn

from mlapath.engine.control import Frame, PyRaise
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import External, Union, Unknown, V


def exception(it: Any, name: str, args: list[V]) -> V:
    """An instance of a builtin exception class."""
    made: V = it.instantiate(it.builtins[name].d, args, {})
    return made


def throw(it: Any, name: str, message: str) -> NoReturn:
    """Raise a builtin exception in the analysed program."""
    raise make_raise(it, exception(it, name, [V(message)]))


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
    raised = PyRaise(value, fr.path, fr.pos, fr.stack())
    raised.control = fr.control if fr.control is not None else value.o
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


def may_be_caught(it: Any, raised: PyRaise) -> bool:
    """Whether any active try may catch it: if not, the program ends there."""
    return any(catches(it, classes, raised) for classes in it.tries)


def may_catch(it: Any, name: str) -> bool:
    """Whether an active try may catch the builtin exception class ``name``."""
    cls = it.builtins[name].d
    return any(
        c is None or it.issubclass(V(cls), c) is not Truth.FALSE
        for classes in it.tries
        for c in classes
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


# -- code that is not looked into may raise: once at its first use in a try, once at the end


def try_marker(it: Any) -> list[bool]:
    marker = [False]
    it.markers.append(marker)
    return marker


def try_done(it: Any, marker: list[bool]) -> None:
    it.markers[:] = [m for m in it.markers if m is not marker]


def first_opaque(it: Any) -> bool:
    """Whether this is the first opaque call in the innermost try; notes that there was one."""
    if not it.markers:
        return False
    first = not it.markers[-1][0]
    it.markers[-1][0] = True
    return first


def opaque_exit(it: Any, fr: Frame, marker: list[bool]) -> None:
    """The last opaque call of the try may have raised, too."""
    if marker[0]:
        it.leave_pending(fr, "code that is not looked into")
