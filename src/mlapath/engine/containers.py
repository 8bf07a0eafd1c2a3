"""Sequences, mappings and iteration."""

from __future__ import annotations

from typing import Any

from mlapath.engine.namespaces import pass_on
from mlapath.values.concrete import NotConcrete, key_of, to_py
from mlapath.values.join import union
from mlapath.values.objects import (
    OPEN,
    ClassObj,
    DictObj,
    GeneratorObj,
    Instance,
    ListObj,
    SliceObj,
)
from mlapath.values.origin import merge
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, External, Union, Unknown, V

MAX_RANGE = 200_000
MAX_ITEMS = 2_000
"""As many items as are taken from a user-defined iterator."""


def getitem(it: Any, base: V, index: V) -> V:
    d = base.d
    kind = type(d)
    if kind is DictObj:
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
        options = [o for o in d.options if o.d is not ABSENT and o.d is not None]
        if options:
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


def _item_may_fail(it: Any, index: V) -> None:
    """Taking an item of something unknown fails as sequences and mappings do."""
    names = ("KeyError", "IndexError", "TypeError")
    if it.tries and any(it.may_catch(name) for name in names):
        errors = [it.exception(name, [index]) for name in names]
        it.leave_pending_with(it.make_raise(union(errors)))


def dict_get(it: Any, base: V, d: DictObj, index: V) -> V:
    """``d[index]``; raises the program's KeyError, also where it may."""
    if type(index.d) is Union:
        options = [o for o in index.d.options if o.d is not ABSENT]
        return it.each(options, lambda o: dict_get(it, base, d, o))  # type: ignore[no-any-return]
    key = key_of(index)
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
    _may_lack(it, index)
    return present_item(it, base, d, index)


def _may_lack(it: Any, index: V) -> None:
    """A KeyError that may be raised here."""
    if it.tries and it.may_catch("KeyError"):
        it.leave_pending_with(it.make_raise(it.exception("KeyError", [index])))


def _make_item(it: Any, d: DictObj, index: V) -> V:
    """The new item of a ``defaultdict``."""
    made: V = it.call(d.default, [], {})
    dict_set(it, d, index, made)
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


def _sequence_item(it: Any, base: V, index: V) -> V:
    d = base.d
    i = index.d
    if type(i) is Instance and i.payload is not None:
        i = i.payload
    known = d.items if type(d) is ListObj else d
    if type(d) is ListObj and d.open:
        _may_miss(it)
        return V(Unknown(d.open), base.o)
    if type(i) is int or type(i) is bool:
        try:
            item = known[i]
        except IndexError:
            it.throw("IndexError", f"{it.type_name(base)} index out of range")
        if not isinstance(item, V):
            return V(item, base.o)
        if index.o is None and base.o is None:
            return item
        return V(item.d, merge(item.o, base.o, index.o))  # which item it is, decides too
    if type(i) is SliceObj:
        try:
            cut = known[slice(to_py(i.lower), to_py(i.upper), to_py(i.step))]
        except NotConcrete:
            return V(Unknown("a slice with unknown bounds", it.type_name(base)), base.o)
        return V(it.heap.list(cut) if type(d) is ListObj else cut, base.o)
    if type(i) in (Unknown, Union):
        _may_miss(it)
    if type(i) is Unknown and known and type(d) in (ListObj, tuple):
        return union(list(known))
    if type(i) in (str, type(None), float, tuple):
        it.throw("TypeError", f"{it.type_name(base)} indices must be integers or slices")
    return V(Unknown("an item at an unknown index"), base.o)


def _may_miss(it: Any) -> None:
    """An index that may be out of range."""
    if it.tries and it.may_catch("IndexError"):
        it.leave_pending_with(it.make_raise(it.exception("IndexError", [V("index out of range")])))


def setitem(it: Any, base: V, index: V, value: V) -> None:
    d = base.d
    kind = type(d)
    if kind is DictObj:
        dict_set(it, d, index, value)
    elif kind is ListObj:
        if type(index.d) is int and not d.open:
            items = it.heap.items_for_write(d)
            if not -len(items) <= index.d < len(items):
                it.throw("IndexError", "list assignment index out of range")
            items[index.d] = value
        elif not _set_slice(it, d, index, value):
            it.heap.open_list(d, "an item was set at an unknown index")
    elif kind is Instance:
        special = it.lookup_special(base, "__setitem__")
        if special is not None:
            it.call(special, [index, value], {})
        elif d.payload is not None:
            setitem(it, V(d.payload), index, value)
    elif kind is Union:
        options = [o for o in d.options if type(o.d) in (DictObj, ListObj, Instance)]
        if options:
            it.each(options, lambda o: _setitem_of(it, o, index, value))
    elif kind is Unknown and not d.lib:
        it.frontier(it.frame, it.frame.pos, "an item is set on an unknown object")


def _setitem_of(it: Any, base: V, index: V, value: V) -> V:
    setitem(it, base, index, value)
    return V(None)


def _plain_slice(index: V) -> slice | None:
    """A slice whose bounds are known."""
    d = index.d
    if type(d) is not SliceObj:
        return None
    try:
        return slice(to_py(d.lower), to_py(d.upper), to_py(d.step))
    except NotConcrete:
        return None


def _set_slice(it: Any, d: ListObj, index: V, value: V) -> bool:
    """``d[a:b] = value`` where all of it is known; whether it was."""
    place = _plain_slice(index)
    items = iterate(it, value) if place is not None and not d.open else None
    if place is None or items is None or is_open(it, value):
        return False
    try:
        it.heap.items_for_write(d)[place] = list(items)
    except ValueError as error:
        it.throw("ValueError", str(error))
    return True


def delitem(it: Any, base: V, index: V) -> None:
    d = base.d
    if type(d) is DictObj:
        key = key_of(index)
        if key is None:
            it.heap.open_dict(d, "an unknown key was deleted")
            for known, pair in list(d.data.items()):
                if known is not OPEN:
                    it.heap.put(d.data, known, (pair[0], union([V(ABSENT), pair[1]])))
            pass_on(it, d, [known for known in d.data if known is not OPEN])
        elif key not in d.data and OPEN not in d.data:
            it.throw_key(index)
        else:
            if it.tries and it.contains(base, index) is not Truth.TRUE:
                _may_lack(it, index)
            it.heap.drop(d.data, key)
            pass_on(it, d, [key])
    elif type(d) is ListObj:
        place = index.d if type(index.d) is int else _plain_slice(index)
        if place is not None and not d.open:
            try:
                del it.heap.items_for_write(d)[place]
            except IndexError:
                it.throw("IndexError", "list assignment index out of range")
        else:
            it.heap.open_list(d, "an unknown item was deleted")
    elif type(d) is Instance:
        special = it.lookup_special(base, "__delitem__")
        if special is not None:
            it.call(special, [index], {})
        elif d.payload is not None:
            delitem(it, V(d.payload), index)


def dict_set(it: Any, d: DictObj, index: V, value: V) -> None:
    """``d[index] = value``."""
    key = key_of(index)
    if key is None:
        it.heap.open_dict(d, "an item was set under an unknown key")
        for known, pair in list(d.data.items()) if d.kind in ("dict", "defaultdict") else ():
            if known is not OPEN:
                it.heap.put(d.data, known, (pair[0], union([pair[1], value])))
        pass_on(it, d, [known for known in d.data if known is not OPEN])
        return
    old = d.data.get(key)
    it.heap.put(d.data, key, (index if old is None else old[0], value))
    if d.of is not None:
        pass_on(it, d, [key])


def make_set(it: Any, items: list[V], kind: str = "set") -> V:
    made = it.heap.dict(kind=kind)
    for item in items:
        dict_set(it, made, item, item)
    return V(made)


def iterate(it: Any, value: V) -> list[V] | None:
    """The items of an iterable, in order; None where they are not known at all."""
    d = value.d
    kind = type(d)
    if kind is tuple:
        return list(d)
    if kind is ListObj:
        return d.items  # type: ignore[no-any-return]
    if kind is DictObj:
        return [pair[0] for key, pair in d.data.items() if key is not OPEN]
    if kind is GeneratorObj:
        return collect(it, d)
    if kind is range:
        return None if d[MAX_RANGE:] else [V(i, value.o) for i in d]
    if kind is str or kind is bytes:
        return [V(c, value.o) for c in d]
    if kind is Instance:
        return _iterate_instance(it, value, d)
    if kind is ClassObj:
        return it.iterate_class(value)  # type: ignore[no-any-return]
    if kind is Union:
        return _iterate_union(it, d)
    if kind is Unknown:
        return it.hinted_items(value, d)  # type: ignore[no-any-return]
    if kind is External:
        return None
    it.throw("TypeError", f"'{it.type_name(value)}' object is not iterable")
    return None


def _iterate_instance(it: Any, value: V, d: Instance) -> list[V] | None:
    special = it.lookup_special(value, "__iter__")
    if special is not None:
        made: V = it.call(special, [], {})
        if type(made.d) is Instance and it.lookup_special(made, "__next__") is not None:
            return _drain(it, made)
        items = iterate(it, made)
        return None if items is None or is_open(it, made) else items
    if d.payload is not None:
        return iterate(it, V(d.payload))
    getter = it.lookup_special(value, "__next__")
    if getter is None and it.lookup_special(value, "__getitem__") is None and not d.cls.foreign:
        it.throw("TypeError", f"'{d.cls.name}' object is not iterable")
    return None


def _drain(it: Any, iterator: V) -> list[V] | None:
    """What a user-defined iterator gives until StopIteration; None where that is not known."""
    items: list[V] = []
    stop = it.builtins["StopIteration"]
    for _ in range(MAX_ITEMS):
        it.budget.step(it)
        step = it.lookup_special(iterator, "__next__")
        value, ended = it.attempt(lambda step=step: it.call(step, [], {}), stop)
        if ended is not None and value is None:
            return items
        if ended is not None or value is None:
            break
        items.append(value)
    it.havoc(iterator, "an iterator whose end is not known")
    return None


def _iterate_union(it: Any, d: Union) -> list[V] | None:
    options = [o for o in d.options if o.d is not ABSENT and o.d is not None]
    lists = [iterate(it, o) for o in options]
    known = [x for x in lists if x is not None]
    if len(known) < len(lists) or len({len(x) for x in known}) != 1:
        return None
    return [union(list(column)) for column in zip(*known, strict=True)]


def collect(it: Any, generator: GeneratorObj) -> list[V]:
    """Run a generator to its end; the items it has left."""
    if "items" not in generator.cell:
        items: list[V] = []
        it.heap.put(generator.cell, "items", items)

        def on_yield(value: V) -> V:
            it.budget.step(it)
            items.append(value)
            if it.maybe_since(generator):
                it.heap.put(generator.cell, "open", "a generator with an unknown guard")
            return V(None)

        depth = it.mark_generator(generator)
        try:
            generator.run(on_yield)
        finally:
            it.unmark_generator(depth)
    start = generator.cell.get("next", 0)
    left: list[V] = generator.cell["items"][start:]
    it.heap.put(generator.cell, "next", len(generator.cell["items"]))
    return left


def is_open(it: Any, value: V) -> str:
    """Why an iterable may hold more or fewer items than ``iterate`` gave, or ""."""
    d = value.d
    if type(d) is ListObj:
        return d.open
    if type(d) is DictObj:
        if OPEN in d.data:
            return d.data[OPEN]  # type: ignore[no-any-return]
        for _, item in d.data.values():
            if type(item.d) is Union and any(o.d is ABSENT for o in item.d.options):
                return "a key that may be absent"
        return ""
    if type(d) is GeneratorObj:
        return d.cell.get("open", "")  # type: ignore[no-any-return]
    if type(d) is Instance and d.payload is not None:
        return is_open(it, V(d.payload))
    if type(d) is Unknown:
        return d.why
    return ""


def element_of(it: Any, value: V) -> Any:
    """The content of any one item of an iterable that is not fully known."""
    d = value.d
    if type(d) is Unknown:
        return Unknown(d.why, lib=d.lib and f"{d.lib}[]", text=d.text and f"an item of {d.text}")
    if type(d) is range:
        return Unknown("a long range", "int", lo=min(d[0], d[-1]), hi=max(d[0], d[-1]))
    return Unknown(is_open(it, value) or "an item of an unknown iterable")


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
            names = iterate(it, it.call(keys, [], {}))
            if names is not None:
                return [(k, getitem(it, value, k)) for k in names]
    return None
