"""``collections.Counter``: a dict of counts; what is not in it counts 0."""

from __future__ import annotations

from typing import Any

from mlapath.models import builtin_dict
from mlapath.models.api import Fn, make_class
from mlapath.models.support import unknown
from mlapath.values.objects import ClassObj, DictObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import V


def counter_class(it: Any) -> V:
    """The class ``Counter``."""
    methods: dict[str, Fn] = {
        "__getitem__": _getitem, "update": _changed("+"), "subtract": _changed("-"),
        "most_common": _most_common, "elements": _elements, "total": _total, "copy": _copy,
        "__add__": _joined("+"), "__sub__": _joined("-"), "__or__": _joined("max"),
        "__and__": _joined("min"), "__delitem__": _delitem,
    }  # fmt: skip
    return V(make_class(it, "collections.Counter", (it.builtins["dict"].d,), methods=methods,
                        construct=_construct))  # fmt: skip


def _construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made = V(Instance(cls, it.heap.cell(), it.heap.dict()))
    _changed("+")(it, [made, *args], kwargs)
    it.initialise(made, args, kwargs, "")
    return made


def _data(value: V) -> DictObj:
    data: DictObj = value.d.payload
    return data


def _count(it: Any, data: DictObj, key: V) -> V:
    present = it.contains(V(data), key)
    if present is Truth.FALSE:
        return V(0)
    value: V = it.getitem(V(data), key)
    if present is Truth.TRUE:
        return value
    joined: V = it.union([value, V(0)])
    return joined


def _getitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _count(it, _data(args[0]), args[1])


def _delitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return builtin_dict.set_discard(it, [V(_data(args[0])), args[1]], {})


def _changed(op: str) -> Fn:
    """``update`` and ``subtract``."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        data = _data(args[0])
        for source in [a for a in args[1:] if a.d is not None]:
            pairs = it.mapping_items(source)
            opened = it.is_open(source)
            if pairs is None:
                items = it.iterate(source)
                pairs = [(item, V(1)) for item in items or ()]
                opened = opened or ("" if items is not None else "counts of unknown items")
            for key, number in pairs:
                it.dict_set(data, key, it.binop(op, _count(it, data, key), number))
            if opened:
                _open(it, data, opened)
        for name, number in kwargs.items():
            it.dict_set(data, V(name), it.binop(op, _count(it, data, V(name)), number))
        return V(None)

    return fn


def _open(it: Any, data: DictObj, why: str) -> None:
    """Any count may be another, and there may be more."""
    for key, value in it.mapping_items(V(data)):
        it.dict_set(data, key, unknown(why, "int", value.o))
    it.heap.open_dict(data, why)


def _most_common(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    number = args[1] if len(args) > 1 else kwargs.get("n", V(None))
    data = _data(args[0])
    pairs = V(it.heap.list([V(pair) for pair in it.mapping_items(V(data))]))
    if it.is_open(V(data)):
        it.heap.open_list(pairs.d, it.is_open(V(data)))
    key = it.call(it.models.symbol(it, "operator.itemgetter"), [V(1)], {})
    ordered = it.call(it.builtins["sorted"], [pairs], {"key": key, "reverse": V(True)})
    if number.d is None:
        return ordered  # type: ignore[no-any-return]
    if type(number.d) is not int:
        return unknown("the most common items", "list", number.o)
    if ordered.d.open:
        return ordered  # type: ignore[no-any-return]
    return V(it.heap.list(ordered.d.items[: max(number.d, 0)]))


def _elements(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    made = it.heap.list([])
    for key, number in it.mapping_items(V(_data(args[0]))):
        if type(number.d) is int:
            it.heap.items_for_write(made).extend([key] * number.d)
        else:
            it.heap.open_list(made, "elements that are not counted")
    if it.is_open(V(_data(args[0]))):
        it.heap.open_list(made, it.is_open(V(_data(args[0]))))
    return it.generator_of(V(made))  # type: ignore[no-any-return]


def _total(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    data = _data(args[0])
    if it.is_open(V(data)):
        return unknown("the sum of unknown counts", "int")
    total = V(0)
    for _, number in it.mapping_items(V(data)):
        total = it.binop("+", total, number)
    return total


def _copy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    data = builtin_dict.copy(it, [V(_data(args[0]))], {}).d
    return V(Instance(args[0].d.cls, it.heap.cell(), data), args[0].o)


def _joined(op: str) -> Fn:
    """``+ - | &`` of counters: only positive counts are kept."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        left, right = _data(args[0]), getattr(args[1].d, "payload", None)
        made = it.heap.dict()
        if type(right) is not DictObj:
            it.heap.open_dict(made, "counts of something unknown")
            return V(Instance(args[0].d.cls, it.heap.cell(), made))
        keys = dict(left.data)
        keys.update((k, v) for k, v in right.data.items() if k not in keys)
        for key in [pair[0] for pair in keys.values() if isinstance(pair, tuple)]:
            sides = [_count(it, left, key), _count(it, right, key)]
            number = (it.call(it.builtins[op], sides, {}) if op in ("max", "min")
                      else it.binop(op, *sides))  # fmt: skip
            positive = it.truth(it.compare(">", number, V(0)))
            if positive is not Truth.FALSE:
                it.dict_set(made, key, number)
            if positive is Truth.UNKNOWN:
                it.heap.open_dict(made, "a count that may not be positive")
        for side in (left, right):
            if it.is_open(V(side)):
                _open(it, made, it.is_open(V(side)))
        return V(Instance(args[0].d.cls, it.heap.cell(), made))

    return fn
