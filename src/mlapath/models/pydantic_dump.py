"""What models give back: ``model_dump``, ``model_copy`` and their like."""

from __future__ import annotations

import json
from typing import Any

from mlapath.models.class_tools import fact
from mlapath.models.pydantic_build import fields_of
from mlapath.values.concrete import NotConcrete, to_py
from mlapath.values.objects import DictObj, Instance, ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

SELECTING = ("include", "exclude", "exclude_unset", "exclude_defaults", "by_alias", "mode")


def dump(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``model_dump(...)``: nested models become dicts."""
    for name in SELECTING:
        chosen = kwargs.get(name)
        if chosen is not None and it.truth(chosen) is not Truth.FALSE and name != "exclude":
            if name == "mode" and chosen.d == "python":
                continue
            return V(Unknown("what a model dumps", "dict"), args[0].o)
    skip_none = it.truth(kwargs.get("exclude_none", V(False)))
    left_out = it.iterate(kwargs["exclude"]) if "exclude" in kwargs else []
    if skip_none is Truth.UNKNOWN or left_out is None:
        return V(Unknown("what a model dumps", "dict"), args[0].o)
    made = _dumped(it, args[0], skip_none is Truth.TRUE)
    for name in left_out:
        if type(name.d) is str:
            it.heap.drop(made.d.data, name.d)
    return made


def _dumped(it: Any, value: V, skip_none: bool) -> V:
    d = value.d
    if type(d) is Instance and fact(d.cls, "pydantic"):
        made = it.heap.dict()
        for name in fields_of(d.cls):
            item = it.getattr(value, name)
            if not (skip_none and item.d is None):
                it.dict_set(made, V(name), _dumped(it, item, skip_none))
        return V(made, value.o)
    if type(d) is tuple:
        return V(tuple(_dumped(it, x, skip_none) for x in d), value.o)
    if type(d) is ListObj:
        listed = it.heap.list([_dumped(it, x, skip_none) for x in d.items])
        if d.open:
            it.heap.open_list(listed, d.open)
        return V(listed, value.o)
    if type(d) is DictObj and d.kind in ("dict", "defaultdict"):
        table = it.heap.dict()
        for key, item in it.mapping_items(value):
            it.dict_set(table, key, _dumped(it, item, skip_none))
        opened = it.is_open(value)
        if opened:
            it.heap.open_dict(table, opened)
        return V(table, value.o)
    return value


def dump_json(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``model_dump_json(...)``."""
    try:
        plain = to_py(dump(it, args, {k: v for k, v in kwargs.items() if k != "indent"}))
        indent = kwargs.get("indent", V(None)).d
        separators = (",", ":") if indent is None else None
        return V(json.dumps(plain, indent=indent, separators=separators), args[0].o)
    except (NotConcrete, TypeError):
        return V(Unknown("the JSON text of a model", "str"), args[0].o)


def copy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``model_copy(update=…)``: shallow, without validation."""
    old: Instance = args[0].d
    made = Instance(old.cls, it.heap.cell(dict(old.attrs)))
    made.open = old.open
    update = kwargs.get("update")
    pairs = it.mapping_items(update) if update is not None and update.d is not None else []
    if pairs is None or update is not None and it.is_open(update):
        made.open = made.open or "a model updated from an unknown dict"
        for name in fields_of(old.cls):
            made.attrs[name] = V(Unknown(made.open))
    for key, value in pairs or ():
        made.attrs[key.d] = value
    return V(made, args[0].o)


METHODS = {
    "model_dump": dump, "dict": dump, "model_dump_json": dump_json, "json": dump_json,
    "model_copy": copy, "copy": copy, "__copy__": copy,
}  # fmt: skip
