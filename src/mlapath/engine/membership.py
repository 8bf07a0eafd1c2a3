"""Membership: ``item in container``, true, false or unknown."""

from __future__ import annotations

from typing import Any

from mlapath.engine.attrs import class_lookup
from mlapath.engine.compare import MAPPINGS, compare, identical
from mlapath.engine.keys import key as key_as_hashed
from mlapath.engine.ops import plain, truth
from mlapath.engine.uniform import key_content, lifted_truth
from mlapath.values.family import Family
from mlapath.values.objects import (
    OPEN,
    ClassObj,
    DictObj,
    Instance,
    ListObj,
)
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, External, Union, Unknown, V


def contains(it: Any, container: V, item: V) -> Truth:
    """``item in container``."""
    d = container.d
    kind = type(d)
    if kind is Family or type(item.d) is Family and kind is not Instance:
        return _in_each_round(it, container, item)
    if kind is Instance:
        special = it.lookup_special(container, "__contains__")
        if special is not None:
            return truth(it, it.call(special, [item], {}))
        if d.payload is not None:
            return contains(it, V(d.payload), item)
    if kind is ClassObj and d.meta is not None:
        own = class_lookup(d.meta, "__contains__")
        if own is not None:
            return truth(it, it.call(it.bind(own[0], container, d.meta), [item], {}))
    if kind is Union:
        options = [o for o in d.options if o.d is not ABSENT]
        return truth(it, it.each(options, lambda o: _answer(contains(it, o, item))))
    if kind is DictObj:
        return _in_dict(it, d, item)
    if kind is str or kind is bytes:
        return _in_text(it, d, plain(item).d)
    if kind is range and type(item.d) is int:
        return Truth.of(item.d in d)
    if kind is Unknown or kind is External:
        if kind is Unknown and d.hint in ("", "object"):
            it.may_throw("TypeError", "argument is not iterable")
        return Truth.UNKNOWN
    if d is None or kind in (bool, int, float):
        it.throw("TypeError", f"argument of type '{it.type_name(container)}' is not iterable")
    if type(item.d) is Union:
        found = {contains(it, container, o) for o in item.d.options if o.d is not ABSENT}
        return found.pop() if len(found) == 1 else Truth.UNKNOWN
    return _in_items(it, container, item)


def _in_each_round(it: Any, container: V, item: V) -> Truth:
    """``item in container`` where one of them differs between rounds evaluated as one."""
    if type(container.d) is DictObj:
        return Truth.of(key_content(container.d.data, item.d) is not None)
    return lifted_truth(lambda x, y: contains(it, x, y), container, item)


def _in_text(it: Any, text: str | bytes, part: Any) -> Truth:
    if type(part) in (Unknown, Union, External) or type(part) is Instance and part.cls.foreign:
        return Truth.UNKNOWN
    try:
        return Truth.of(part in text)
    except (TypeError, ValueError) as error:
        it.throw(type(error).__name__, str(error))
        raise AssertionError("unreachable") from error


def _answer(truth: Truth) -> V:
    if truth is Truth.UNKNOWN:
        return V(Unknown("membership of unknown values", "bool"))
    return V(truth is Truth.TRUE)


def _in_items(it: Any, container: V, item: V) -> Truth:
    items = it.iterate(container)
    if items is None:
        return Truth.UNKNOWN
    d = container.d
    certain = not it.is_open(container) or type(d) is ListObj and d.extra is not None
    out = Truth.FALSE if certain else Truth.UNKNOWN
    for x in items:
        t = identical(it, x, item) if x.d is item.d else it.truth(compare(it, "==", x, item))
        if t is Truth.TRUE:
            return t if certain else Truth.UNKNOWN
        if t is Truth.UNKNOWN:
            out = t
    extra = d.extra if type(d) is ListObj else None
    if any(it.truth(compare(it, "==", x, item)) is not Truth.FALSE for x in extra or ()):
        return Truth.UNKNOWN
    return out


def _in_dict(it: Any, d: DictObj, item: V) -> Truth:
    if d.kind not in MAPPINGS and type(item.d) is DictObj and item.d.kind == "set":
        item = V(DictObj(item.d.data, "frozenset"))  # a set is looked for as a frozen one
    key = key_as_hashed(it, item)
    if key is None:
        if type(item.d) is Union:
            found = {_in_dict(it, d, o) for o in item.d.options}
            return found.pop() if len(found) == 1 else Truth.UNKNOWN
        return Truth.UNKNOWN if d.data else Truth.FALSE
    pair = d.data.get(key)
    if pair is None:
        return Truth.UNKNOWN if OPEN in d.data else Truth.FALSE
    value = pair[1].d
    if type(value) is Union and any(o.d is ABSENT for o in value.options):
        return Truth.UNKNOWN
    return Truth.TRUE
