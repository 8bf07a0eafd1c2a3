"""``collections.ChainMap``, ``UserDict``, ``UserList``: wrappers written over other containers."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Factory, Fn, make_class
from mlapath.models.support import instance, unknown
from mlapath.values.objects import ClassObj, ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import V


def _chain(it: Any) -> V:
    methods: dict[str, Fn] = {
        "__getitem__": _chain_item, "__contains__": _chain_contains, "get": _chain_get,
        "__iter__": _chain_keys, "keys": _chain_keys, "items": _chain_items,
        "values": _chain_values, "__setitem__": _chain_set, "__delitem__": _chain_delete,
        "new_child": _new_child, "__len__": _chain_length,
    }  # fmt: skip
    return V(make_class(it, "collections.ChainMap", methods=methods, construct=_construct_chain,
                        properties={"parents": _parents}))  # fmt: skip


def _construct_chain(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    maps = list(args) or [V(it.heap.dict())]
    return instance(it, cls, {"maps": V(it.heap.list(maps))})


def _maps(value: V) -> list[V]:
    maps: ListObj = value.d.attrs["maps"].d
    return maps.items


def _chain_item(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found: list[V] = []
    for mapping in _maps(args[0]):
        present = it.contains(mapping, args[1])
        if present is Truth.FALSE:
            continue
        found.append(it.getitem(mapping, args[1]))
        if present is Truth.TRUE:
            return it.union(found)  # type: ignore[no-any-return]
    if not found:
        it.throw_key(args[1])
    return it.union(found)  # type: ignore[no-any-return]


def _chain_truth(it: Any, value: V, key: V) -> Truth:
    truths = [it.contains(mapping, key) for mapping in _maps(value)]
    if Truth.TRUE in truths:
        return Truth.TRUE
    return Truth.UNKNOWN if Truth.UNKNOWN in truths else Truth.FALSE


def _chain_contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    truth = _chain_truth(it, args[0], args[1])
    if truth is Truth.UNKNOWN:
        return unknown("whether a key is in one of several mappings", "bool")
    return V(truth is Truth.TRUE)


def _chain_get(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    default = args[2] if len(args) > 2 else kwargs.get("default", V(None))
    truth = _chain_truth(it, args[0], args[1])
    if truth is Truth.FALSE:
        return default
    value = _chain_item(it, args[:2], {})
    return value if truth is Truth.TRUE else it.union([value, default])


def _merged(it: Any, value: V) -> V:
    """One dict with everything: the later maps first, as ChainMap iterates."""
    made = V(it.heap.dict())
    for mapping in reversed(_maps(value)):
        it.call(it.getattr(made, "update"), [mapping], {})
    return made


def _chain_keys(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return it.call(it.getattr(_merged(it, args[0]), "keys"), [], {})  # type: ignore[no-any-return]


def _chain_items(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return it.call(it.getattr(_merged(it, args[0]), "items"), [], {})  # type: ignore[no-any-return]


def _chain_values(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return it.call(it.getattr(_merged(it, args[0]), "values"), [], {})  # type: ignore[no-any-return]


def _chain_length(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return it.call(it.builtins["len"], [_merged(it, args[0])], {})  # type: ignore[no-any-return]


def _chain_set(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.setitem(_maps(args[0])[0], args[1], args[2])
    return V(None)


def _chain_delete(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.delitem(_maps(args[0])[0], args[1])
    return V(None)


def _new_child(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    first = args[1] if len(args) > 1 else kwargs.get("m", V(it.heap.dict()))
    return _construct_chain(it, args[0].d.cls, [first, *_maps(args[0])], {})


def _parents(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _construct_chain(it, args[0].d.cls, _maps(args[0])[1:], {})


def _user(full: str, kind: str, names: tuple[str, ...]) -> Factory:
    """``UserDict`` and ``UserList``: everything is asked of ``self.data``."""

    def forward(name: str) -> Fn:
        def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
            data = it.getattr(args[0], "data")
            if name == "__delitem__":
                it.delitem(data, args[1])
                return V(None)
            return it.call(it.getattr(data, name), args[1:], kwargs)  # type: ignore[no-any-return]

        return fn

    def init(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        it.setattr(args[0], "data", it.call(it.builtins[kind], [], {}))
        if kind == "list":
            if len(args) > 1:
                it.call(it.getattr(it.getattr(args[0], "data"), "extend"), args[1:], {})
            return V(None)
        given = V(it.heap.dict())
        it.call(it.getattr(given, "update"), [a for a in args[1:] if a.d is not None], kwargs)
        it.call(it.getattr(args[0], "update"), [given], {})
        return V(None)

    methods: dict[str, Fn] = {**{name: forward(name) for name in names}, "__init__": init}
    if kind == "dict":
        methods["update"] = _update_user
    return lambda it: V(make_class(it, full, methods=methods))


def _update_user(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """Goes through ``__setitem__``, which a subclass may override."""
    given = V(it.heap.dict())
    it.call(it.getattr(given, "update"), args[1:], kwargs)
    for key, value in it.mapping_items(given):
        it.setitem(args[0], key, value)
    if it.is_open(given):
        it.heap.open_dict(it.getattr(args[0], "data").d, it.is_open(given))
    return V(None)


DICT = ("__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__len__", "get",
        "pop", "popitem", "setdefault", "keys", "values", "items", "clear", "copy")  # fmt: skip
LIST = ("__getitem__", "__setitem__", "__delitem__", "__contains__", "__iter__", "__len__",
        "append", "extend", "insert", "pop", "remove", "index", "count", "clear", "sort",
        "reverse")  # fmt: skip
VALUES: dict[str, Factory] = {
    "collections.ChainMap": _chain,
    "collections.UserDict": _user("collections.UserDict", "dict", DICT),
    "collections.UserList": _user("collections.UserList", "list", LIST),
}
