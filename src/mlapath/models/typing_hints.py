"""``get_type_hints`` and ``get_overloads``: what asks for annotations at run time."""

from __future__ import annotations

from typing import Any

from mlapath.models.aliases import alias_args, alias_name, is_alias, with_arguments
from mlapath.models.api import argument
from mlapath.models.support import unknown
from mlapath.values.objects import BoundMethod, ClassObj, FuncObj, ModuleObj, Native
from mlapath.values.truth import Truth
from mlapath.values.value import V


def get_type_hints(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``get_type_hints(obj, include_extras=False)``: of a class with its bases, or a function.

    A name that is bound nowhere gives an unknown type instead of the program's NameError.
    """
    value = argument(args, kwargs, 0, "obj", V(None))
    assert value is not None
    extras = it.truth(kwargs.get("include_extras", V(False))) is Truth.TRUE
    made = it.heap.dict()
    d = _function(value)
    if type(d) is ClassObj:
        for c in reversed(d.mro):
            _of_class(it, c, made, extras)
            if c.foreign and c.foreign == c.full:
                it.heap.open_dict(made, f"annotations of {c.foreign}")
    elif type(d) is FuncObj:
        scope = it.annotation_scope(d)
        for name, expr in it.annotated_parameters(d):
            it.dict_set(made, V(name), _finish(it, it.annotation_value(scope, expr), extras))
    elif type(d) is ModuleObj or type(d) is Native:
        it.heap.open_dict(made, "annotations that are not kept")
    else:
        return unknown("the type hints of something unknown", "dict", value.o)
    return V(made, value.o)


def _function(value: V) -> Any:
    d = value.d
    if type(d) is BoundMethod:
        return d.func.d if isinstance(d.func, V) else d.func
    if type(d) is Native and d.attrs is not None and "__wrapped__" in d.attrs:
        return _function(d.attrs["__wrapped__"])
    return d


def _of_class(it: Any, c: ClassObj, made: Any, extras: bool) -> None:
    given = c.ns.get("__annotations__")
    if given is not None:
        for key, value in it.mapping_items(given) or ():
            it.dict_set(made, key, _finish(it, value, extras))
        return
    for name, expr, frame in c.facts.get("annotations", ()):
        it.dict_set(made, V(name), _finish(it, it.annotation_value(frame, expr), extras))


def _finish(it: Any, value: V, extras: bool) -> V:
    """``None`` is its type; ``Annotated`` and ``Required`` go unless asked for."""
    if value.d is None:
        return it.builtins["NoneType"]  # type: ignore[no-any-return]
    return value if extras else strip(it, value)


def strip(it: Any, value: V) -> V:
    """A type without ``Annotated``, ``Required``, ``NotRequired`` and ``ReadOnly``."""
    if not is_alias(value):
        return value
    name, inner = alias_name(value), alias_args(value)
    if name in ("Annotated", "Required", "NotRequired", "ReadOnly"):
        return strip(it, inner[0])
    if name == "Literal":
        return value
    stripped = tuple(strip(it, x) for x in inner)
    if all(a is b for a, b in zip(stripped, inner, strict=True)):
        return value
    return with_arguments(it, value, stripped)


def overload(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@overload``: the function is noted; calling what is left raises."""
    d = args[0].d
    if type(d) is FuncObj:
        known = it.store.setdefault("overloads", {}).setdefault(d.full, [])
        if not any(x.d is d for x in known):
            known.append(args[0])

    def dummy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        it.throw("NotImplementedError", "You should not call an overloaded function.")
        raise AssertionError("unreachable")

    return V(Native("typing._overload_dummy", dummy))


def get_overloads(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``get_overloads(f)``."""
    d = args[0].d
    known = it.store.get("overloads", {}).get(d.full, []) if type(d) is FuncObj else []
    return V(it.heap.list(list(known)))
