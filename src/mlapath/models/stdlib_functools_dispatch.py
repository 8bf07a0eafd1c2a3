"""``functools.singledispatch``: a function chosen by the class of its first argument."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn
from mlapath.models.support import wrapper
from mlapath.values.objects import ClassObj, DictObj, Native
from mlapath.values.value import Union, V


def singledispatch(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``singledispatch(function)``."""
    return _dispatcher(it, args[0], 0)


def singledispatchmethod(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``singledispatchmethod(function)``: by the argument after ``self``."""
    return _dispatcher(it, args[0], 1)


def _dispatcher(it: Any, default: V, index: int) -> V:
    registry: DictObj = it.heap.dict()
    it.dict_set(registry, V(it.object_class), default)

    def run(engine: Any, args: list[V], kwargs: dict[str, V], opened: str) -> V:
        if opened or len(args) <= index:
            return engine.call(default, args, kwargs, opened)  # type: ignore[no-any-return]
        choices = _choices(engine, registry, args[index])
        return engine.each(choices, lambda f: engine.call(f, args, dict(kwargs)))  # type: ignore[no-any-return]

    def register(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        if len(args) > 1:
            engine.dict_set(registry, args[0], args[1])
            return args[1]
        if type(args[0].d) is ClassObj:
            return V(Native("register", _registrar(registry, args[0])))
        engine.heap.open_dict(registry, "registered under an annotation")
        engine.dict_set(registry, args[0], args[0])
        return args[0]

    def dispatch(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        found: V = engine.union(_of_class(engine, registry, args[0].d))
        return found

    result = wrapper(it, "functools.singledispatch", default, run)
    result.d.attrs["register"] = V(Native("register", register))
    result.d.attrs["dispatch"] = V(Native("dispatch", dispatch))
    result.d.attrs["registry"] = V(registry)
    return result


def _registrar(registry: DictObj, cls: V) -> Fn:
    def decorate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        it.dict_set(registry, cls, args[0])
        return args[0]

    return decorate


def _choices(it: Any, registry: DictObj, value: V) -> list[V]:
    """The implementations that may be chosen for ``value``."""
    options = value.d.options if type(value.d) is Union else (value,)
    found: list[V] = []
    for option in options:
        for choice in _of_class(it, registry, it.class_of(option)):
            if not any(choice.d is other.d for other in found):
                found.append(choice)
    return found


def _of_class(it: Any, registry: DictObj, cls: Any) -> list[V]:
    table = it.mapping_items(V(registry))
    if type(cls) is ClassObj and not it.is_open(V(registry)):
        for c in cls.mro:
            for key, function in table:
                if key.d is c:
                    return [function]
    return [function for _, function in table]


FUNCTIONS = {
    "functools.singledispatch": singledispatch,
    "functools.singledispatchmethod": singledispatchmethod,
}
