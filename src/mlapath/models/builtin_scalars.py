"""Constructors of int, float, complex, str, bytes, bool, tuple, range."""

from __future__ import annotations

import math
from typing import Any

from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.origin import merge
from mlapath.values.truth import Truth
from mlapath.values.value import SCALAR_TYPES, Union, Unknown, V

NUMBERS = {"int": int, "float": float, "complex": complex, "bytes": bytes}


def _wrap(it: Any, cls: ClassObj, value: V) -> V:
    """An instance where ``cls`` is a subclass of the builtin; else the plain value."""
    if cls.module == "builtins":
        return value
    if type(value.d) is Unknown:
        made = Instance(cls, it.heap.cell(), None)
        made.open = value.d.why
        return V(made, value.o)
    instance = Instance(cls, it.heap.cell(), value.d)
    result = V(instance, value.o)
    it.initialise(result, [], {}, "")
    return result


def _whole(bound: float | None) -> float | None:
    """The bound of what ``int`` makes of numbers within one."""
    return math.trunc(bound) if bound is not None and math.isfinite(bound) else None


def number(name: str) -> Any:
    """The constructor of a numeric type."""
    kind = NUMBERS[name]
    special = {"int": "__int__", "float": "__float__", "complex": "__complex__",
               "bytes": "__bytes__"}[name]  # fmt: skip

    def construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        values = [*args, *kwargs.values()]
        origin = merge(*(v.o for v in values))
        plain: list[Any] = []
        for value in values:
            d = value.d
            if type(d) is Instance:
                method = it.lookup_special(value, special) or it.lookup_special(value, "__index__")
                if method is not None:
                    d = it.call(method, [], {}).d
                elif d.payload is not None:
                    d = d.payload
            if type(d) is Union:
                joined: V = it.each(
                    list(d.options), lambda o: construct(it, cls, [o, *args[1:]], kwargs)
                )
                return joined
            if type(d) is Unknown:
                lo, hi = (d.lo, d.hi) if d.hint in ("int", "bool", "float") else (None, None)
                if name == "int":
                    lo, hi = _whole(lo), _whole(hi)
                if d.hint not in ("int", "bool"):
                    it.may_raise_of(("ValueError", "TypeError", "OverflowError"), V(name))
                return _wrap(it, cls, V(Unknown(d.why, name, "", lo, hi, d.text), origin))
            if type(d) not in SCALAR_TYPES:
                if name == "bytes":
                    return V(Unknown("bytes of a container", "bytes"), origin)
                it.throw("TypeError", f"{name}() argument must be a string or a real number, "
                         f"not '{it.type_name(value)}'")  # fmt: skip
            plain.append(d)
        try:
            return _wrap(it, cls, V(kind(*plain), origin))
        except (TypeError, ValueError, OverflowError) as error:
            it.throw(type(error).__name__, str(error))
            raise AssertionError("unreachable") from error

    return construct


def bool_(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    if not args:
        return V(False)
    value = args[0]
    truth = it.truth(value)
    if truth is Truth.UNKNOWN:
        d = value.d
        if type(d) is Unknown:
            return V(d.derived("bool", Unknown(d.why, "bool", text=d.text)), value.o)
        return V(Unknown("a truth value", "bool"), value.o)
    return V(truth is Truth.TRUE, value.o)


def str_(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    if not args:
        return _wrap(it, cls, V(""))
    value = args[0]
    if type(value.d) is Union:
        return it.each(list(value.d.options), lambda o: str_(it, cls, [o], {}))  # type: ignore[no-any-return]
    text = it.format_value(value, "s", "")
    if text is None:
        shown = value.d.text if type(value.d) is Unknown else ""
        return _wrap(it, cls, V(Unknown("str() of something unknown", "str", text=shown), value.o))
    return _wrap(it, cls, V(text, value.o))


def tuple_(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    items = it.iterate(args[0]) if args else []
    if items is None or args and it.is_open(args[0]):
        return _wrap(it, cls, V(Unknown("a tuple of unknown items", "tuple"), args[0].o))
    return _wrap(it, cls, V(tuple(items), args[0].o if args else None))


def range_(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    plain = []
    for value in map(it.index, args):
        d = value.d
        if type(d) not in (int, bool):
            if type(d) in (Unknown, Union):
                it.may_throw("TypeError", "not an integer")
                return V(Unknown("a range of unknown length"), value.o)
            it.throw("TypeError", f"'{it.type_name(value)}' object cannot be interpreted as an "
                     "integer")  # fmt: skip
        plain.append(d)
    try:
        return V(range(*plain), merge(*(a.o for a in args)))
    except (TypeError, ValueError) as error:
        it.throw(type(error).__name__, str(error))
        raise AssertionError("unreachable") from error


def alternative(kind: type, name: str, hint: str) -> Any:
    """A constructor by another name (``float.fromhex``): CPython's own on known arguments."""

    def construct(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        cls, given = args[0], args[1:]
        origin = merge(*(a.o for a in given), *(v.o for v in kwargs.values()))
        try:
            plain = getattr(kind, name)(
                *map(to_py, given), **{key: to_py(value) for key, value in kwargs.items()}
            )
        except NotConcrete:
            return V(Unknown(f"{kind.__name__}.{name}()", hint), origin)
        except (TypeError, ValueError, OverflowError) as error:
            it.throw(type(error).__name__, str(error))
            raise AssertionError("unreachable") from error
        if type(cls.d) is ClassObj and cls.d.module != "builtins":
            return it.call(cls, [V(plain, origin)], {})  # type: ignore[no-any-return]
        return V(plain, origin)

    return construct


ALTERNATIVES = {
    "int": {"from_bytes": alternative(int, "from_bytes", "int")},
    "float": {"fromhex": alternative(float, "fromhex", "float")},
    "bytes": {"fromhex": alternative(bytes, "fromhex", "bytes")},
}
"""Class methods of the scalar types, by type and name."""
CONSTRUCTORS = {
    "int": number("int"), "float": number("float"), "complex": number("complex"),
    "bytes": number("bytes"), "bool": bool_, "str": str_, "tuple": tuple_, "range": range_,
}  # fmt: skip
