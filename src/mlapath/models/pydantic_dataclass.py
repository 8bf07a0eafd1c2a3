"""``pydantic.dataclasses``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mlapath.models.class_tools import fact
from mlapath.models.dataclass_spec import Dataclass, FieldSpec, spec_of
from mlapath.models.pydantic_arguments import make_arguments
from mlapath.models.pydantic_build import build, validate_field
from mlapath.models.pydantic_context import Config, config_from, raise_error, settle
from mlapath.models.pydantic_errors import Invalid, under
from mlapath.models.pydantic_fields import is_info, is_undefined
from mlapath.models.pydantic_types import context
from mlapath.models.stdlib_dataclasses import make_dataclass_of, options_from
from mlapath.values.objects import ClassObj, Instance, Native
from mlapath.values.truth import Truth
from mlapath.values.value import V


def dataclass(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@dataclass``, ``@dataclass(config=…, frozen=…)``, ``dataclass(cls, config=…)``."""
    rest = dict(kwargs)
    given = rest.pop("config", None)
    rest.pop("validate_on_init", None)
    options = options_from(it, rest)

    def decorate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        cls = args[0].d
        if type(cls) is not ClassObj:
            return args[0]
        own = cls.ns.get("__pydantic_config__")
        base: Config | None = fact(cls, "pydantic_config")
        config = config_from(it, given if given is not None else own, base)
        make_pydantic(it, cls, options, config)
        return args[0]

    if args and args[0].d is not None:
        return decorate(it, args, {})
    return V(Native("pydantic.dataclasses.dataclass", decorate))


def make_pydantic(it: Any, cls: ClassObj, options: dict[str, bool], config: Config) -> Dataclass:
    """Turn a class into a pydantic dataclass; a stdlib dataclass keeps its fields."""
    chosen = dict(options)
    chosen["frozen"] = options["frozen"] or config.frozen
    own: Dataclass | None = cls.facts.get("dataclass")
    made = own if own is not None else make_dataclass_of(it, cls, chosen)
    spec = Dataclass({k: _with_info(it, f) for k, f in made.fields.items()}, made.options)
    cls.facts.update(dataclass=spec, pydantic=True, pydantic_config=config)
    for name, field in spec.fields.items():
        default = field.default
        if default is not None and is_info(default) and name in cls.ns and (
            not is_undefined(default.d.attrs["default"])
        ):  # fmt: skip
            it.heap.put(cls.ns, name, default.d.attrs["default"])
    if chosen["init"]:
        it.heap.put(cls.ns, "__init__", _make_init(cls))
    if config.validate_assignment and "__setattr__" not in cls.ns:
        it.heap.put(cls.ns, "__setattr__", _make_setattr(cls))
    it.heap.put(cls.ns, "__pydantic_fields__", cls.ns["__dataclass_fields__"])
    return spec


def _with_info(it: Any, field: FieldSpec) -> FieldSpec:
    """A field with what its ``FieldInfo`` says of the constructor."""
    if field.default is None or not is_info(field.default):
        return field
    attrs = field.default.d.attrs
    found: dict[str, Any] = {}
    for name in ("init", "kw_only", "repr"):
        truth = it.truth(attrs[name])
        if attrs[name].d is not None and truth is not Truth.UNKNOWN:
            found[name] = truth is Truth.TRUE
            it.heap.put(field.obj.d.attrs, name, V(found[name]))
    return replace(field, **found)


def _make_init(cls: ClassObj) -> V:
    title = f"{cls.qualname}.__init__"

    def init(it: Any, args: list[V], kwargs: dict[str, V], opened: str) -> V:
        made = args[0]
        target: ClassObj = made.d.cls if type(made.d) is Instance else cls
        given = it.heap.dict()
        for name, value in kwargs.items():
            it.dict_set(given, V(name), value)
        if opened:
            it.heap.open_dict(given, opened)
        named = V(given) if given.data else V(None)
        data = make_arguments(it, V(tuple(args[1:])), named)
        owner = target if target.facts.get("pydantic") else cls
        ctx = context(it, owner.facts["pydantic_config"])
        try:
            build(ctx, owner, data, made)
        except Invalid as error:
            raise_error(it, owner.name, error.lines)
        settle(ctx, owner.name)
        return V(None)

    return V(Native(title, init, binds=True, opens=True))


def _make_setattr(cls: ClassObj) -> V:
    """``validate_assignment``: a written field is validated."""

    def write(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made, name, value = args
        spec = spec_of(cls)
        field = spec.fields.get(name.d) if spec is not None else None
        if field is not None:
            ctx = context(it, cls.facts["pydantic_config"])
            try:
                value = validate_field(ctx, cls, field, value, it.heap.dict())
            except Invalid as error:
                raise_error(it, cls.name, under(error.lines, name.d))
            settle(ctx, cls.name)
        it.write_attr(made.d, name.d, value)
        return V(None)

    return V(Native("__setattr__", write, binds=True))


def is_pydantic_dataclass(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``is_pydantic_dataclass(cls)``."""
    d = args[0].d
    return V(type(d) is ClassObj and bool(fact(d, "pydantic")), args[0].o)
