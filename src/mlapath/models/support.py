"""What summaries share: unknown results, CPython's own functions, wrappers, alternatives."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mlapath.models.api import Factory, Fn, make_class
from mlapath.values.concrete import NotConcrete, from_py, to_py
from mlapath.values.objects import FuncObj, Instance, Native
from mlapath.values.origin import Origin, merge
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, SCALAR_TYPES, External, Union, Unknown, V

MAX_COMBINATIONS = 16
ERRORS = (TypeError, ValueError, LookupError, ArithmeticError)


def origins(args: Iterable[V], kwargs: Mapping[str, V] | None = None) -> Origin | None:
    """Where the inputs came from, together."""
    return merge(*(v.o for v in args), *(v.o for v in (kwargs or {}).values()))


def unknown(
    why: str, hint: str = "", origin: Origin | None = None, *,
    lo: float | None = None, hi: float | None = None,
) -> V:  # fmt: skip
    """A value that is not known."""
    return V(Unknown(why, hint, lo=lo, hi=hi), origin)


def known(truth: Truth, why: str, origin: Origin | None = None) -> V:
    """A bool, or an unknown one."""
    if truth is Truth.UNKNOWN:
        return V(Unknown(why, "bool"), origin)
    return V(truth is Truth.TRUE, origin)


def gives(name: str, hint: str = "", *, lo: float | None = None, raises: bool = False) -> Fn:
    """A function whose result is never known, and that writes to nothing of the program.

    raises: it depends on the machine whether it raises.
    """

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        for value in (*args, *kwargs.values()):
            it.trace.escape(value)
        if raises:
            it.may_raise(it.frame, name)
        return unknown(f"the result of {name}()", hint, origins(args, kwargs), lo=lo)

    return fn


def some_items(it: Any, why: str, item: V) -> V:
    """A list of nobody knows how many items, each as ``item``."""
    made = it.heap.list([])
    it.heap.open_list(made, why, item)
    return V(made, item.o)


def nothing(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """A function that only has effects outside the program."""
    return V(None)


def pure(name: str, real: Callable[..., Any], hint: str = "", *, lo: float | None = None) -> Fn:
    """A function of plain values, computed by CPython itself; unknown in, unknown out.

    What it raises is raised in the program. Each alternative of an input is tried.
    """

    def once(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        origin = origins(args, kwargs)
        try:
            plain = [to_py(a) for a in args]
            named = {k: to_py(v) for k, v in kwargs.items()}
        except NotConcrete:
            return unknown(f"{name}() of something unknown", hint, origin, lo=lo)
        try:
            return V(from_py(it.heap, real(*plain, **named)).d, origin)
        except ERRORS as error:
            throw_like(it, error)
            raise AssertionError("unreachable") from error

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        return alternatives(it, args, kwargs, once)

    return fn


def throw_like(it: Any, error: Exception) -> None:
    """Raise in the program what CPython raised here."""
    if type(error) is KeyError and type(error.args[0]) in SCALAR_TYPES:
        it.throw_key(V(error.args[0]))
    for cls in type(error).__mro__:
        if cls.__name__ in it.builtins:
            it.throw(cls.__name__, str(error))


def alternatives(it: Any, args: list[V], kwargs: dict[str, V], run: Fn) -> V:
    """``run`` on each combination of the alternatives of its arguments, joined."""
    values = [*args, *kwargs.values()]
    if not any(type(v.d) is Union for v in values):
        return run(it, args, kwargs)
    columns = [_options(v) for v in values]
    rows = list(itertools.islice(itertools.product(*columns), MAX_COMBINATIONS + 1))
    if len(rows) > MAX_COMBINATIONS:
        wide = [V(Unknown("too many alternatives"), v.o) if type(v.d) is Union else v
                for v in values]  # fmt: skip
        rows = [tuple(wide)]
    count = len(args)

    def one(row: V) -> V:
        named = dict(zip(kwargs, row.d[count:], strict=True))
        return run(it, list(row.d[:count]), named)

    joined: V = it.each([V(row) for row in rows], one)
    return joined


def _options(value: V) -> tuple[V, ...]:
    if type(value.d) is not Union:
        return (value,)
    found = tuple(V(o.d, o.o or value.o) for o in value.d.options if o.d is not ABSENT)
    return found or (value,)


def perhaps(it: Any, run: Callable[[], V], otherwise: V) -> V:
    """Run something that may or may not happen; joined with ``otherwise``."""

    def side(option: V) -> V:
        if not option.d:
            return otherwise
        it.maybe += 1
        try:
            return run()
        finally:
            it.maybe -= 1

    joined: V = it.each([V(True), V(False)], side)
    return joined


def call_perhaps(it: Any, function: V, args: list[V]) -> V:
    """A callback that runs any number of times: it is run once, as an alternative."""
    return perhaps(it, lambda: it.call(function, args, {}), unknown("a callback may not run"))


def wrapper(
    it: Any, name: str, wrapped: V, run: Callable[[Any, list[V], dict[str, V], str], V]
) -> V:
    """A function that stands in for ``wrapped``, with its attributes; it binds as a method."""
    made = Native(name, run, binds=True, opens=True)
    made.attrs = it.heap.cell()
    result = V(made)
    copy_attributes(it, result, wrapped)
    return result


COPIED = ("__module__", "__name__", "__qualname__", "__doc__")


def copy_attributes(it: Any, target: V, source: V, names: Iterable[str] = COPIED) -> None:
    """What ``functools.update_wrapper`` does."""
    d = source.d
    for name in names:
        if type(d) is External:
            found = V(d.name.rpartition(".")[2]) if name in ("__name__", "__qualname__") else None
        elif type(d) is Unknown:
            found = unknown(f"{name} of an unknown function", "str", source.o)
        elif type(d) is Instance and name not in d.attrs:
            found = None
        else:
            found = it.find_attr(source, name)
        if found is not None:
            it.setattr(target, name, found)
    own = d.attrs if type(d) in (FuncObj, Native, Instance) else None
    for name, value in list((own or {}).items()):
        if name not in names and name != "__wrapped__":
            it.setattr(target, name, value)
    it.setattr(target, "__wrapped__", source)


def opaque_class(full: str, methods: Mapping[str, Fn] | None = None, **options: Any) -> Factory:
    """A class of a library: instances carry what their methods say, the rest is unknown."""
    return lambda it: V(make_class(it, full, methods=methods, foreign=full, **options))


def constants(module: str, real: Any, names: str) -> dict[str, Factory]:
    """Plain constants of a module, as CPython has them."""
    values = {f"{module}.{name}": getattr(real, name) for name in names.split()}
    return {name: _constant(value) for name, value in values.items()}


def _constant(value: Any) -> Factory:
    return lambda it: from_py(it.heap, value)


def instance(it: Any, cls: Any, attrs: Mapping[str, V], payload: Any = None) -> V:
    """An instance of a summarised class with these attributes."""
    made = Instance(cls, it.heap.cell(), payload)
    made.attrs.update(attrs)
    return V(made)
