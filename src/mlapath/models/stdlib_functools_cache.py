"""``functools.lru_cache`` and ``cache``: the same object comes back for equal arguments.

Results are kept in a heap cell per decorated function, so that what one alternative of a fork
computed is not known to the other.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import argument
from mlapath.models.cache_keys import Key, alike, call_key, is_exact, may_equal
from mlapath.models.support import unknown, wrapper
from mlapath.values.objects import Cell, DictObj, Instance, ListObj, Native
from mlapath.values.value import ABSENT, Union, Unknown, V

DEFAULT_SIZE = 128
MUTABLE = (ListObj, DictObj, Instance)
SUMMARISED = 3
"""So many results of calls of whose arguments the same is known stand for all others."""


def lru_cache(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``lru_cache(maxsize=128, typed=False)``, with or without parentheses."""
    size = argument(args, kwargs, 0, "maxsize", V(DEFAULT_SIZE))
    if size is not None and type(size.d) not in (int, type(None), Unknown):
        return _decorate(it, size, DEFAULT_SIZE)
    limit = size.d if size is not None and type(size.d) is int else None

    def decorate(engine: Any, given: list[V], named: dict[str, V]) -> V:
        return _decorate(engine, given[0], limit)

    return V(Native("functools.lru_cache()", decorate))


def cache(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``cache(function)``."""
    return _decorate(it, args[0] if args else kwargs["user_function"], None)


def _decorate(it: Any, function: V, limit: int | None) -> V:
    memo: Cell = it.heap.cell()

    def run(engine: Any, args: list[V], kwargs: dict[str, V], opened: str) -> V:
        if opened:
            return engine.call(function, args, kwargs, opened)  # type: ignore[no-any-return]
        return _call(engine, memo, limit, function, args, kwargs)

    def clear(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        for key in list(memo):
            engine.heap.drop(memo, key)
        return V(None)

    result = wrapper(it, "functools.lru_cache", function, run)
    size = V(None) if limit is None else V(limit)
    parameters = it.heap.dict()
    it.dict_set(parameters, V("maxsize"), size)
    it.dict_set(parameters, V("typed"), V(False))
    result.d.attrs["cache_clear"] = V(Native("cache_clear", clear))
    result.d.attrs["cache_info"] = V(Native("cache_info", lambda i, a, k: unknown("cache_info()")))
    result.d.attrs["cache_parameters"] = V(
        Native("cache_parameters", lambda i, a, k: V(parameters))
    )
    return result


def _call(
    it: Any, memo: Cell, limit: int | None, function: V, args: list[V], kwargs: dict[str, V]
) -> V:
    for value in (*args, *kwargs.values()):
        if type(value.d) is ListObj or type(value.d) is DictObj and value.d.kind != "frozenset":
            it.throw("TypeError", f"unhashable type: '{it.type_name(value)}'")
    key = call_key(args, kwargs)
    found = memo.get(key)

    def compute() -> V:
        others = _others(memo, key)
        known = [value for other, value in memo.items() if alike(key, other)]
        if len(known) >= SUMMARISED:
            return it.union([o for value in known for o in _results(value)])  # type: ignore[no-any-return]
        value: V = it.call(function, args, kwargs)
        if type(value.d) in MUTABLE and others:
            value = it.union([value, *others])  # an equal call may have given it before
        if limit == 0:
            return value
        it.heap.put(memo, key, value)
        if limit is not None and len(memo) > limit:
            it.heap.drop(memo, next(iter(memo)))
        return value

    if found is None:
        return compute()
    rest = _results(found)
    if type(found.d) is not Union or len(rest) == len(found.d.options):
        if limit is not None:  # the last used goes last
            it.heap.drop(memo, key)
            it.heap.put(memo, key, found)
        return found  # type: ignore[no-any-return]
    kept: V = it.union(rest)

    def reuse() -> V:
        it.heap.put(memo, key, kept)
        return kept

    joined: V = it.each([V(True), V(False)], lambda side: reuse() if side.d else compute())
    return joined


def _others(memo: Cell, key: Key) -> list[V]:
    """Objects that other calls gave whose arguments may have been equal, each once."""
    found: list[V] = []
    for other, value in memo.items():
        if is_exact(key) and is_exact(other) or not may_equal(key, other):
            continue
        for option in _results(value):
            if type(option.d) in MUTABLE and all(option.d is not kept.d for kept in found):
                found.append(option)
    return found


def _results(value: V) -> list[V]:
    """What an entry may hold, where it is there."""
    options = value.d.options if type(value.d) is Union else (value,)
    return [o for o in options if o.d is not ABSENT]


FUNCTIONS = {"functools.lru_cache": lru_cache, "functools.cache": cache}
