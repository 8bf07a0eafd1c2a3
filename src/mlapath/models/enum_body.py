"""The body of an enum class: which names are members, what ``auto()`` stands for."""

from __future__ import annotations

from typing import Any

from mlapath.models.class_tools import function_of, is_descriptor, lookup
from mlapath.values.objects import ClassObj, DictObj, Instance, ListObj
from mlapath.values.value import Unknown, V

NUMBERS = (int, float, bool)


def is_member_name(cls: ClassObj, name: str) -> bool:
    """Whether CPython takes a name of the class body for a member's."""
    if name.startswith("_") and name.endswith("_"):
        return False
    return not (name.startswith(f"_{cls.name}__") and not name.endswith("__"))


def _is_wrapped(value: V, kind: str) -> bool:
    return type(value.d) is Instance and value.d.cls.full == f"enum.{kind}"


def is_member(cls: ClassObj, name: str, value: V) -> bool:
    """Whether ``name = value`` in the body makes a member."""
    if not is_member_name(cls, name) or _is_wrapped(value, "nonmember"):
        return False
    if _is_wrapped(value, "member"):
        return True
    if type(value.d) is ClassObj and value.d.qualname == f"{cls.qualname}.{value.d.name}":
        return False
    return not is_descriptor(value)


def ignored_names(it: Any, cls: ClassObj) -> set[str]:
    """The names that ``_ignore_`` lists: they are no members and leave the class."""
    listed = cls.ns.get("_ignore_")
    if listed is None:
        return set()
    if type(listed.d) is str:
        return set(listed.d.replace(",", " ").split())
    return {x.d for x in it.iterate(listed) or () if type(x.d) is str}


def raw_members(it: Any, cls: ClassObj) -> list[tuple[str, V]]:
    """The members of the body in order, each with its plain value (autos are computed)."""
    out: list[tuple[str, V]] = []
    ignored = ignored_names(it, cls)
    for name, written in list(cls.ns.items()):
        if name in ignored or not is_member(cls, name, written):
            continue
        wrapped = _is_wrapped(written, "member")
        value = V(written.d.attrs["value"].d, written.o) if wrapped else written
        out.append((name, _computed(it, cls, name, value, [v for _, v in out])))
    return out


def _computed(it: Any, cls: ClassObj, name: str, value: V, earlier: list[V]) -> V:
    if _is_wrapped(value, "auto"):
        known = value.d.attrs.get("value")
        if known is None:
            known = _next_value(it, cls, name, earlier)
            it.heap.put(value.d.attrs, "value", known)
        return V(known.d, value.o)
    if type(value.d) is tuple and any(_is_wrapped(x, "auto") for x in value.d):
        return V(tuple(_computed(it, cls, name, x, earlier) for x in value.d), value.o)
    return value


def _next_value(it: Any, cls: ClassObj, name: str, earlier: list[V]) -> V:
    rule = lookup(cls, "_generate_next_value_")
    assert rule is not None, "Enum itself has one"
    args = [V(name), V(1), V(len(earlier)), V(it.heap.list(list(earlier)))]
    value: V = it.call(function_of(rule), args, {})
    return value


def _plain_numbers(values: list[V]) -> list[Any] | None:
    """The numbers among the values; None where one is not known."""
    numbers: list[Any] = []
    for value in values:
        d = value.d.payload if type(value.d) is Instance else value.d
        if type(d) in NUMBERS:
            numbers.append(d)
        elif isinstance(d, Unknown):
            return None
    return numbers


def next_number(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Enum._generate_next_value_``: one more than the greatest so far."""
    earlier: ListObj = args[3].d
    numbers = _plain_numbers(earlier.items)
    if numbers is None:
        return V(Unknown("auto() after a value that is not known", "int"))
    return V(max(numbers) + 1) if numbers else args[1]


def next_bit(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Flag._generate_next_value_``: the next higher power of two."""
    earlier: ListObj = args[3].d
    numbers = _plain_numbers(earlier.items)
    if numbers is None:
        return V(Unknown("auto() after a value that is not known", "int"))
    return V(2 ** max(numbers).bit_length()) if numbers else args[1]


def lower_name(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``StrEnum._generate_next_value_``."""
    return V(args[0].d.lower())


def resolved_auto(it: Any, value: V) -> V:
    """The value of an ``auto()`` that the class body uses before it is done."""
    owner = it.frame.owner
    if owner is not None and "value" not in value.d.attrs:
        raw_members(it, owner)
    known = value.d.attrs.get("value")
    return V(Unknown("an auto() outside an enum", "int")) if known is None else known


def auto_operator(op: str, *, swapped: bool = False) -> Any:
    """An operator of ``auto()`` within the class body, as in ``ALL = A | B``."""

    def method(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        sides = [resolved_auto(it, x) if _is_wrapped(x, "auto") else x for x in args]
        left, right = sides[::-1] if swapped else sides
        result: V = it.binop(op, left, right)
        return result

    return method


def maps(cls: ClassObj) -> tuple[ListObj, DictObj, DictObj]:
    """``_member_names_``, ``_member_map_`` and ``_value2member_map_`` of an enum class."""
    return (
        cls.ns["_member_names_"].d, cls.ns["_member_map_"].d, cls.ns["_value2member_map_"].d,
    )  # fmt: skip
