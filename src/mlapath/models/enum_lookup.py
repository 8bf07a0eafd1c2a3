"""Finding members: by value, by name, ``_missing_``, and the functional API."""

from __future__ import annotations

from typing import Any

from mlapath.models.class_tools import fact, lookup
from mlapath.models.enum_body import maps
from mlapath.values.concrete import key_of
from mlapath.values.objects import OPEN, ClassObj, DictObj, Instance
from mlapath.values.origin import merge
from mlapath.values.truth import Truth
from mlapath.values.value import Union, Unknown, V


def all_members(cls: ClassObj) -> list[V]:
    """Every member once, aliases left out, pseudo-members left in."""
    _, by_name, by_value = maps(cls)
    out: list[V] = []
    for table in (by_name, by_value):
        for key, pair in table.data.items():
            if key is not OPEN and all(pair[1].d is not other.d for other in out):
                out.append(pair[1])
    return out


def construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    """``Color(value)``; of an enum without members, ``Enum("Color", names)``."""
    named = kwargs.get("names", args[1] if len(args) > 1 else None)
    if named is not None and not maps(cls)[1].data:
        return _functional(it, cls, args, kwargs, named)
    if not args and "value" not in kwargs:
        it.throw("TypeError", f"{cls.name}() missing 1 required positional argument: 'value'")
    value = args[0] if args else kwargs["value"]
    if len(args) > 1:
        value = V(tuple(args), merge(*(a.o for a in args)))
    return by_value(it, cls, value)


def by_value(it: Any, cls: ClassObj, value: V) -> V:
    """The member with that value; raises the program's ValueError."""
    d = value.d
    if type(d) is Instance and d.cls is cls:
        return value
    if type(d) is Union:
        found: V = it.each(list(d.options), lambda o: by_value(it, cls, o))
        return found
    table = maps(cls)[2]
    key = key_of(value)
    if key is not None and key in table.data:
        member: V = table.data[key][1]
        return V(member.d, merge(value.o, member.o))
    possible: list[V] = []
    for member in all_members(cls):
        own = member.d.attrs.get("_value_")
        truth = Truth.UNKNOWN if own is None else it.truth(it.compare("==", own, value))
        if truth is Truth.TRUE:
            return V(member.d, merge(value.o, member.o))
        if truth is Truth.UNKNOWN:
            possible.append(member)
    if possible or OPEN in table.data or type(d) is Unknown:
        return _one_of(it, cls, possible, value)
    return _missing(it, cls, value)


def _one_of(it: Any, cls: ClassObj, possible: list[V], value: V) -> V:
    """Any of the members that the value may mean; it may also be none's."""
    why = value.d.why if type(value.d) is Unknown else f"which {cls.name} it is"
    text = value.d.text if type(value.d) is Unknown else ""
    if it.tries and it.may_catch("ValueError"):
        error = it.exception("ValueError", [V(Unknown(why, "str"))])
        it.leave_pending_with(it.make_raise(error))
    if fact(cls, "flag"):
        return V(Unknown(why, text=text), value.o)
    if not possible or lookup(cls, "_missing_") is not None:
        possible = all_members(cls)
    joined: V = it.union(possible)
    return V(joined.d, merge(value.o, joined.o))


def _missing(it: Any, cls: ClassObj, value: V) -> V:
    rule = lookup(cls, "_missing_")
    if rule is not None:
        found: V = it.call(it.getattr(V(cls), "_missing_"), [value], {})
        if found.d is not None:
            return found
    invalid(it, cls, value)
    raise AssertionError("unreachable")


def invalid(it: Any, cls: ClassObj, value: V) -> None:
    """Raise the ValueError of a value that no member has."""
    text = it.format_value(value, "r", "") or "{…}"
    it.throw("ValueError", f"{text} is not a valid {cls.qualname}")


def by_name(it: Any, cls: ClassObj, name: V) -> V:
    """``Color["RED"]``; raises the program's KeyError."""
    table: DictObj = maps(cls)[1]
    if type(name.d) is Union:
        found: V = it.each(list(name.d.options), lambda o: by_name(it, cls, o))
        return found
    if type(name.d) is Unknown:
        if it.tries and it.may_catch("KeyError"):
            it.leave_pending_with(it.make_raise(it.exception("KeyError", [name])))
        joined = it.union([pair[1] for key, pair in table.data.items() if key is not OPEN])
        return V(joined.d, name.o)
    member: V = it.getitem(V(table), name)
    return V(member.d, merge(name.o, member.o))


def _functional(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V], named: V) -> V:
    """``Enum("Color", "RED GREEN")`` or with pairs or a mapping."""
    title = args[0] if args else kwargs["value"]
    name = title.d if type(title.d) is str else "Enum"
    module = kwargs.get("module")
    home = module.d if module is not None and type(module.d) is str else it.frame.module.name
    made: ClassObj = it.new_class(name, name, home, (cls,))
    start = kwargs.get("start", V(1))
    for key, value in _pairs(it, cls, named, start):
        it.heap.put(made.ns, key, value)
    result: V = it.finish_class(made, {})
    return result


def _pairs(it: Any, cls: ClassObj, named: V, start: V) -> list[tuple[str, V]]:
    mapping = it.mapping_items(named)
    if mapping is not None:
        return [(k.d, v) for k, v in mapping if type(k.d) is str]
    if type(named.d) is str:
        items: list[V] | None = [V(x) for x in named.d.replace(",", " ").split()]
    else:
        items = it.iterate(named)
    if items is None:
        it.frontier(it.frame, it.frame.pos, "an enum whose members are not known")
    out: list[tuple[str, V]] = []
    first = start.d if type(start.d) is int else 1
    for i, item in enumerate(items or ()):
        if type(item.d) is tuple and len(item.d) == 2 and type(item.d[0].d) is str:
            out.append((item.d[0].d, item.d[1]))
        elif type(item.d) is str:
            number = V(1 << i) if fact(cls, "flag") else V(first + i)
            out.append((item.d, V(item.d.lower()) if cls.payload is str else number))
    return out
