"""Writing and deleting items of containers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.engine.keys import key as key_as_hashed
from mlapath.engine.namespaces import pass_on
from mlapath.engine.uniform import key_content
from mlapath.values.concrete import NotConcrete, key_of, to_py
from mlapath.values.family import Family, NotUniform
from mlapath.values.heap import NOTHING
from mlapath.values.join import distinct, union
from mlapath.values.objects import OPEN, DictObj, Instance, ListObj, SliceObj
from mlapath.values.union import may_be_absent, options
from mlapath.values.value import ABSENT, External, Union, Unknown, V


def setitem(it: Any, base: V, index: V, value: V) -> None:
    """``base[index] = value``."""
    d = base.d
    kind = type(d)
    if kind is Union:
        _each(it, base, lambda o: setitem(it, o, index, value))
    elif kind is DictObj:
        dict_set(it, d, index, value)
    elif kind is ListObj:
        _list_set(it, d, index, value)
    elif kind is Instance:
        special = it.lookup_special(base, "__setitem__")
        if special is not None:
            it.call(special, [index, value], {})
        elif d.payload is not None:
            setitem(it, V(d.payload), index, value)
        elif not (d.open or d.cls.foreign):
            it.throw("TypeError", f"'{d.cls.name}' object does not support item assignment")
    elif kind is Unknown:
        it.may_raise(it.frame, "setting an item of something unknown")
        it.may_change(base)
        if not d.lib:
            it.frontier(it.frame, it.frame.pos, "an item is set on an unknown object")
    elif kind is not External:
        it.throw("TypeError", f"'{it.type_name(base)}' object does not support item assignment")


def _each(it: Any, base: V, run: Callable[[V], None]) -> None:
    options = [o for o in base.d.options if o.d is not ABSENT]

    def one(option: V) -> V:
        run(option)
        return V(None)

    it.each(options, one)


def plain_slice(index: V) -> slice | None:
    """A slice whose bounds are known."""
    d = index.d
    if type(d) is not SliceObj:
        return None
    try:
        return slice(to_py(d.lower), to_py(d.upper), to_py(d.step))
    except NotConcrete:
        return None


def _position(index: V) -> int | None:
    d = index.d
    if type(d) is Instance and type(d.payload) is int:
        d = d.payload
    return int(d) if type(d) in (int, bool) else None


def _list_set(it: Any, d: ListObj, index: V, value: V) -> None:
    if type(index.d) is Union:
        _each(it, index, lambda o: _list_set(it, d, o, value))
        return
    if type(index.d) is SliceObj:
        _slice_set(it, d, index, value)
        return
    place = _position(index)
    if place is not None and not d.open:
        if not -len(d.items) <= place < len(d.items):
            it.throw("IndexError", "list assignment index out of range")
        it.heap.items_for_write(d)[place] = value
    elif d.open:
        it.may_throw("IndexError", "list assignment index out of range")
        it.heap.put(d.cell, "items", distinct([*d.items, value]))
    else:
        it.may_throw("IndexError", "list assignment index out of range")
        it.heap.put(d.cell, "items", [union([old, value]) for old in d.items])


def _slice_set(it: Any, d: ListObj, index: V, value: V) -> None:
    place = plain_slice(index)
    items = it.iterate(value)
    opened = it.is_open(value)
    if place is not None and items is not None and not opened and not d.open:
        try:
            it.heap.items_for_write(d)[place] = list(items)
        except ValueError as error:
            it.throw("ValueError", str(error))
        return
    known = items if items is not None and not opened else it.candidates(value)
    it.heap.put(d.cell, "items", distinct([*d.items, *known]))
    it.heap.open_list(d, "a slice was set whose content or bounds are not known", NOTHING)


def delitem(it: Any, base: V, index: V) -> None:
    """``del base[index]``."""
    d = base.d
    kind = type(d)
    if kind is Union:
        _each(it, base, lambda o: delitem(it, o, index))
    elif kind is DictObj:
        _dict_delete(it, d, index)
    elif kind is ListObj:
        _list_delete(it, d, index)
    elif kind is Instance:
        special = it.lookup_special(base, "__delitem__")
        if special is not None:
            it.call(special, [index], {})
        elif d.payload is not None:
            delitem(it, V(d.payload), index)
    elif kind is Unknown:
        it.may_raise(it.frame, "deleting an item of something unknown")
        it.may_change(base)
        if not d.lib:
            it.frontier(it.frame, it.frame.pos, "an item is deleted from an unknown object")


def _dict_delete(it: Any, d: DictObj, index: V) -> None:
    if type(index.d) is Union:
        _each(it, index, lambda o: _dict_delete(it, d, o))
        return
    key = key_as_hashed(it, index)
    pair = d.data.get(key) if key is not None else None
    if pair is None and OPEN not in d.data and (key is not None or not d.data):
        it.throw_key(index)
    if pair is None or may_be_absent(pair[1]):
        it.may_throw_key(index)
    if pair is not None:
        it.heap.drop(d.data, key)
        pass_on(it, d, [key])
    elif key is None:
        for known, found in list(d.data.items()):
            if known is not OPEN:
                it.heap.put(d.data, known, (found[0], union([NOTHING, found[1]])))
        pass_on(it, d, [known for known in d.data if known is not OPEN])


def _list_delete(it: Any, d: ListObj, index: V) -> None:
    place = plain_slice(index) if type(index.d) is SliceObj else _position(index)
    if place is not None and not d.open:
        try:
            del it.heap.items_for_write(d)[place]
        except IndexError:
            it.throw("IndexError", "list assignment index out of range")
        return
    if type(index.d) is not SliceObj:
        it.may_throw("IndexError", "list assignment index out of range")
    it.heap.open_list(d, "an unknown item was deleted", NOTHING)


def dict_set(it: Any, d: DictObj, index: V, value: V) -> None:
    """``d[index] = value``."""
    if type(index.d) is Family:
        key_content(d.data, index.d)
        if d.of is not None:
            raise NotUniform("an attribute whose name differs between the rounds")
        it.rounds.grows(d.data)
        it.heap.put(d.data, index.d, (index, value))
        return
    key = key_as_hashed(it, index)
    if key is not None:
        old = d.data.get(key)
        it.heap.put(d.data, key, (index if old is None else _kept(old, index), value))
        if d.of is not None:
            pass_on(it, d, [key])
        return
    if type(index.d) is Union and all(key_of(o) is not None for o in index.d.options):
        for option in index.d.options:
            dict_set_maybe(it, d, option, option if value is index else value)
        return
    it.heap.open_dict(d, "an item was set under an unknown key")
    for known, pair in list(d.data.items()) if d.kind in ("dict", "defaultdict") else ():
        if known is not OPEN:
            it.heap.put(d.data, known, (pair[0], union([pair[1], value])))
    pass_on(it, d, [known for known in d.data if known is not OPEN])


def pour(it: Any, d: DictObj, source: V) -> None:
    """``d.update(source)``: from a mapping, or an iterable of pairs."""
    s = source.d.payload if type(source.d) is Instance else source.d
    if type(s) is Union:
        _each(it, source, lambda o: pour(it, d, o))
    elif type(s) is DictObj:
        d.data.mixed = d.data.mixed or s.data.mixed
        for key, pair in list(s.data.items()):
            if key is not OPEN:
                bound = union([o for o in options(pair[1]) if o.d is not ABSENT])
                put = dict_set_maybe if may_be_absent(pair[1]) else dict_set
                put(it, d, pair[0], bound)
        if OPEN in s.data:
            _pour_unknown(it, d, s.data[OPEN], [key for key in d.data if key in s.data])
    elif type(s) is Unknown or type(s) is External:
        if type(s) is Unknown and s.hint not in ("dict", "tensor"):
            it.may_raise_of(("TypeError", "ValueError"), V("a mapping"))
        _pour_unknown(it, d, "updated from an unknown mapping", [])
    else:
        _pour_pairs(it, d, source)


def _pour_pairs(it: Any, d: DictObj, source: V) -> None:
    pairs = it.mapping_items(source)
    opened = it.is_open(source)
    if pairs is None:
        items = it.iterate(source)
        opened = "updated from unknown pairs" if items is None else it.is_open(source)
        pairs = []
        for item in it.candidates(source) if opened else items or ():
            parts = it.iterate(item)
            if parts is None or len(parts) != 2 or it.is_open(item):
                _pour_unknown(it, d, "updated from unknown pairs", [])
            else:
                pairs.append((parts[0], parts[1]))
    put = dict_set_maybe if opened else dict_set
    for key, value in pairs:
        put(it, d, key, value)


def _pour_unknown(it: Any, d: DictObj, why: str, known: list[Any]) -> None:
    """Any key but the ``known`` ones may have been set, to anything."""
    it.heap.open_dict(d, why)
    kept = [OPEN, *known]
    for key, pair in list(d.data.items()):
        if not any(key is other for other in kept):
            it.heap.put(d.data, key, (pair[0], union([pair[1], V(Unknown(why))])))
    pass_on(it, d, [key for key in d.data if key is not OPEN])


def dict_set_maybe(it: Any, d: DictObj, index: V, value: V) -> None:
    """``d[index] = value`` in an alternative: the key may have been there before, or not."""
    key = key_as_hashed(it, index)
    if key is None:
        dict_set(it, d, index, value)
        return
    old = d.data.get(key)
    if old is None:
        it.heap.put(d.data, key, (index, union([NOTHING, value])))
    else:
        it.heap.put(d.data, key, (_kept(old, index), union([old[1], value])))
    pass_on(it, d, [key])


def _kept(old: tuple[V, V], index: V) -> V:
    """The key of an entry that is set: an equal one that the dict perhaps had already stays."""
    if type(old[0].d) is type(index.d) or not may_be_absent(old[1]):
        return old[0]
    return union([old[0], index])
