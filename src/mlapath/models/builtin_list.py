"""``list`` and its methods."""

from __future__ import annotations

from typing import Any

from mlapath.values.heap import NOTHING
from mlapath.values.join import bag
from mlapath.values.objects import ClassObj, GeneratorObj, Instance, ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V


def construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made: ListObj = it.heap.list([])
    if args:
        extend(it, [V(made), args[0]], {})
    if cls.module != "builtins":
        instance = Instance(cls, it.heap.cell(), made)
        result = V(instance)
        it.initialise(result, args, kwargs, "")
        return result
    return V(made, args[0].o if args else None)


def _list(value: V) -> ListObj:
    d = value.d.payload if type(value.d) is Instance else value.d
    result: ListObj = d
    return result


def append(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _list(args[0])
    value = it.item_origin(args[1])
    if it.rounds is not None and it.rounds.append(target, value):
        return V(None)
    it.heap.items_for_write(target).append(value)
    it.note_content(target, value)
    return V(None)


def extend(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _list(args[0])
    before = list(target.items)
    items = it.iterate(args[1])
    opened = it.is_open(args[1]) if items is not None else "extended by an unknown iterable"
    if opened or items is None:
        items = it.candidates(args[1])
    elif type(args[1].d) is GeneratorObj and target.items != before:
        opened = "extended by a generator that changes it"
    if opened:  # any number of each of them
        it.heap.put(target.cell, "items", bag([*target.items, *items]))
        it.heap.open_list(target, opened, NOTHING)
    else:
        it.heap.items_for_write(target).extend(items)
    if items:
        it.note_content(target, args[1])
    return V(None)


def insert(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _list(args[0])
    known = type(args[1].d) is int
    it.heap.items_for_write(target).insert(args[1].d if known else 0, args[2])
    if not known:
        it.heap.open_list(target, "inserted at an unknown index", NOTHING)
    return V(None)


def pop(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _list(args[0])
    index = args[1].d if len(args) > 1 else -1
    if target.open or type(index) is not int:
        found = it.candidates(V(target))
        if not found:
            it.throw("IndexError", "pop from empty list")
        it.may_throw("IndexError", "pop from a list that may be empty")
        it.heap.open_list(target, "popped at an unknown index", NOTHING)
        return it.union(found)  # type: ignore[no-any-return]
    items = it.heap.items_for_write(target)
    if not -len(items) <= index < len(items):
        it.throw("IndexError", "pop index out of range" if items else "pop from empty list")
    value: V = items.pop(index)
    return value


def _position(it: Any, target: ListObj, value: V, bounds: tuple[int, ...] = ()) -> int | None:
    """Where a value is first; -1: nowhere; None: not known."""
    places = range(len(target.items))[slice(*bounds, *[None] * (2 - len(bounds)))]
    for i in places:
        item = target.items[i]
        truth = it.truth(it.compare("==", item, value))
        if truth is Truth.TRUE:
            return i
        if truth is Truth.UNKNOWN:
            return None
    return -1 if not target.open else None


def remove(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _list(args[0])
    position = _position(it, target, args[1])
    if position is None:
        it.may_throw("ValueError", "list.remove(x): x not in list")
        it.heap.open_list(target, "an unknown item was removed", NOTHING)
    elif position < 0:
        it.throw("ValueError", "list.remove(x): x not in list")
    else:
        del it.heap.items_for_write(target)[position]
    return V(None)


def index(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    bounds = tuple(x.d for x in args[2:4])
    known = all(type(x) is int for x in bounds)
    position = _position(it, _list(args[0]), args[1], bounds) if known else None
    if position is None:
        it.may_throw("ValueError", "x is not in list")
        return V(Unknown("the index of an unknown item", "int", lo=0))
    if position < 0:
        it.throw("ValueError", "x is not in list")
    return V(position)


def count(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _list(args[0])
    truths = [it.truth(it.compare("==", item, args[1])) for item in target.items]
    if target.open or Truth.UNKNOWN in truths:
        return V(Unknown("a count of unknown items", "int", lo=0))
    return V(sum(t is Truth.TRUE for t in truths))


def clear(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _list(args[0])
    it.heap.put(target.cell, "items", [])
    it.heap.put(target.cell, "open", "")
    return V(None)


def copy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    made: V = construct(it, it.builtins["list"].d, [V(_list(args[0]))], {})
    return made


def sort(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _list(args[0])
    ordered = it.call(it.builtins["sorted"], [V(target)], kwargs)
    if type(ordered.d) is ListObj and not ordered.d.open:
        it.heap.put(target.cell, "items", list(ordered.d.items))
    else:
        it.heap.open_list(target, "sorted by something unknown", NOTHING)
    return V(None)


def reverse(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _list(args[0])
    it.heap.put(target.cell, "items", target.items[::-1])
    return V(None)


def length(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    target = _list(args[0])
    if target.open:
        why = "the length of a list that is not fully known"
        known = len(target.items)
        extra = target.extra
        if extra is None:
            return V(Unknown(why, "int", lo=0))
        return V(Unknown(why, "int", lo=known, hi=known + len(extra)))
    return V(len(target.items))


METHODS = {
    "append": append, "extend": extend, "insert": insert, "pop": pop, "remove": remove,
    "index": index, "count": count, "clear": clear, "copy": copy, "sort": sort,
    "reverse": reverse, "__len__": length,
    "__contains__": lambda it, a, k: V({Truth.TRUE: True, Truth.FALSE: False}.get(
        it.contains(V(_list(a[0])), a[1]), Unknown("in an unknown list", "bool"))),
    "__getitem__": lambda it, a, k: it.getitem(V(_list(a[0])), a[1]),
    "__setitem__": lambda it, a, k: it.setitem(V(_list(a[0])), a[1], a[2]) or V(None),
    "__iter__": lambda it, a, k: V(_list(a[0])),
}  # fmt: skip
