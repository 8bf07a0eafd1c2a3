"""Validation of a value against a type, in pydantic's lax Python mode.

What is not known stays as it is, with the type's hint where the type decides it; a type that is
not known accepts everything.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.aliases import alias_args, alias_name, is_alias
from mlapath.models.class_tools import fact, lookup
from mlapath.models.dataclass_spec import spec_of
from mlapath.models.pydantic_build import check_dataclass
from mlapath.models.pydantic_containers import CONTAINERS, check_container
from mlapath.models.pydantic_context import Context
from mlapath.models.pydantic_errors import Invalid, Line, fault, under
from mlapath.models.pydantic_labels import label
from mlapath.models.pydantic_metadata import check_annotated, custom_schema
from mlapath.models.pydantic_scalars import SCALARS, plain, to_enum, to_literal
from mlapath.values.join import union
from mlapath.values.objects import ClassObj, Descriptor, DictObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import ABSENT, External, Union, Unknown, V

TRANSPARENT = ("InitVar", "ClassVar", "Final", "Required", "NotRequired", "ReadOnly")
NUMERIC = ("int", "float", "bool")


def check(ctx: Context, tp: V, value: V) -> V:
    """The validated value; raises Invalid where it is certainly not valid."""
    if type(value.d) is Union:
        return _alternatives(ctx, tp, value)
    t = tp.d
    if is_alias(tp):
        return _alias(ctx, tp, value)
    if t is None:
        return check(ctx, ctx.it.builtins["NoneType"], value)
    if type(t) is ClassObj:
        return _class(ctx, t, value)
    if type(t) is External:
        return _external(ctx, tp, value)
    if type(t) is Instance:
        for inner in ("__supertype__", "__value__", "__origin__"):
            if inner in t.attrs:
                return check(ctx, t.attrs[inner], value)
    ctx.unsure = True
    return value


def _alternatives(ctx: Context, tp: V, value: V) -> V:
    results: list[V] = []
    faults: list[Line] = []
    for option in value.d.options:
        if option.d is ABSENT:
            continue
        try:
            results.append(check(ctx, tp, V(option.d, option.o or value.o)))
        except Invalid as error:
            faults.extend(error.lines)
    if not results:
        raise Invalid(*faults[:1])
    ctx.maybe.extend(faults)
    return V(union(results).d, value.o)


def _alias(ctx: Context, tp: V, value: V) -> V:
    name, args = alias_name(tp), alias_args(tp)
    if name == "Union":
        return _union(ctx, args, value)
    if name == "Literal":
        if type(value.d) is Unknown:
            ctx.unsure = True
            return value
        return to_literal(ctx.it, args, value, ctx.strict)
    if name == "Annotated":
        return check_annotated(ctx, args, value)
    if name in TRANSPARENT:
        return check(ctx, args[0], value)
    if name in ("type", "Type"):
        return _subclass(ctx, args[0], value)
    origin = tp.d.attrs.get("origin")
    if origin is not None and type(origin.d) is ClassObj:
        kind = CONTAINERS.get(origin.d.full)
        if kind is not None:
            return check_container(ctx, kind, args, value)
        return _class(ctx, origin.d, value)
    ctx.unsure = True
    return value


def _union(ctx: Context, args: tuple[V, ...], value: V) -> V:
    """Smart mode: the first option that takes the value as it is, else the first that coerces."""
    it = ctx.it
    none = it.builtins["NoneType"].d
    if value.d is None and any(x.d is none for x in args):
        return value
    rest = [x for x in args if x.d is not none]
    if type(value.d) is Unknown:
        ctx.unsure = True
        return check(ctx, rest[0], value) if len(rest) == len(args) == 1 else value
    if len(rest) == 1:
        return check(ctx, rest[0], value)
    exact_last = sorted(rest, key=lambda x: x.d is it.builtins["float"].d)
    doubtful: tuple[V, Context] | None = None
    faults: list[Line] = []
    for options, strict in ((exact_last, True), (rest, False)):
        if not strict and ctx.strict:
            break
        faults = []
        for option in options:
            trial = ctx.trial(strict=strict)
            try:
                found = check(trial, option, value)
            except Invalid as error:
                faults.extend(under(error.lines, label(it, option)))
                continue
            if not trial.unsure:
                ctx.accept(trial)
                return found
            doubtful = doubtful or (found, trial)
    if doubtful is not None:
        ctx.accept(doubtful[1])
        return doubtful[0]
    raise Invalid(*faults)


def _subclass(ctx: Context, tp: V, value: V) -> V:
    """``type[X]``."""
    it = ctx.it
    if type(value.d) is ClassObj and type(tp.d) is ClassObj and tp.d.full != "typing.Any":
        if it.issubclass(value, tp) is Truth.FALSE:
            raise fault(value, "is_subclass_of", f"Input should be a subclass of {tp.d.name}")
        return value
    if type(value.d) in (External, Unknown) or type(value.d) is ClassObj:
        ctx.unsure = ctx.unsure or type(value.d) is not ClassObj
        return value
    raise fault(value, "is_subclass_of", f"Input should be a subclass of {label(it, tp)}")


def _class(ctx: Context, cls: ClassObj, value: V) -> V:
    it = ctx.it
    if cls.full in ("builtins.object", "typing.Any"):
        return value
    if cls.module == "builtins" and cls.name in SCALARS:
        return _scalar(ctx, cls, value)
    kind = CONTAINERS.get(cls.full)
    if kind is not None:
        return check_container(ctx, kind, (), value)
    schema = lookup(cls, "__get_pydantic_core_schema__")
    if schema is not None and type(schema.d) is Descriptor:
        return custom_schema(ctx, cls, value)
    if cls.facts.get("enum"):
        if type(value.d) is Unknown:
            ctx.unsure = True
            return value
        return to_enum(it, cls, value, ctx.strict)
    model = fact(cls, "pydantic_model")
    if model is not None:
        return model(ctx, cls, value)  # type: ignore[no-any-return]
    if spec_of(cls) is not None:
        return check_dataclass(ctx, cls, value)
    if cls.full == "collections.abc.Callable":
        return _callable(ctx, value)
    if cls.full == "builtins.type":
        return _subclass(ctx, it.builtins["object"], value)
    return _instance(ctx, cls, value)


def _scalar(ctx: Context, cls: ClassObj, value: V) -> V:
    d = plain(value)
    if isinstance(d, Unknown):
        if d.hint and d.hint != cls.name:
            ctx.unsure = ctx.unsure or not (d.hint == "int" and cls.name == "float")
        if cls.name in ("NoneType", d.hint):
            return value
        lo, hi = (d.lo, d.hi) if d.hint in NUMERIC and cls.name in NUMERIC else (None, None)
        ctx.unsure = ctx.unsure or not d.hint
        known = Unknown(d.why, cls.name, "", lo, hi, d.text)
        return V(d.derived(("as", cls.name), known), value.o)
    if type(d) is Instance and d.cls.foreign:
        ctx.unsure = True
        return value
    return SCALARS[cls.name](ctx.it, value, ctx.strict)


def _callable(ctx: Context, value: V) -> V:
    it = ctx.it
    truth = it.truth(it.call(it.builtins["callable"], [value], {}))
    if truth is Truth.FALSE:
        raise fault(value, "callable_type", "Input should be callable")
    ctx.unsure = ctx.unsure or truth is Truth.UNKNOWN
    return value


def _instance(ctx: Context, cls: ClassObj, value: V) -> V:
    """A class of which pydantic knows nothing: only instances are valid."""
    it = ctx.it
    truth = it.isinstance(value, V(cls))
    if truth is Truth.TRUE:
        return value
    converts = cls.payload is not None or cls.full in ("pathlib.Path", "typing.TypedDict") or any(
        c.full == "typing.TypedDict" for c in cls.mro)  # fmt: skip
    if truth is Truth.UNKNOWN or cls.foreign or type(value.d) is Unknown:
        ctx.unsure = True
        return value
    if converts:
        return _converted(ctx, cls, value)
    raise fault(value, "is_instance_of", f"Input should be an instance of {cls.name}")


def _converted(ctx: Context, cls: ClassObj, value: V) -> V:
    """Named tuples from sequences, paths from strings, typed dicts from dicts."""
    it = ctx.it
    if cls.full == "pathlib.Path" and type(value.d) is str:
        return it.call(V(cls), [value], {})  # type: ignore[no-any-return]
    if cls.payload is tuple and type(value.d) is tuple and "_fields" in cls.ns:
        return it.call(V(cls), list(value.d), {})  # type: ignore[no-any-return]
    if type(value.d) is DictObj and value.d.kind == "dict" and cls.payload is not tuple:
        return value
    ctx.unsure = True
    return value


def _external(ctx: Context, tp: V, value: V) -> V:
    """A class outside the tree: decided only where its instances are listed."""
    it = ctx.it
    if type(value.d) is Unknown or it.models.instance_of(it, value, tp.d.name) is None:
        ctx.unsure = True
        return value
    truth = it.isinstance(value, tp)
    if truth is Truth.FALSE:
        short = tp.d.name.rpartition(".")[2]
        raise fault(value, "is_instance_of", f"Input should be an instance of {short}")
    ctx.unsure = ctx.unsure or truth is Truth.UNKNOWN
    return value


def context(it: Any, config: Any) -> Context:
    """A new validation under a configuration."""
    return Context(it, config, check, config.strict)
