"""``dataclasses``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mlapath.models.api import Library, argument, make_class
from mlapath.models.dataclass_copies import asdict, astuple, replace
from mlapath.models.dataclass_methods import add_methods
from mlapath.models.dataclass_spec import (
    MISSING,
    Annotation,
    Dataclass,
    collect,
    field_type,
    make_field,
    spec_of,
)
from mlapath.values.objects import ClassObj, Instance, Native
from mlapath.values.truth import Truth
from mlapath.values.value import SCALAR_TYPES, External, Union, Unknown, V

OPTIONS = {
    "init": True, "repr": True, "eq": True, "order": False, "unsafe_hash": False,
    "frozen": False, "match_args": True, "kw_only": False, "slots": False,
    "weakref_slot": False,
}  # fmt: skip


def options_from(it: Any, kwargs: Mapping[str, V]) -> dict[str, bool]:
    """The decorator's options; one that is not known keeps its default and is a limit."""
    chosen = dict(OPTIONS)
    for name, value in kwargs.items():
        if name not in chosen:
            it.throw("TypeError", f"dataclass() got an unexpected keyword argument '{name}'")
        truth = it.truth(value)
        if truth is Truth.UNKNOWN:
            it.frontier(it.frame, it.frame.pos, "an option of a dataclass is not known")
        else:
            chosen[name] = truth is Truth.TRUE
    return chosen


def make_dataclass_of(
    it: Any, cls: ClassObj, options: Mapping[str, bool],
    annotations: Mapping[str, Annotation] | None = None,
) -> Dataclass:  # fmt: skip
    """Turn a class into a dataclass."""
    _check_bases(it, cls, options["frozen"])
    spec = collect(it, cls, options, annotations)
    cls.facts["dataclass"] = spec
    if options["frozen"]:
        cls.facts["frozen"] = True
    table = it.heap.dict()
    for name, field in spec.fields.items():
        it.dict_set(table, V(name), field.obj)
    it.heap.put(cls.ns, "__dataclass_fields__", V(table))
    if options["slots"]:
        it.heap.put(cls.ns, "__slots__", V(tuple(map(V, spec.fields))))
    add_methods(it, cls, spec)
    return spec


def _check_bases(it: Any, cls: ClassObj, frozen: bool) -> None:
    """Frozen dataclasses have frozen bases only, and the other way round."""
    bases = [c.facts["dataclass"].options["frozen"] for c in cls.mro[1:] if "dataclass" in c.facts]
    if bases and any(bases) and not frozen:
        it.throw("TypeError", "cannot inherit non-frozen dataclass from a frozen one")
    if bases and not all(bases) and frozen:
        it.throw("TypeError", "cannot inherit frozen dataclass from a non-frozen one")


def dataclass(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@dataclass`` and ``@dataclass(...)``."""
    options = options_from(it, kwargs)

    def decorate(engine: Any, args: list[V], kwargs: dict[str, V]) -> V:
        if type(args[0].d) is not ClassObj:
            return args[0]
        make_dataclass_of(engine, args[0].d, options)
        return args[0]

    if args and args[0].d is not None:
        return decorate(it, args, {})
    return V(Native("dataclasses.dataclass", decorate))


def field(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``field(...)``."""
    if "default" in kwargs and "default_factory" in kwargs:
        both = [kwargs["default"], kwargs["default_factory"]]
        if all(type(x.d) is not External or x.d != MISSING.d for x in both):
            it.throw("ValueError", "cannot specify both default and default_factory")
    parts = {name: value for name, value in kwargs.items()
             if name != "metadata" or value.d is not None}  # fmt: skip
    return make_field(it, parts)


def has_fields(it: Any, value: V) -> Truth:
    """Whether a value is a dataclass or an instance of one."""
    d = value.d
    if type(d) in SCALAR_TYPES or type(d) is tuple:
        return Truth.FALSE
    if type(d) is Unknown:
        return Truth.FALSE if d.hint not in ("", "object", "type") else Truth.UNKNOWN
    if type(d) is Union:
        found = {has_fields(it, o) for o in d.options}
        return found.pop() if len(found) == 1 else Truth.UNKNOWN
    if type(d) is External:
        name = it.models.aliases.get(d.name, d.name)
        listed = name in it.models.instances or any(
            name in members for members in it.models.instances.values())  # fmt: skip
        return Truth.FALSE if listed else Truth.UNKNOWN
    cls = d if type(d) is ClassObj else d.cls if type(d) is Instance else None
    if cls is None:
        return Truth.FALSE
    if spec_of(cls) is not None:
        return Truth.TRUE
    return Truth.UNKNOWN if cls.foreign else Truth.FALSE


def is_dataclass(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``is_dataclass(obj)``."""
    truth = has_fields(it, args[0])
    if truth is Truth.UNKNOWN:
        return V(Unknown("whether something is a dataclass", "bool"), args[0].o)
    return V(truth is Truth.TRUE, args[0].o)


def fields(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``fields(class_or_instance)``: the Field objects, InitVars left out."""
    value = args[0]
    if type(value.d) is Union:
        found: V = it.each(list(value.d.options), lambda o: fields(it, [o], {}))
        return found
    cls = value.d if type(value.d) is ClassObj else getattr(value.d, "cls", None)
    spec = spec_of(cls) if type(cls) is ClassObj else None
    if spec is None:
        if has_fields(it, value) is Truth.FALSE:
            it.throw("TypeError", "must be called with a dataclass type or instance")
        return V(Unknown("the fields of something unknown", "tuple"), value.o)
    return V(tuple(f.obj for f in spec.fields.values() if not f.init_only))


def make_dataclass(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``make_dataclass(name, fields, ...)``."""
    rest = dict(kwargs)
    title, given = args[0], argument(args, rest, 1, "fields", V(()))
    bases, namespace = rest.pop("bases", V(())), rest.pop("namespace", V(None))
    rest.pop("fields", None)
    module = rest.pop("module", None)
    name = title.d if type(title.d) is str else "<unknown>"
    parents = tuple(b.d for b in it.iterate(bases) or () if type(b.d) is ClassObj)
    home = module.d if module is not None and module.d else it.frame.module.name
    cls: ClassObj = it.new_class(name, name, home, parents)
    for key, value in it.mapping_items(namespace) or ():
        it.heap.put(cls.ns, key.d, value)
    items = it.iterate(given)
    if items is None:
        it.frontier(it.frame, it.frame.pos, "a dataclass whose fields are not known")
    annotations: dict[str, Annotation] = {}
    for item in items or ():
        parts = it.iterate(item) if type(item.d) is not str else [item]
        annotations[parts[0].d] = Annotation(
            None, None, parts[1] if len(parts) > 1 else V(External("typing.Any"))
        )
        if len(parts) > 2:
            it.heap.put(cls.ns, parts[0].d, parts[2])
    it.finish_class(cls, {})
    make_dataclass_of(it, cls, options_from(it, rest), annotations)
    return V(cls)


def field_class(it: Any) -> V:
    """``Field``."""
    return V(make_class(it, "dataclasses.Field", properties={"type": field_type}))


def frozen_error(it: Any) -> V:
    """``FrozenInstanceError``."""
    return V(make_class(it, "dataclasses.FrozenInstanceError",
                        (it.builtins["AttributeError"].d,)))  # fmt: skip


def init_var(it: Any) -> V:
    """``InitVar``: ``InitVar[int]`` is an alias with that name."""

    def construct(engine: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        made: V = engine.getitem(V(cls), args[0])
        return made

    return V(make_class(it, "dataclasses.InitVar", construct=construct))


LIBRARY = Library(
    functions={
        "dataclasses.dataclass": dataclass, "dataclasses.field": field,
        "dataclasses.fields": fields, "dataclasses.is_dataclass": is_dataclass,
        "dataclasses.asdict": asdict, "dataclasses.astuple": astuple,
        "dataclasses.make_dataclass": make_dataclass,
    },
    values={
        "dataclasses.Field": field_class, "dataclasses.FrozenInstanceError": frozen_error,
        "dataclasses.InitVar": init_var, "dataclasses.MISSING": lambda it: MISSING,
        "dataclasses.replace": lambda it: V(Native("dataclasses.replace", replace, opens=True)),
        "dataclasses.KW_ONLY": lambda it: V(External("dataclasses.KW_ONLY")),
    },
    aliases={"copy.replace": "dataclasses.replace"},
)  # fmt: skip
