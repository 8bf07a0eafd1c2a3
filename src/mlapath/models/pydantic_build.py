"""Building instances of dataclasses from validated input (pydantic-core's dataclass schema)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mlapath.models.aliases import alias_args, alias_name
from mlapath.models.class_tools import fact
from mlapath.models.dataclass_spec import FieldSpec, spec_of, type_of_field
from mlapath.models.pydantic_arguments import Input, read_input
from mlapath.models.pydantic_calls import Run, guarded, make_info, wrapped
from mlapath.models.pydantic_context import Config, Context
from mlapath.models.pydantic_errors import Invalid, Line, fault, under
from mlapath.models.pydantic_fields import constrain, copied, default_of, is_info
from mlapath.models.pydantic_validators import for_field, found_in
from mlapath.values.objects import ClassObj, DictObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

EXTRA = {
    False: ("unexpected_keyword_argument", "Unexpected keyword argument"),
    True: ("extra_forbidden", "Extra inputs are not permitted"),
}


def config_of(cls: ClassObj, ctx: Context) -> Config:
    """The class's own configuration, or that of what it is validated in."""
    own: Config | None = fact(cls, "pydantic_config")
    return own if own is not None else ctx.config


def check_dataclass(ctx: Context, cls: ClassObj, value: V) -> V:
    """A dataclass or model as the type of a field: an instance stays, a dict makes one."""
    return build(ctx.within(config_of(cls, ctx)), cls, value, None)


def fields_of(cls: ClassObj) -> Mapping[str, FieldSpec]:
    """The fields of a model or a dataclass, in order."""
    own: Mapping[str, FieldSpec] | None = fact(cls, "pydantic_fields")
    if own is not None:
        return own
    spec = spec_of(cls)
    return spec.fields if spec is not None else {}


def is_model(cls: ClassObj) -> bool:
    """Whether a class is a ``BaseModel``."""
    return fact(cls, "pydantic_model") is not None


def build(ctx: Context, cls: ClassObj, value: V, made: V | None) -> V:
    """Validate ``value`` as an instance of ``cls``; ``made``: the instance to fill."""
    it = ctx.it
    validators = found_in(it, cls, "model") if fact(cls, "pydantic") else []

    def innermost(x: V) -> V:
        return _instance(ctx, cls, x, made)

    run: Run = innermost
    info = make_info(it, None, None)
    for found in validators:
        if found.mark.mode == "wrap":
            run = wrapped(ctx, "wrap", found.bound(cls), info, run, cls.name)
        elif found.mark.mode == "after":
            run = _after(ctx, cls, found, info, run)
    return run(value)


def _after(ctx: Context, cls: ClassObj, found: Any, info: V, inner: Run) -> Run:
    """A model validator on the instance: a method, or (as was allowed) a class method."""

    def run(value: V) -> V:
        made = inner(value)
        if type(made.d) is not Instance:
            return made
        method = found.bound(cls, made)
        whole = method.d.self_.d is made.d
        rest: list[V] = [] if whole else [made]
        return _kept(guarded(ctx, lambda: ctx.it.call(method, rest, {}), value), made)

    return run


def _kept(result: V, made: V) -> V:
    """What the validator returned, if it is an instance at all."""
    return result if type(result.d) is Instance else made


def _instance(ctx: Context, cls: ClassObj, value: V, made: V | None) -> V:
    it = ctx.it
    if made is None:
        truth = it.isinstance(value, V(cls))
        if truth is Truth.TRUE:
            return value
        if truth is Truth.UNKNOWN and type(value.d) is not DictObj:
            ctx.unsure = True
            return value
        if ctx.strict:
            raise fault(value, "dataclass_exact_type", f"Input should be an instance of "
                        f"{cls.name}")  # fmt: skip
    run: Run = lambda x: _fields(ctx, cls, x, made)  # noqa: E731
    info = make_info(it, None, None)
    for found in found_in(it, cls, "model") if fact(cls, "pydantic") else ():
        if found.mark.mode == "before":
            run = wrapped(ctx, "before", found.bound(cls), info, run, cls.name)
    return run(value)


def _fields(ctx: Context, cls: ClassObj, value: V, made: V | None) -> V:
    """Validate the fields, set them, and run ``__post_init__``."""
    it = ctx.it
    given = read_input(it, value, cls.name, "model_type" if is_model(cls) else "dataclass_type")
    bound, extras = validate_fields(ctx, cls, given, value)
    result = V(it.new_instance(cls)) if made is None else made
    init_only: list[V] = []
    fields = fields_of(cls)
    for name, item in bound.items():
        if fields[name].init_only:
            init_only.append(item)
        else:
            it.write_attr(result.d, name, item)
    for name, item in extras.items():
        it.write_attr(result.d, name, item)
    if is_model(cls):
        finish = fact(cls, "pydantic_finish")
        finish(ctx, result, given)
        return result
    post = it.find_attr(result, "__post_init__")
    if post is not None:
        guarded(ctx, lambda: it.call(post, init_only, {}), value)
    return result


def validate_fields(
    ctx: Context, cls: ClassObj, given: Input, value: V
) -> tuple[dict[str, V], dict[str, V]]:
    """The fields' values, and what is kept beside them (``extra="allow"``)."""
    it = ctx.it
    fields = fields_of(cls).values()
    lines: list[Line] = []
    bound: dict[str, V] = {}
    data = it.heap.dict()
    taken: set[str] = set()
    positional = [f for f in fields if f.init and not f.kw_only]
    for field in fields:
        name, at = field.name, positional.index(field) if field in positional else -1
        try:
            if 0 <= at < len(given.args):
                taken.add(name)
                _once(name, given)
                found: V | None = _located(ctx, cls, field, given.args[at], data, at)
            elif field.init and name in given.kwargs:
                taken.add(name)
                found = _located(ctx, cls, field, given.kwargs[name], data, name)
            elif given.opened and field.init:
                found = V(Unknown(given.opened))
            else:
                found = _default(ctx, cls, field, data)
        except Invalid as error:
            lines.extend(error.lines)
            continue
        if found is None and field.init:
            lines.append(Line((name,), "missing", "Field required", value))
        elif found is not None:
            bound[name] = found
            if not field.init_only:
                it.dict_set(data, V(name), found)
    lines.extend(Line((i,), "unexpected_positional_argument", "Unexpected positional argument", x)
                 for i, x in enumerate(given.args) if i >= len(positional))  # fmt: skip
    extras = {k: v for k, v in given.kwargs.items() if k not in taken}
    if ctx.config.extra == "forbid":
        kind = EXTRA[is_model(cls)]
        lines.extend(Line((k,), *kind, v) for k, v in extras.items())
    if lines:
        raise Invalid(*lines)
    return bound, extras if ctx.config.extra == "allow" else {}


def _once(name: str, given: Input) -> None:
    if name in given.kwargs:
        raise Invalid(Line((name,), "multiple_argument_values",
                           "Got multiple values for argument", given.kwargs[name]))  # fmt: skip


def _located(
    ctx: Context, cls: ClassObj, field: FieldSpec, value: V, data: DictObj, at: str | int
) -> V:
    try:
        return validate_field(ctx, cls, field, value, data)
    except Invalid as error:
        raise Invalid(*under(error.lines, at)) from None


def validate_field(ctx: Context, cls: ClassObj, field: FieldSpec, value: V, data: DictObj) -> V:
    """One field's value: its type, its constraints, its validators in order of definition."""
    it = ctx.it
    tp = type_of_field(it, field)
    constraint = field.default if is_info(field.default) else None

    def innermost(x: V) -> V:
        checked = ctx.check(alias_args(tp)[0] if alias_name(tp) == "InitVar" else tp, x)
        return checked if constraint is None else constrain(ctx, constraint, checked, x)

    run: Run = innermost
    if fact(cls, "pydantic"):
        info = make_info(it, data, field.name)
        for found in for_field(it, cls, field.name):
            run = wrapped(ctx, found.mark.mode, found.bound(cls), info, run, cls.name)
    return run(value)


def _default(ctx: Context, cls: ClassObj, field: FieldSpec, data: DictObj) -> V | None:
    it = ctx.it
    found: V | None
    if field.default is not None and is_info(field.default):
        found = default_of(it, field.default)
        always = field.default.d.attrs["validate_default"].d
    else:
        found = it.call(field.factory, [], {}) if field.factory is not None else field.default
        found = copied(it, found) if found is not None else None
        always = None
    if found is not None and (ctx.config.validate_default if always is None else always):
        return _located(ctx, cls, field, found, data, field.name)
    return found
