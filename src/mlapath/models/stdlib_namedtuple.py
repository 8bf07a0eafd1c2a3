"""``collections.namedtuple``, and the making of named tuple classes for ``typing``.

An instance carries the tuple as its payload.
"""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from typing import Any

from mlapath.models.api import Fn, argument, make_class
from mlapath.models.signature import Parameter, bind
from mlapath.models.support import unknown
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.value import Unknown, V


def namedtuple(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``namedtuple(typename, field_names, *, rename, defaults, module)``."""
    name = argument(args, kwargs, 0, "typename") or V(None)
    fields = _field_names(it, argument(args, kwargs, 1, "field_names") or V(None))
    if type(name.d) is not str or fields is None:
        return unknown("a namedtuple with unknown fields", "type")
    rename = "rename" in kwargs and bool(kwargs["rename"].d)
    for index, field in enumerate(fields):
        bad = not field.isidentifier() or keyword.iskeyword(field) or field.startswith("_")
        if bad and not rename:
            it.throw("ValueError", "Type names and field names must be valid identifiers: "
                     f"{field!r}")  # fmt: skip
        fields[index] = f"_{index}" if bad else field
    defaults = it.iterate(kwargs["defaults"]) if "defaults" in kwargs else []
    if defaults is None:
        return unknown("a namedtuple with unknown defaults", "type")
    paired = dict(zip(fields[len(fields) - len(defaults) :], defaults, strict=True))
    module = it.frame.module.name
    return V(named_tuple_class(it, f"{module}.{name.d}", fields, paired))


def _field_names(it: Any, value: V) -> list[str] | None:
    if type(value.d) is str:
        return value.d.replace(",", " ").split()
    items = it.iterate(value)
    if items is None or it.is_open(value) or any(type(x.d) is not str for x in items):
        return None
    return [x.d for x in items]


def named_tuple_class(
    it: Any, full: str, fields: Sequence[str], defaults: Mapping[str, V]
) -> ClassObj:
    """A class of tuples with named fields; ``defaults`` of the last ones."""
    cls = make_class(it, full, (it.builtins["tuple"].d,), payload=tuple)
    fill_named_tuple(it, cls, fields, defaults)
    return cls


def fill_named_tuple(
    it: Any, cls: ClassObj, fields: Sequence[str], defaults: Mapping[str, V]
) -> None:
    """Give a class, whose base is ``tuple``, the fields, methods and constructor."""
    parameters = [Parameter(name, name not in defaults) for name in fields]
    names = tuple(fields)

    def construct(engine: Any, made: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        bound = bind(engine, f"{cls.name}.__new__", parameters, args, kwargs)
        values = tuple(bound[name] if name in bound else defaults[name] for name in names)
        return V(_instance(engine, made, values))

    def replace(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        extra = [name for name in kwargs if name not in names]
        if extra:
            engine.throw("ValueError", f"Got unexpected field names: {extra!r}")
        old = _values(args[0])
        new = tuple(kwargs.get(name, old[i]) for i, name in enumerate(names))
        return V(_instance(engine, args[0].d.cls, new), args[0].o)

    def as_dict(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made = engine.heap.dict()
        for name, value in zip(names, _values(args[0]), strict=True):
            engine.dict_set(made, V(name), value)
        return V(made, args[0].o)

    def make(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        items = engine.iterate(args[1])
        if items is None or engine.is_open(args[1]):
            found = tuple(unknown(f"the field {name} of an unknown tuple") for name in names)
            return V(_instance(engine, args[0].d, found), args[1].o)
        if len(items) != len(names):
            engine.throw("TypeError", f"Expected {len(names)} arguments, got {len(items)}")
        return V(_instance(engine, args[0].d, tuple(items)), args[1].o)

    holder = make_class(
        it, f"{cls.module}.<fields of {cls.name}>",
        methods={"_replace": replace, "_asdict": as_dict, "__replace__": replace},
        class_methods={"_make": make},
        properties={name: _field(index) for index, name in enumerate(names)},
    )  # fmt: skip
    for name, value in holder.ns.items():
        cls.ns.setdefault(name, value)
    cls.ns["_fields"] = V(tuple(V(name) for name in names))
    table = it.heap.dict()
    for name in names:
        if name in defaults:
            it.dict_set(table, V(name), defaults[name])
    cls.ns["_field_defaults"] = V(table)
    cls.ns["__match_args__"] = cls.ns["_fields"]
    cls.facts["construct"] = construct
    cls.facts["text"] = _text(names)
    cls.facts["frozen"] = True


def _instance(it: Any, cls: ClassObj, values: tuple[V, ...]) -> Instance:
    return Instance(cls, it.heap.cell(), values)


def _values(value: V) -> tuple[V, ...]:
    values: tuple[V, ...] = value.d.payload
    return values


def _field(index: int) -> Fn:
    def read(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        if type(args[0].d.payload) is not tuple:
            return V(Unknown("a field of an unknown tuple"), args[0].o)
        return _values(args[0])[index]

    return read


def _text(names: tuple[str, ...]) -> Any:
    def text(it: Any, value: V, conversion: str) -> str | None:
        shown = [it.format_value(item, "r", "") for item in _values(value)]
        if None in shown:
            return None
        inner = ", ".join(f"{n}={s}" for n, s in zip(names, shown, strict=True))
        return f"{value.d.cls.name}({inner})"

    return text
