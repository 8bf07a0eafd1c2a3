"""``dict``, ``set``, ``frozenset`` and their methods."""

from __future__ import annotations

from typing import Any

from mlapath.values.heap import NOTHING
from mlapath.values.objects import OPEN, ClassObj, DictObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.union import may_be_absent, options
from mlapath.values.value import ABSENT, Union, Unknown, V


def _dict(value: V) -> DictObj:
    d = value.d.payload if type(value.d) is Instance else value.d
    result: DictObj = d
    return result


def _made(it: Any, cls: ClassObj, made: DictObj, args: list[V], kwargs: dict[str, V]) -> V:
    if cls.module == "builtins":
        return V(made, args[0].o if args else None)
    result = V(Instance(cls, it.heap.cell(), made))
    it.initialise(result, args, kwargs, "")
    return result


def construct_dict(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made = it.heap.dict()
    update(it, [V(made), *args], kwargs)
    return _made(it, cls, made, args, kwargs)


def update(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _dict(args[0])
    for source in args[1:]:
        it.pour(target, source)
    for name, value in kwargs.items():
        it.dict_set(target, V(name), value)
    return V(None)


def construct_set(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    return _set(it, cls, args, "set")


def construct_frozenset(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    return _set(it, cls, args, "frozenset")


def _set(it: Any, cls: ClassObj, args: list[V], kind: str) -> V:
    made = it.heap.dict(kind=kind)
    if args:
        set_update(it, [V(made), args[0]], {})
    return _made(it, cls, made, args, {})


def fromkeys(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    made = it.heap.dict()
    items = it.iterate(args[1])
    opened = items is None or it.is_open(args[1])
    put = it.dict_set_maybe if opened else it.dict_set
    for item in it.candidates(args[1]) if opened else items:
        put(made, item, args[2] if len(args) > 2 else V(None))
    return V(made)


def get(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _dict(args[0])
    default = args[2] if len(args) > 2 else kwargs.get("default", V(None))
    present = it.contains(V(target), args[1])
    value = default
    if present is not Truth.FALSE:
        value = _present(it, V(target, args[0].o), args[1])
    if present is Truth.UNKNOWN:
        value = it.union([value, default])
    return it.resting_on(value, args[0].o, args[1].o)  # type: ignore[no-any-return]


def _present(it: Any, target: V, key: V) -> V:
    """The item under a key that is taken to be there."""
    if type(key.d) is Union:
        options = [o for o in key.d.options if it.contains(target, o) is not Truth.FALSE]
        return it.union([_present(it, target, o) for o in options])  # type: ignore[no-any-return]
    return it.present_item(target, target.d, key)  # type: ignore[no-any-return]


def pop(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _dict(args[0])
    present = it.contains(V(target), args[1])
    if present is Truth.FALSE:
        if len(args) > 2:
            return args[2]
        it.throw_key(args[1])
    if present is Truth.UNKNOWN and len(args) < 3:
        return _take(it, target, args[1], it.getitem(V(target), args[1]))
    value = _take(it, target, args[1], _present(it, V(target), args[1]))
    if present is Truth.UNKNOWN:
        joined: V = it.union([value, args[2]])
        return joined
    return value


def _take(it: Any, target: DictObj, key: V, value: V) -> V:
    it.delitem(V(target), key)
    return value


def popitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _dict(args[0])
    keys = [k for k in target.data if k is not OPEN]
    if not keys:
        if OPEN not in target.data:
            it.throw("KeyError", "popitem(): dictionary is empty")
        return V((V(Unknown("a key")), V(Unknown("an item"))))
    certain = not target.data.mixed and OPEN not in target.data
    if not certain or may_be_absent(target.data[keys[-1]][1]):
        return _any_item(it, target, keys)
    pair = target.data[keys[-1]]
    it.delitem(V(target), pair[0])
    return V(pair)


def _any_item(it: Any, target: DictObj, keys: list[Any]) -> V:
    """``popitem`` where it is not known which item is the last one."""
    it.may_throw("KeyError", "popitem(): dictionary is empty")
    found = [target.data[key] for key in keys]
    if OPEN in target.data:
        found.append((V(Unknown("a key")), V(Unknown("an item"))))
    for key, pair in zip(keys, found, strict=False):
        it.heap.put(target.data, key, (pair[0], it.union([NOTHING, pair[1]])))
    bound = [it.union([o for o in options(v) if o.d is not ABSENT]) for _, v in found]
    names = it.union([pair[0] for pair in found])
    return V((names, it.union(bound)))


def setdefault(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _dict(args[0])
    default = args[2] if len(args) > 2 else V(None)
    present = it.contains(V(target), args[1])
    if present is Truth.TRUE:
        return _present(it, V(target, args[0].o), args[1])
    value = default if present is Truth.FALSE else it.union(
        [_present(it, V(target), args[1]), default])  # fmt: skip
    it.dict_set(target, args[1], value)
    return value


def _view(it: Any, target: DictObj, pick: Any) -> V:
    pairs = it.mapping_items(V(target))
    made = it.heap.list(it.in_order(target, [pick(k, v) for k, v in pairs]))
    opened = it.is_open(V(target))
    if opened:
        it.heap.open_list(made, opened, None if OPEN in target.data else NOTHING)
    return V(made)


def keys(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _dict(args[0])
    made = it.heap.dict(kind="set")
    made.data.mixed = target.data.mixed
    for key, pair in target.data.items():
        if key is OPEN:
            it.heap.open_dict(made, pair)
        else:
            absent = type(pair[1].d) is Union and any(o.d is ABSENT for o in pair[1].d.options)
            made.data[key] = (pair[0], pair[1] if absent else pair[0])
    return V(made, args[0].o)


def values(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _view(it, _dict(args[0]), lambda k, v: v)


def items(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _view(it, _dict(args[0]), lambda k, v: V((k, v)))


def clear(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _dict(args[0])
    for key, pair in list(target.data.items()):
        if key is OPEN:
            it.heap.drop(target.data, key)
        else:
            it.delitem(V(target), pair[0])
    return V(None)


def copy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _dict(args[0])
    made = it.heap.dict(dict(target.data), target.kind)
    made.data.mixed = target.data.mixed
    made.default = target.default
    return V(made, args[0].o)


def length(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _dict(args[0])
    if it.is_open(V(target)):
        return V(Unknown("the size of a container that is not fully known", "int", lo=0))
    return V(len(target.data))


def _contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    truth = it.contains(V(_dict(args[0])), args[1])
    if truth is Truth.UNKNOWN:
        return V(Unknown("in a container that is not known", "bool"))
    return V(truth is Truth.TRUE)


def _getitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """An item; what is missing by ``__missing__`` of a subclass."""
    target = _dict(args[0])
    missing = it.lookup_special(args[0], "__missing__")
    if missing is None or target.kind == "defaultdict":
        value: V = it.getitem(V(target, args[0].o), args[1])
        return value
    present = it.contains(V(target), args[1])
    if present is Truth.TRUE:
        return it.getitem(V(target), args[1])  # type: ignore[no-any-return]
    if present is Truth.FALSE:
        return it.call(missing, [args[1]], {})  # type: ignore[no-any-return]

    def side(option: V) -> V:
        if option.d:
            return it.getitem(V(target), args[1])  # type: ignore[no-any-return]
        return it.call(missing, [args[1]], {})  # type: ignore[no-any-return]

    return it.each([V(True), V(False)], side)  # type: ignore[no-any-return]


def set_add(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.dict_set(_dict(args[0]), args[1], args[1])
    return V(None)


def set_discard(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.attempt(lambda: set_remove(it, args, kwargs), it.builtins["KeyError"], opaque=False)
    return V(None)


def set_remove(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.delitem(V(_dict(args[0])), args[1])
    return V(None)


def set_pop(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``pop()``: any one of the items; which one is known only where there is one."""
    target = _dict(args[0])
    pairs = [pair for key, pair in target.data.items() if key is not OPEN]
    opened = target.data.get(OPEN)
    if not pairs and opened is None:
        it.throw("KeyError", "pop from an empty set")
    if len(pairs) == 1 and not it.is_open(V(target)):
        it.delitem(V(target), pairs[0][0])
        return V(pairs[0][0].d, pairs[0][0].o or args[0].o)
    it.delitem(V(target), V(Unknown("the item that pop() took from a set")))
    if opened is not None:
        return V(Unknown(opened), args[0].o)
    joined: V = it.union([pair[0] for pair in pairs])
    return joined


def _set_inplace(op: str) -> Any:
    """``intersection_update difference_update symmetric_difference_update``."""

    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        target = _dict(args[0])
        result = set_operation(op)(it, args, kwargs)
        clear(it, args[:1], {})
        return set_update(it, [V(target), result], {})

    return method


def set_update(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _dict(args[0])
    for source in args[1:]:
        found = it.iterate(source)
        if found is None or it.is_open(source):
            for item in it.candidates(source):
                it.dict_set_maybe(target, item, item)
        else:
            for item in found:
                it.dict_set(target, item, item)
    return V(None)


def set_operation(op: str) -> Any:
    """``union intersection difference symmetric_difference`` as methods."""

    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        left = V(_dict(args[0]))
        for other in args[1:]:
            right = construct_set(it, it.builtins["set"].d, [other], {})
            left = it.dict_op(op, left, right)
        return left if len(args) > 1 else copy(it, args, kwargs)

    return method


def set_relation(name: str) -> Any:
    """``issubset issuperset isdisjoint``."""

    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        left = V(_dict(args[0]))
        right = construct_set(it, it.builtins["set"].d, [args[1]], {})
        if name != "isdisjoint":
            return it.compare("<=" if name == "issubset" else ">=", left, right)  # type: ignore[no-any-return]
        shared = set(left.d.data) & set(right.d.data) - {OPEN}
        if any(
            not may_be_absent(left.d.data[key][1]) and not may_be_absent(right.d.data[key][1])
            for key in shared
        ):
            return V(False)
        if shared or OPEN in left.d.data or OPEN in right.d.data:
            return V(Unknown("a relation of sets that are not fully known", "bool"))
        return V(True)

    return method


COMMON = {
    "__len__": length, "__contains__": _contains, "clear": clear, "copy": copy,
    "__iter__": lambda it, a, k: V(it.heap.list(it.iterate(V(_dict(a[0]))))),
}  # fmt: skip
DICT_METHODS = {
    **COMMON, "get": get, "pop": pop, "popitem": popitem, "setdefault": setdefault,
    "update": update, "keys": keys, "values": values, "items": items,
    "__getitem__": _getitem,
    "__setitem__": lambda it, a, k: it.dict_set(_dict(a[0]), a[1], a[2]) or V(None),
    "__delitem__": lambda it, a, k: it.delitem(V(_dict(a[0])), a[1]) or V(None),
}  # fmt: skip
SET_METHODS = {
    **COMMON, "add": set_add, "discard": set_discard, "remove": set_remove, "update": set_update,
    "union": set_operation("|"), "intersection": set_operation("&"),
    "difference": set_operation("-"), "symmetric_difference": set_operation("^"),
    "issubset": set_relation("issubset"), "issuperset": set_relation("issuperset"),
    "isdisjoint": set_relation("isdisjoint"), "pop": set_pop,
    "intersection_update": _set_inplace("&"), "difference_update": _set_inplace("-"),
    "symmetric_difference_update": _set_inplace("^"),
}  # fmt: skip
