"""Validation of containers: every one comes back as a new one."""

from __future__ import annotations

from typing import Any

from mlapath.models.pydantic_context import Context
from mlapath.models.pydantic_errors import Invalid, Line, fault, under
from mlapath.values.objects import DictObj, GeneratorObj, Instance, ListObj
from mlapath.values.value import External, Unknown, V

CONTAINERS = {
    "builtins.list": "list", "builtins.tuple": "tuple", "builtins.set": "set",
    "builtins.frozenset": "frozenset", "builtins.dict": "dict",
    "collections.abc.Sequence": "sequence", "collections.abc.MutableSequence": "list",
    "collections.abc.Mapping": "mapping", "collections.abc.MutableMapping": "mapping",
    "collections.abc.Set": "set", "collections.abc.MutableSet": "set",
    "collections.abc.Iterable": "iterable", "collections.abc.Collection": "iterable",
    "collections.OrderedDict": "mapping", "collections.defaultdict": "mapping",
}  # fmt: skip
"""Qualified class name -> how it is validated."""

NAMES = {
    "list": "list", "tuple": "tuple", "set": "set", "frozenset": "frozenset",
    "dict": "dictionary", "sequence": "list", "mapping": "dictionary",
}  # fmt: skip


def check_container(ctx: Context, kind: str, args: tuple[V, ...], value: V) -> V:
    """A container of ``kind``; ``args``: the types of what it holds."""
    d = value.d.payload if type(value.d) is Instance and value.d.payload is not None else value.d
    if type(d) is Unknown or type(d) is External or type(d) is Instance and d.cls.foreign:
        return _unknown(ctx, kind, value)
    if kind == "iterable":
        return value
    if kind in ("dict", "mapping"):
        if type(d) is DictObj and d.kind in ("dict", "defaultdict"):
            return _mapping(ctx, args, value, d)
        if kind == "mapping" and type(d) is Instance:
            ctx.unsure = True
            return value
        raise _wrong(kind, value)
    if ctx.strict and not _is_kind(kind, d):
        raise _wrong(kind, value)
    if kind == "sequence" and type(d) in (str, bytes):
        raise fault(value, "sequence_str", f"'{type(d).__name__}' instances are not allowed as a "
                    "Sequence value")  # fmt: skip
    taken = type(d) in (ListObj, tuple, GeneratorObj, range) or type(d) is DictObj and (
        d.kind in ("set", "frozenset"))  # fmt: skip
    if not taken:
        if type(d) is Instance and ctx.it.lookup_special(value, "__iter__") is not None:
            ctx.unsure = True
            return value
        raise _wrong(kind, value)
    return _items(ctx, kind, args, V(d, value.o))


def _is_kind(kind: str, d: Any) -> bool:
    if kind == "sequence":
        return type(d) in (ListObj, tuple)
    found = {ListObj: "list", tuple: "tuple"}.get(type(d), getattr(d, "kind", ""))
    return bool(found == kind)


def _wrong(kind: str, value: V) -> Invalid:
    named = {"dict": "dict", "mapping": "mapping", "sequence": "list", "frozenset": "frozen_set"}
    return fault(value, f"{named.get(kind, kind)}_type", f"Input should be a valid {NAMES[kind]}")


def _unknown(ctx: Context, kind: str, value: V) -> V:
    ctx.unsure = True
    d = value.d
    if type(d) is Unknown and kind in ("list", "dict", "set", "tuple") and not d.hint:
        known = Unknown(d.why, kind, "", text=d.text)
        return V(d.derived(("as", kind), known), value.o)
    return value


def _mapping(ctx: Context, args: tuple[V, ...], value: V, d: DictObj) -> V:
    it = ctx.it
    made = it.heap.dict()
    lines: list[Line] = []
    for key, item in it.mapping_items(V(d)):
        checked_key, checked = key, item
        where = key.d if type(key.d) in (str, int) else it.format_value(key, "r", "") or "{…}"
        if len(args) == 2:
            try:
                checked_key = ctx.check(args[0], key)
            except Invalid as error:
                lines.extend(under(error.lines, where, "[key]"))
            try:
                checked = ctx.check(args[1], item)
            except Invalid as error:
                lines.extend(under(error.lines, where))
        it.dict_set(made, checked_key, checked)
    if lines:
        raise Invalid(*lines)
    opened = it.is_open(V(d))
    if opened:
        it.heap.open_dict(made, opened)
    return V(made, value.o)


def _items(ctx: Context, kind: str, args: tuple[V, ...], value: V) -> V:
    it = ctx.it
    items = it.iterate(value)
    opened = it.is_open(value)
    if items is None:
        return _unknown(ctx, kind, value)
    lines: list[Line] = []
    types = _types(kind, args, len(items))
    checked: list[V] = []
    for i, item in enumerate(items):
        tp = types[i] if i < len(types) else None
        try:
            checked.append(item if tp is None else ctx.check(tp, item))
        except Invalid as error:
            lines.extend(under(error.lines, i))
    if kind == "tuple" and types and args[-1].d is not Ellipsis:
        lines.extend(Line((i,), "missing", "Field required", value)
                     for i in range(len(items), len(types)))  # fmt: skip
        if len(items) > len(types):
            lines.append(Line((), "too_long", f"Tuple should have at most {len(types)} items "
                              f"after validation, not {len(items)}", value))  # fmt: skip
    if lines:
        raise Invalid(*lines)
    if kind == "tuple" or kind == "sequence" and type(value.d) is tuple:
        return V(Unknown(opened, "tuple") if opened else tuple(checked), value.o)
    if kind in ("set", "frozenset"):
        made = it.make_set(checked, kind).d
        if opened:
            it.heap.open_dict(made, opened)
        return V(made, value.o)
    listed = it.heap.list(checked)
    if opened:
        it.heap.open_list(listed, opened)
    return V(listed, value.o)


def _types(kind: str, args: tuple[V, ...], count: int) -> list[V]:
    """The type of each item; empty where every item is valid."""
    if not args:
        return []
    if kind == "tuple" and not (len(args) == 2 and args[1].d is Ellipsis):
        return list(args)
    return [args[0]] * count
