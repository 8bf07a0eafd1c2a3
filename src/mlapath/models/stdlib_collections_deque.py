"""``collections.deque``: an instance whose payload is a list."""

from __future__ import annotations

from typing import Any

from mlapath.models import builtin_list
from mlapath.models.api import Fn, argument, make_class
from mlapath.models.support import known, unknown
from mlapath.values.objects import ClassObj, Instance, ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import V


def deque_class(it: Any) -> V:
    """The class ``deque``."""
    methods: dict[str, Fn] = {
        **builtin_list.METHODS,
        "append": _bounded(builtin_list.append), "extend": _bounded(builtin_list.extend),
        "insert": _bounded(builtin_list.insert), "appendleft": _append_left,
        "extendleft": _extend_left, "popleft": _pop_left, "pop": _pop, "rotate": _rotate,
        "copy": _copy, "__copy__": _copy, "__eq__": _equal, "__delitem__": _delitem,
        "__iadd__": _add, "__reversed__": _reversed,
    }  # fmt: skip
    del methods["sort"]
    return V(make_class(it, "collections.deque", methods=methods, construct=_construct,
                        facts={"text": _text}))  # fmt: skip


def _construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made = V(Instance(cls, it.heap.cell(), it.heap.list([])))
    made.d.attrs["maxlen"] = argument(args, kwargs, 1, "maxlen") or V(None)
    source = argument(args, kwargs, 0, "iterable")
    if source is not None:
        _bounded(builtin_list.extend)(it, [made, source], {})
    return made


def _list(value: V) -> ListObj:
    items: ListObj = value.d.payload
    return items


def _trim(it: Any, value: V, *, left: bool) -> None:
    """Drop what is beyond ``maxlen``: from the left, or from the right."""
    limit, items = value.d.attrs["maxlen"].d, _list(value)
    if limit is None:
        return
    if type(limit) is not int:
        it.heap.open_list(items, "a deque of unknown length")
    elif len(items.items) > limit and not items.open:
        kept = items.items[len(items.items) - limit :] if left else items.items[:limit]
        it.heap.put(items.cell, "items", list(kept))


def _bounded(method: Fn) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        result = method(it, args, kwargs)
        _trim(it, args[0], left=True)
        return result

    return fn


def _append_left(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.heap.items_for_write(_list(args[0])).insert(0, args[1])
    _trim(it, args[0], left=False)
    return V(None)


def _extend_left(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    items = it.iterate(args[1])
    opened = it.is_open(args[1])
    for item in items or ():
        _append_left(it, [args[0], item], {})
    if items is None or opened:
        it.heap.open_list(_list(args[0]), opened or "extended by an unknown iterable")
    return V(None)


def _take(it: Any, value: V, index: int) -> V:
    items = _list(value)
    if not items.open and not items.items:
        it.throw("IndexError", "pop from an empty deque")
    return builtin_list.pop(it, [V(items), V(index)], {})


def _pop(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _take(it, args[0], -1)


def _pop_left(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _take(it, args[0], 0)


def _rotate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    items, by = _list(args[0]), args[1] if len(args) > 1 else V(1)
    if type(by.d) is not int:
        it.heap.open_list(items, "rotated by an unknown number")
    elif items.items:
        cut = -by.d % len(items.items)
        it.heap.put(items.cell, "items", items.items[cut:] + items.items[:cut])
    return V(None)


def _copy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return _construct(it, args[0].d.cls, [V(_list(args[0])), args[0].d.attrs["maxlen"]], {})


def _equal(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    other = args[1]
    if type(other.d) is Instance and other.d.cls is args[0].d.cls:
        truth = it.equal(V(_list(args[0])), V(_list(other)))
        return known(truth, "equality of deques that are not fully known")
    same_type = it.isinstance(other, V(args[0].d.cls))
    return V(False) if same_type is Truth.FALSE else unknown("equality with a deque", "bool")


def _delitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.delitem(V(_list(args[0])), args[1])
    return V(None)


def _add(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    _bounded(builtin_list.extend)(it, args, kwargs)
    return args[0]


def _reversed(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    made = it.heap.list(_list(args[0]).items[::-1])
    if _list(args[0]).open:
        it.heap.open_list(made, _list(args[0]).open)
    return it.generator_of(V(made))  # type: ignore[no-any-return]


def _text(it: Any, value: V, conversion: str) -> str | None:
    inner = it.format_value(V(_list(value)), "r", "")
    limit = value.d.attrs["maxlen"].d
    if inner is None:
        return None
    return f"deque({inner})" if limit is None else f"deque({inner}, maxlen={limit})"
