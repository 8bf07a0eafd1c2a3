"""``collections``: OrderedDict, defaultdict, Counter, deque, namedtuple, ChainMap, User*.

Dicts among them are instances whose payload is the dict itself.
"""

from __future__ import annotations

from typing import Any

from mlapath.models import builtin_dict
from mlapath.models.api import Fn, Library, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.stdlib_collections_chain import VALUES as CHAINS
from mlapath.models.stdlib_collections_counter import counter_class
from mlapath.models.stdlib_collections_deque import deque_class
from mlapath.models.stdlib_namedtuple import namedtuple
from mlapath.models.support import known, unknown
from mlapath.values.objects import OPEN, ClassObj, DictObj, Instance
from mlapath.values.truth import Truth, both
from mlapath.values.value import V


def _data(value: V) -> DictObj:
    data: DictObj = value.d.payload
    return data


def _ordered(it: Any) -> V:
    methods: dict[str, Fn] = {
        "move_to_end": _move_to_end, "popitem": _popitem, "copy": _copy, "__eq__": _ordered_equal,
        "__reversed__": _reversed,
    }  # fmt: skip
    return V(
        make_class(it, "collections.OrderedDict", (it.builtins["dict"].d,), methods=methods,
                   facts={"text": _ordered_text})
    )  # fmt: skip


def _ordered_text(it: Any, value: V, conversion: str) -> str | None:
    inner = it.format_value(V(_data(value)), "r", "")
    name = value.d.cls.name
    if inner is None:
        return None
    return f"{name}()" if inner == "{}" else f"{name}({inner})"


def _move_to_end(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    data = _data(args[0])
    last = args[2] if len(args) > 2 else kwargs.get("last", V(True))
    value = it.getitem(V(data), args[1])  # raises KeyError
    at_end = it.truth(last)
    if at_end is Truth.TRUE:
        it.delitem(V(data), args[1])
        it.dict_set(data, args[1], value)
    elif at_end is Truth.FALSE:
        rest = list(data.data.items())
        it.delitem(V(data), args[1])
        moved = [pair for key, pair in rest if key not in data.data and key is not OPEN]
        for key in list(data.data):
            it.heap.drop(data.data, key)
        for pair in moved:
            it.dict_set(data, pair[0], pair[1])
        for key, pair in rest:
            if key is OPEN:
                it.heap.open_dict(data, pair)
            elif key not in data.data:
                it.heap.put(data.data, key, pair)
    else:
        it.heap.open_dict(data, "moved to an unknown end")
    return V(None)


def _popitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    last = args[1] if len(args) > 1 else kwargs.get("last", V(True))
    data = _data(args[0])
    truth = it.truth(last)
    if truth is Truth.TRUE:
        return builtin_dict.popitem(it, [V(data)], {})
    keys = [key for key in data.data if key is not OPEN]
    if truth is Truth.UNKNOWN or not keys and OPEN in data.data:
        it.heap.open_dict(data, "an unknown item was popped")
        return V((unknown("a key"), unknown("an item")))
    if not keys:
        it.throw("KeyError", "dictionary is empty")
    pair = data.data[keys[0]]
    it.heap.drop(data.data, keys[0])
    return V(pair)


def _copy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    data = builtin_dict.copy(it, [V(_data(args[0]))], {}).d
    return V(Instance(args[0].d.cls, it.heap.cell(), data), args[0].o)


def _ordered_equal(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """Order counts between two OrderedDicts only."""
    other = args[1]
    truth = it.equal(V(_data(args[0])), other)
    ordered = library_class(it, "collections.OrderedDict")
    if type(other.d) is Instance and ordered in other.d.cls.mro and truth is not Truth.FALSE:
        keys = [k for k in _data(args[0]).data if k is not OPEN]
        truth = both(truth, Truth.of(keys == [k for k in _data(other).data if k is not OPEN]))
    return known(truth, "equality of dicts that are not fully known")


def _reversed(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    keys = it.iterate(V(_data(args[0])))[::-1]
    made = it.heap.list(keys)
    if it.is_open(V(_data(args[0]))):
        it.heap.open_list(made, it.is_open(V(_data(args[0]))))
    result: V = it.generator_of(V(made))
    return result


def _default(it: Any) -> V:
    methods: dict[str, Fn] = {
        "copy": _copy, "__copy__": _copy,
        "__missing__": lambda i, a, k: i.getitem(V(_data(a[0])), a[1]),
    }  # fmt: skip
    return V(
        make_class(it, "collections.defaultdict", (it.builtins["dict"].d,), methods=methods,
                   construct=_construct_default, properties={"default_factory": _factory},
                   facts={"text": _default_text})
    )  # fmt: skip


def _construct_default(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made = it.heap.dict(kind="defaultdict")
    if args and args[0].d is not None:
        made.default = args[0]
    builtin_dict.update(it, [V(made), *args[1:]], kwargs)
    result = V(Instance(cls, it.heap.cell(), made))
    it.initialise(result, args, kwargs, "")
    return result


def _factory(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _data(args[0]).default or V(None)


def _default_text(it: Any, value: V, conversion: str) -> str | None:
    default = _data(value).default
    inner = it.format_value(V(_data(value)), "r", "")
    factory = it.format_value(default, "r", "") if default is not None else "None"
    if inner is None or factory is None:
        return None
    return f"{value.d.cls.name}({factory}, {inner})"


LIBRARY = Library(
    functions={"collections.namedtuple": namedtuple},
    values={
        "collections.OrderedDict": _ordered,
        "collections.defaultdict": _default,
        "collections.Counter": counter_class,
        "collections.deque": deque_class,
        **CHAINS,
    },
)
