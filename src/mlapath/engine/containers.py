"""Sequences, mappings and iteration."""

from __future__ import annotations

from typing import Any

from mlapath.engine.keys import key as key_as_hashed
from mlapath.engine.uniform import key_content, lifted
from mlapath.values.concrete import NotConcrete, key_of, to_py
from mlapath.values.family import Family, NotUniform, has_family
from mlapath.values.heap import NOTHING
from mlapath.values.join import union
from mlapath.values.objects import (
    OPEN,
    ClassObj,
    DictObj,
    Instance,
    ListObj,
    SliceObj,
)
from mlapath.values.origin import merge
from mlapath.values.value import ABSENT, External, Union, Unknown, V


def getitem(it: Any, base: V, index: V) -> V:
    d = base.d
    kind = type(d)
    if kind is Family or has_family(index) and kind is not Instance:
        return _of_family(it, base, index)
    if kind is DictObj:
        if d.kind in ("set", "frozenset"):
            it.throw("TypeError", f"'{d.kind}' object is not subscriptable")
        return dict_get(it, base, d, index)
    if kind is ListObj or kind is tuple or kind is str or kind is bytes or kind is range:
        return _sequence_item(it, base, index)
    if kind is Instance:
        special = it.lookup_special(base, "__getitem__")
        if special is not None:
            return it.call(special, [index], {})  # type: ignore[no-any-return]
        if d.payload is not None:
            return getitem(it, V(d.payload, base.o), index)
        return V(Unknown(f"an item of a {d.cls.name}"), base.o)
    if kind is ClassObj:
        return it.class_getitem(base, index)  # type: ignore[no-any-return]
    if kind is Union:
        options = [o for o in d.options if o.d is not ABSENT]
        return it.each(options, lambda o: getitem(it, o, index))  # type: ignore[no-any-return]
    if kind is Unknown:
        known = it.hinted_item(base, d, index)
        if known is not None:
            return known  # type: ignore[no-any-return]
        if d.hint != "tensor":
            _item_may_fail(it, index)
        return V(Unknown(d.why, lib=d.lib and f"{d.lib}[]"), base.o)
    if kind is External:
        return V(External(f"{d.name}[]"), base.o)
    if d is None or kind in (bool, int, float):
        it.throw("TypeError", f"'{it.type_name(base)}' object is not subscriptable")
    return V(Unknown(f"an item of a {it.type_name(base)}"), base.o)


def _of_family(it: Any, base: V, index: V) -> V:
    """An item where the base or the index differs between rounds evaluated as one."""
    d = base.d
    if type(d) is DictObj and type(index.d) is Family:
        pair = key_content(d.data, index.d)
        if pair is None:
            raise NotUniform("a key that no round finds")
        return pair[1]  # type: ignore[no-any-return]
    return lifted(it, lambda x, y: getitem(it, x, y), base, index)


def _item_may_fail(it: Any, index: V) -> None:
    """Taking an item of something unknown fails as sequences and mappings do."""
    it.may_raise_of(("KeyError", "IndexError", "TypeError"), index)


def dict_get(it: Any, base: V, d: DictObj, index: V) -> V:
    """``d[index]``; raises the program's KeyError, also where it may."""
    if type(index.d) is Union:
        options = [o for o in index.d.options if o.d is not ABSENT]
        return it.each(options, lambda o: dict_get(it, base, d, o))  # type: ignore[no-any-return]
    key = key_as_hashed(it, index)
    pair = d.data.get(key) if key is not None else None
    if pair is not None:
        value: V = pair[1]
        if type(value.d) is not Union or all(o.d is not ABSENT for o in value.d.options):
            return value
    elif OPEN not in d.data and (key is not None or not d.data):
        if d.default is None:
            it.throw_key(index)
        return _make_item(it, d, index)
    if d.default is not None:
        sides = [lambda: present_item(it, base, d, index), lambda: _make_item(it, d, index)]
        return it.each([V(0), V(1)], lambda side: sides[side.d]())  # type: ignore[no-any-return]
    it.may_throw_key(index)
    return present_item(it, base, d, index)


def _make_item(it: Any, d: DictObj, index: V) -> V:
    """The new item of a ``defaultdict``."""
    made: V = it.call(d.default, [], {})
    it.dict_set(d, index, made)
    return made


def present_item(it: Any, base: V, d: DictObj, index: V) -> V:
    """``d[index]`` where the key is there, for all that is known."""
    key = key_of(index)
    pair = d.data.get(key) if key is not None else None
    if pair is not None:
        return _bound(it, pair[1], index)
    if OPEN in d.data:
        return V(Unknown(d.data[OPEN]), base.o)
    if key is not None or not d.data:
        return V(Unknown("an item that may be absent"), base.o)
    values = [_bound(it, found[1], index) for found in d.data.values()]
    return V(union(values).d, index.o or base.o)


def _bound(it: Any, value: V, index: V) -> V:
    if type(value.d) is Union:
        rest = [o for o in value.d.options if o.d is not ABSENT]
        if len(rest) < len(value.d.options):
            return union(rest)
    return value


def index(it: Any, value: V) -> V:
    """The integer that a value is as an index; other values as they are."""
    d = value.d
    if type(d) is SliceObj:
        parts = [index(it, part) for part in (d.lower, d.upper, d.step)]
        same = all(a is b for a, b in zip(parts, (d.lower, d.upper, d.step), strict=True))
        return value if same else V(SliceObj(*parts), value.o)
    if type(d) is not Instance:
        return value
    if d.payload is not None:
        return V(d.payload, value.o)
    special = it.lookup_special(value, "__index__")
    return value if special is None else it.call(special, [], {})


def _sequence_item(it: Any, base: V, at: V) -> V:
    d = base.d
    i = at.d
    if type(i) is Union:
        options = [o for o in i.options if o.d is not ABSENT]
        return it.each(options, lambda o: _sequence_item(it, base, o))  # type: ignore[no-any-return]
    i = index(it, at).d
    if type(d) is ListObj and d.open:
        return _open_item(it, base, d, i)
    known = d.items if type(d) is ListObj else d
    if type(i) is int or type(i) is bool:
        try:
            item = known[i]
        except IndexError:
            it.throw("IndexError", f"{it.type_name(base)} index out of range")
        if not isinstance(item, V):
            return V(item, base.o)
        if at.o is None and base.o is None:
            return item
        return V(item.d, merge(item.o, base.o, at.o))  # which item it is, decides too
    if type(i) is SliceObj:
        try:
            cut = known[slice(to_py(i.lower), to_py(i.upper), to_py(i.step))]
        except NotConcrete:
            if type(d) is ListObj:
                return _part(it, base, d)
            return V(Unknown("a slice with unknown bounds", it.type_name(base)), base.o)
        return V(it.heap.list(cut) if type(d) is ListObj else cut, base.o)
    if type(i) is Unknown and known and type(d) in (ListObj, tuple):
        it.may_throw("IndexError", f"{it.type_name(base)} index out of range")
        return V(union(list(known)).d, base.o)
    if type(i) in (str, type(None), float, tuple):
        it.throw("TypeError", f"{it.type_name(base)} indices must be integers or slices")
    return V(Unknown("an item at an unknown index"), base.o)


def _open_item(it: Any, base: V, d: ListObj, i: Any) -> V:
    """An item, or a slice, of a list whose content is not fully known."""
    if type(i) is SliceObj:
        return _part(it, base, d)
    it.may_throw("IndexError", "list index out of range")
    found = it.candidates(base)
    if not found:
        it.throw("IndexError", "list index out of range")
    return V(union(found).d, base.o)


def _part(it: Any, base: V, d: ListObj) -> V:
    """A list of some of the items."""
    made = it.heap.list(list(d.items))
    if d.open:
        it.heap.put(made.cell, "open", d.cell["open"])
    it.heap.open_list(made, "a slice with unknown bounds", NOTHING)
    return V(made, base.o)


def make_set(it: Any, items: list[V], kind: str = "set") -> V:
    made = it.heap.dict(kind=kind)
    for item in items:
        it.dict_set(made, item, item)
    return V(made)


def mapping_items(it: Any, value: V) -> list[tuple[V, V]] | None:
    """The items of a mapping; None where they are not known at all."""
    d = value.d
    if type(d) is DictObj:
        pairs = [pair for key, pair in d.data.items() if key is not OPEN]
        return [(k, _bound(it, v, k)) for k, v in pairs]
    if type(d) is Instance and type(d.payload) is DictObj:
        return mapping_items(it, V(d.payload))
    if type(d) is Instance:
        keys = it.lookup_special(value, "keys")
        if keys is not None:
            names = it.iterate(it.call(keys, [], {}))
            if names is not None:
                return [(k, getitem(it, value, k)) for k in names]
    return None
