"""The mixin methods of ``Mapping`` and ``MutableMapping``, over the methods of a subclass."""

from __future__ import annotations

from typing import Any

from mlapath.models.abc_access import Mixin, keys, listed, lookup, method
from mlapath.models.api import argument
from mlapath.values.truth import Truth
from mlapath.values.value import External, Unknown, V


def get(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    default = argument(args, kwargs, 2, "default", V(None))
    value, missing = lookup(it, args[0], args[1])
    return _either(it, value, default if missing else None)


def _either(it: Any, value: V | None, other: V | None) -> V:
    found = [v for v in (value, other) if v is not None]
    return it.union(found)  # type: ignore[no-any-return]


def contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    value, missing = lookup(it, args[0], args[1])
    if value is not None and missing:
        return V(Unknown("a key that may be absent", "bool"))
    return V(value is not None)


def key_view(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``keys()``: as of a dict, a set of the keys at this moment."""
    found, opened = keys(it, args[0])
    made = it.make_set(found)
    if opened:
        it.heap.open_dict(made.d, opened)
    return made  # type: ignore[no-any-return]


def values(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = keys(it, args[0])
    return listed(it, [it.getitem(args[0], k) for k in found], opened)


def items(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = keys(it, args[0])
    return listed(it, [V((k, it.getitem(args[0], k))) for k in found], opened)


def equals(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    mapping = it.models.symbol(it, "collections.abc.Mapping")
    kind = it.isinstance(args[1], mapping)
    if kind is Truth.FALSE:
        return V(External("NotImplemented"))
    if kind is Truth.UNKNOWN:
        return V(Unknown("equality with something unknown", "bool"))
    left, right = (it.call(it.builtins["dict"], [method(it, x, "items")], {}) for x in args[:2])
    return it.compare("==", left, right)  # type: ignore[no-any-return]


def pop(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    default = argument(args, kwargs, 2, "default")
    if default is None:
        value: V = it.getitem(args[0], args[1])
        it.delitem(args[0], args[1])
        return value

    def take() -> V:
        taken: V = it.getitem(args[0], args[1])
        it.delitem(args[0], args[1])
        return taken

    taken, error = it.attempt(take, it.builtins["KeyError"])
    return _either(it, taken, default if error is not None else None)


def pop_item(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = keys(it, args[0])
    if not found:
        if opened:
            it.havoc(args[0], opened)
            return V((V(Unknown("a key")), V(Unknown("an item"))))
        raise it.make_raise(it.exception("KeyError", []))
    value = it.getitem(args[0], found[0])
    it.delitem(args[0], found[0])
    return V((found[0], value))


def clear(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = keys(it, args[0])
    for key in found:
        it.delitem(args[0], key)
    if opened:
        it.havoc(args[0], opened)
    return V(None)


def update(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``update(other=(), /, **kwargs)``: through ``__setitem__``."""
    if len(args) > 1:
        made = it.call(it.builtins["dict"], [args[1]], {})
        for key, value in it.mapping_items(made) or ():
            it.setitem(args[0], key, value)
        if it.is_open(made):
            it.setitem(args[0], V(Unknown("an unknown key")), V(Unknown("an unknown value")))
    for name, value in kwargs.items():
        it.setitem(args[0], V(name), value)
    return V(None)


def set_default(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    default = argument(args, kwargs, 2, "default", V(None))
    assert default is not None
    value, missing = lookup(it, args[0], args[1])
    if not missing:
        assert value is not None
        return value
    if value is None:
        it.setitem(args[0], args[1], default)
        return default
    joined = _either(it, value, default)
    it.setitem(args[0], args[1], joined)
    return joined


MAPPING: dict[str, Mixin] = {
    "get": get, "__contains__": contains, "keys": key_view, "values": values, "items": items,
    "__eq__": equals,
}  # fmt: skip
MUTABLE: dict[str, Mixin] = {
    "pop": pop, "popitem": pop_item, "clear": clear, "update": update, "setdefault": set_default,
}  # fmt: skip
