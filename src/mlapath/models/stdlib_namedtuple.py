"""``collections.namedtuple``."""

from __future__ import annotations

import keyword
from typing import Any

from mlapath.models.api import argument
from mlapath.models.named_tuple import named_tuple_class
from mlapath.models.support import unknown
from mlapath.values.value import V


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
