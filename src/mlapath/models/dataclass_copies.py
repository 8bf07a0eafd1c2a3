"""``asdict``, ``astuple`` and ``replace``."""

from __future__ import annotations

from typing import Any

from mlapath.models.dataclass_spec import Dataclass, spec_of
from mlapath.values.objects import ClassObj, DictObj, Instance, ListObj
from mlapath.values.value import SCALAR_TYPES, Union, Unknown, V


def _instance_spec(it: Any, value: V, what: str) -> Dataclass | None:
    """The description of an instance; None where it is not known to be a dataclass's."""
    d = value.d
    spec = spec_of(d.cls) if type(d) is Instance else None
    if spec is None and type(d) is not Unknown and not (type(d) is Instance and d.cls.foreign):
        it.throw("TypeError", f"{what}() should be called on dataclass instances")
    return spec


def _copied(it: Any, value: V) -> V:
    """A deep copy of what is not a container of fields."""
    if type(value.d) in SCALAR_TYPES or type(value.d) in (ClassObj, Unknown):
        return value
    copy = it.models.symbol(it, "copy.deepcopy")
    if copy is None or not it.models.known("copy.deepcopy"):
        return value
    result: V = it.call(copy, [value], {})
    return result


def _convert(it: Any, value: V, factory: V | None, *, rows: bool) -> V:
    d = value.d
    spec = spec_of(d.cls) if type(d) is Instance else None
    if spec is not None:
        pairs = [(f.name, _convert(it, it.getattr(value, f.name), factory, rows=rows))
                 for f in spec.fields.values() if not f.init_only]  # fmt: skip
        return _collected(it, pairs, factory, rows=rows)
    if type(d) is tuple:
        return V(tuple(_convert(it, x, factory, rows=rows) for x in d), value.o)
    if type(d) is ListObj:
        made = it.heap.list([_convert(it, x, factory, rows=rows) for x in d.items])
        if d.open:
            it.heap.open_list(made, d.open)
        return V(made, value.o)
    if type(d) is DictObj and d.kind in ("dict", "defaultdict"):
        table = it.heap.dict()
        for key, item in it.mapping_items(value):
            it.dict_set(table, _convert(it, key, factory, rows=rows),
                        _convert(it, item, factory, rows=rows))  # fmt: skip
        opened = it.is_open(value)
        if opened:
            it.heap.open_dict(table, opened)
        return V(table, value.o)
    return _copied(it, value)


def _collected(it: Any, pairs: list[tuple[str, V]], factory: V | None, *, rows: bool) -> V:
    if factory is not None:
        items = [V((V(name), x)) for name, x in pairs]
        values = [x for _, x in pairs]
        result: V = it.call(factory, [V(it.heap.list(values if rows else items))], {})
        return result
    if rows:
        return V(tuple(x for _, x in pairs))
    made = it.heap.dict()
    for name, x in pairs:
        it.dict_set(made, V(name), x)
    return V(made)


def asdict(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``asdict(instance)``."""
    if _instance_spec(it, args[0], "asdict") is None:
        return V(Unknown("the fields of something unknown", "dict"), args[0].o)
    return V(_convert(it, args[0], kwargs.get("dict_factory"), rows=False).d, args[0].o)


def astuple(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``astuple(instance)``."""
    if _instance_spec(it, args[0], "astuple") is None:
        return V(Unknown("the fields of something unknown", "tuple"), args[0].o)
    return V(_convert(it, args[0], kwargs.get("tuple_factory"), rows=True).d, args[0].o)


def replace(it: Any, args: list[V], kwargs: dict[str, V], opened: str = "") -> V:
    """``replace(instance, **changes)``: a new instance by way of the constructor."""
    value = args[0]
    if type(value.d) is Union:
        each: V = it.each(list(value.d.options), lambda o: replace(it, [o], dict(kwargs), opened))
        return each
    spec = _instance_spec(it, value, "replace")
    if spec is None:
        return V(Unknown("a changed copy of something unknown"), value.o)
    changes = dict(kwargs)
    for field in spec.fields.values():
        if not field.init:
            if field.name in changes:
                it.throw("ValueError", f"field {field.name} is declared with init=False, "
                         "it cannot be specified with replace()")  # fmt: skip
            continue
        if field.name in changes:
            continue
        if field.init_only:
            if field.required:
                it.throw("ValueError", f"InitVar {field.name!r} must be specified with "
                         "replace()")  # fmt: skip
            continue
        changes[field.name] = V(Unknown(opened)) if opened else it.getattr(value, field.name)
    result: V = it.call(V(value.d.cls), [], changes)
    return V(result.d, result.o or value.o)
