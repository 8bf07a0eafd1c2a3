"""Making an enum class: the members with their values, aliases, and the lookup tables.

After CPython 3.12's ``EnumType.__new__``.  ``_member_map_``, ``_value2member_map_`` and
``_member_names_`` are real containers of the class, since programs add members by writing to
them.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.class_tools import fact, function_of, lookup
from mlapath.models.enum_body import ignored_names, maps, raw_members
from mlapath.models.enum_lookup import construct
from mlapath.values.concrete import key_of
from mlapath.values.objects import ClassObj, Descriptor, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V


def build(it: Any, cls: ClassObj, keywords: dict[str, V]) -> None:
    """Turn a class whose body has run into an enum (the hook on subclasses of ``Enum``)."""
    for base in cls.mro[1:]:
        if base.facts.get("enum") and base.ns["_member_map_"].d.data:
            it.throw("TypeError", f"<enum '{cls.name}'> cannot extend <enum '{base.name}'>")
    boundary = keywords.pop("boundary", None)
    if boundary is not None:
        cls.facts["boundary"] = boundary
    cls.facts.update(enum=True, frozen=True, construct=construct)
    _keep_constructor(it, cls)
    members = raw_members(it, cls)
    for name in ignored_names(it, cls):
        it.heap.drop(cls.ns, name)
    _unwrap_nonmembers(it, cls)
    empty_maps(it, cls)
    for name, raw in members:
        _add(it, cls, name, raw)


def empty_maps(it: Any, cls: ClassObj) -> None:
    """The lookup tables of an enum class without members."""
    it.heap.put(cls.ns, "_member_names_", V(it.heap.list([])))
    it.heap.put(cls.ns, "_member_map_", V(it.heap.dict()))
    it.heap.put(cls.ns, "_value2member_map_", V(it.heap.dict()))


def _keep_constructor(it: Any, cls: ClassObj) -> None:
    """``__new__`` makes members only: calling the class looks members up."""
    own = cls.ns.get("__new__")
    if own is not None:
        cls.facts["new_member"] = own
        it.heap.drop(cls.ns, "__new__")


def _unwrap_nonmembers(it: Any, cls: ClassObj) -> None:
    for name, value in list(cls.ns.items()):
        if type(value.d) is Instance and value.d.cls.full == "enum.nonmember":
            it.heap.put(cls.ns, name, value.d.attrs["value"])


def _add(it: Any, cls: ClassObj, name: str, raw: V) -> None:
    names, by_name, by_value = maps(cls)
    member = make_member(it, cls, name, raw)
    value = member.d.attrs["_value_"]
    same = _same_value(it, cls, value)
    if same is not None:
        it.heap.put(by_name.data, name, (V(name), same))
        it.heap.put(cls.ns, name, same)
        return
    it.heap.put(by_name.data, name, (V(name), member))
    it.heap.put(cls.ns, name, member)
    if fact(cls, "flag") is None or _is_single_bit(value):
        it.heap.items_for_write(names).append(V(name))
    key = key_of(value)
    if key is not None:
        it.heap.put(by_value.data, key, (value, member))


def _is_single_bit(value: V) -> bool:
    return type(value.d) is int and value.d > 0 and value.d & (value.d - 1) == 0


def _same_value(it: Any, cls: ClassObj, value: V) -> V | None:
    """The earlier member with an equal value."""
    _, by_name, by_value = maps(cls)
    key = key_of(value)
    if key is not None:
        pair = by_value.data.get(key)
        return None if pair is None else pair[1]
    for _, member in by_name.data.values():
        truth = it.truth(it.compare("==", member.d.attrs["_value_"], value))
        if truth is Truth.TRUE:
            return member  # type: ignore[no-any-return]
        if truth is Truth.UNKNOWN:
            it.frontier(it.frame, it.frame.pos, f"members of {cls.name} may be one by value")
    return None


def make_member(it: Any, cls: ClassObj, name: str, raw: V) -> V:
    """One member, its constructors run."""
    args = list(raw.d) if type(raw.d) is tuple and cls.payload is not tuple else [raw]
    maker = _maker(cls)
    if maker is not None:
        made: V = it.call(function_of(maker), [V(cls), *args], {})
        if type(made.d) is not Instance:
            it.frontier(it.frame, it.frame.pos, f"{cls.name}.__new__ gave no instance")
            made = V(Instance(cls, it.heap.cell()))
    else:
        made = V(Instance(cls, it.heap.cell()))
        if cls.payload is not None:
            made.d.payload = _payload(it, cls, args)
    attrs = made.d.attrs
    if "_value_" not in attrs:
        it.heap.put(attrs, "_value_", _value(it, cls, made.d, raw, args))
    it.heap.put(attrs, "_name_", V(name))
    it.heap.put(attrs, "__objclass__", V(cls))
    it.heap.put(attrs, "_sort_order_", V(len(maps(cls)[0].items)))
    init = lookup(cls, "__init__")
    if init is not None:
        it.call(it.bind(init, made, cls), args, {})
    return V(made.d, raw.o)


def _maker(cls: ClassObj) -> V | None:
    for c in cls.mro:
        kept: V | None = c.facts.get("new_member")
        if kept is not None:
            return kept
        own = c.ns.get("__new__")
        if own is not None and type(own.d) is Descriptor and not c.facts.get("enum"):
            return own  # type: ignore[no-any-return]
    return None


def _payload(it: Any, cls: ClassObj, args: list[V]) -> Any:
    assert cls.payload is not None
    made = it.instantiate(it.builtins[cls.payload.__name__].d, args, {})
    return made.d


def _value(it: Any, cls: ClassObj, made: Instance, raw: V, args: list[V]) -> V:
    """``_value_`` where the program's ``__new__`` did not set it."""
    if cls.payload is not None:
        known = made.payload is not None
        return V(made.payload if known else Unknown("the value of a member"), raw.o)
    data = next((c for c in cls.mro if "dataclass" in c.facts and not c.facts.get("enum")), None)
    if data is not None:
        value: V = it.instantiate(data, args, {})
        return value
    return raw
