"""``Annotated`` metadata that pydantic reads, and core schemas that programs build."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Factory, Fn, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.pydantic_calls import Run, make_info, wrapped
from mlapath.models.pydantic_context import Context
from mlapath.models.pydantic_errors import fault
from mlapath.models.pydantic_fields import constrain, is_info
from mlapath.models.pydantic_fields import make_info as make_field_info
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import V

SCHEMA = "pydantic_core.core_schema.CoreSchema"
FUNCTIONAL = {
    "BeforeValidator": "before", "AfterValidator": "after", "PlainValidator": "plain",
    "WrapValidator": "wrap",
}  # fmt: skip

Schema = Callable[[Context, V], V]


def check_annotated(ctx: Context, args: tuple[V, ...], value: V) -> V:
    """``Annotated[T, …]``: metadata apply from the left, the first one innermost."""

    def innermost(x: V) -> V:
        return ctx.check(args[0], x)

    run: Run = innermost
    for meta in args[1:]:
        run = _applied(ctx, meta, args[0], run)
    return run(value)


def _applied(ctx: Context, meta: V, tp: V, inner: Run) -> Run:
    if is_info(meta):
        return lambda value: constrain(ctx, meta, inner(value), value)
    d = meta.d
    name = d.cls.name if type(d) is Instance else d.name if type(d) is ClassObj else ""
    if name == "SkipValidation":
        return lambda value: value
    if name == "Strict":
        return lambda value: _strictly(ctx, inner, value)
    if name in FUNCTIONAL:
        info = make_info(ctx.it, None, None)
        return wrapped(ctx, FUNCTIONAL[name], d.attrs["func"], info, inner, "")
    if name == "GetPydanticSchema":
        schema = schema_of(ctx.it.call(d.attrs["func"], [tp, handler(ctx.it)], {}))
        return lambda value: schema(ctx, value)
    return inner


def _strictly(ctx: Context, inner: Run, value: V) -> V:
    before, ctx.strict = ctx.strict, True
    try:
        return inner(value)
    finally:
        ctx.strict = before


def custom_schema(ctx: Context, cls: ClassObj, value: V) -> V:
    """A class with ``__get_pydantic_core_schema__``."""
    it = ctx.it
    method = it.getattr(V(cls), "__get_pydantic_core_schema__")
    return schema_of(it.call(method, [V(cls), handler(it)], {}))(ctx, value)


def _anything(ctx: Context, value: V) -> V:
    ctx.unsure = True
    return value


def schema_of(value: V) -> Schema:
    """What a core schema of the program does; one that is not known accepts everything."""
    d = value.d
    if type(d) is Instance and d.cls.full == SCHEMA and callable(d.site):
        found: Schema = d.site
        return found
    return _anything


def make_schema(it: Any, run: Schema) -> V:
    """A core schema."""
    made = Instance(library_class(it, SCHEMA), it.heap.cell())
    made.site = run
    return V(made)


def handler(it: Any) -> V:
    """``GetCoreSchemaHandler``: called with a type, or asked to ``generate_schema``."""
    return V(Instance(library_class(it, "pydantic.GetCoreSchemaHandler"), it.heap.cell()))


def _generate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return make_schema(it, lambda ctx, value: ctx.check(args[1], value))


def handler_class(it: Any) -> V:
    """``GetCoreSchemaHandler``."""
    return V(make_class(it, "pydantic.GetCoreSchemaHandler", methods={
        "__call__": _generate, "generate_schema": _generate,
        "resolve_ref_schema": lambda i, a, k: a[1],
    }))  # fmt: skip


def _function_schema(mode: str) -> Fn:
    """``core_schema.no_info_*_validator_function`` and those with info."""

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        function = kwargs.get("function", args[0] if args else V(None))
        inner = kwargs.get("schema", args[1] if len(args) > 1 else V(None))

        def run(ctx: Context, value: V) -> V:
            nested = schema_of(inner)
            info = make_info(it, None, None)
            return wrapped(ctx, mode, function, info, lambda x: nested(ctx, x), "")(value)

        return make_schema(it, run)

    return fn


def _instance_schema(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``core_schema.is_instance_schema``."""
    cls = kwargs.get("cls", args[0] if args else V(None))

    def run(ctx: Context, value: V) -> V:
        if it.isinstance(value, cls) is Truth.FALSE:
            raise fault(value, "is_instance_of", "Input should be an instance of "
                        f"{getattr(cls.d, 'name', 'a class')}")  # fmt: skip
        return value

    return make_schema(it, run)


def _union_schema(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return make_schema(it, _anything)


def _accept(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return make_schema(it, lambda ctx, value: value)


SCHEMAS: dict[str, Fn] = {
    **{f"{info}_{mode}_validator_function": _function_schema(mode)
       for info in ("no_info", "with_info") for mode in ("before", "after", "plain", "wrap")},
    "is_instance_schema": _instance_schema, "any_schema": _accept,
    **{f"{name}_schema": _union_schema for name in (
        "union", "list", "dict", "str", "int", "float", "bool", "none", "nullable", "literal",
        "json_or_python", "chain", "tuple", "set", "typed_dict", "model", "dataclass",
        "callable", "bytes")},
}  # fmt: skip
"""Functions of ``pydantic_core.core_schema``."""


def _keeps(name: str) -> Factory:
    """A metadata class that keeps its function."""

    def construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        given = [*args, *kwargs.values()]
        return V(Instance(cls, it.heap.cell({"func": given[0] if given else V(None)})))

    return lambda it: V(make_class(it, f"pydantic.{name}", construct=construct))


def _skip(it: Any) -> V:
    """``SkipValidation``: ``SkipValidation[T]`` is ``Annotated[T, SkipValidation()]``."""

    def subscript(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        annotated = it.models.symbol(it, "typing.Annotated")
        mark = V(Instance(args[0].d, it.heap.cell()))
        return it.getitem(annotated, V((args[1], mark)))  # type: ignore[no-any-return]

    return V(make_class(it, "pydantic.SkipValidation",
                        class_methods={"__class_getitem__": subscript}))  # fmt: skip


def annotated(base: str, constraints: dict[str, Any], *, strict: bool = False) -> Factory:
    """A constrained type of pydantic's, such as ``PositiveInt``."""

    def make(it: Any) -> V:
        if strict:
            meta = V(Instance(library_class(it, "pydantic.Strict"), it.heap.cell()))
        else:
            meta = make_field_info(it, V(Ellipsis), {k: V(v) for k, v in constraints.items()})
        form = it.models.symbol(it, "typing.Annotated")
        return it.getitem(form, V((it.builtins[base], meta)))  # type: ignore[no-any-return]

    return make


VALUES: dict[str, Factory] = {
    **{f"pydantic.{name}": _keeps(name) for name in (
        *FUNCTIONAL, "GetPydanticSchema", "Strict", "InstanceOf", "PlainSerializer",
        "WrapSerializer", "Discriminator", "Tag", "WithJsonSchema", "StringConstraints")},
    "pydantic.SkipValidation": _skip, "pydantic.GetCoreSchemaHandler": handler_class,
    SCHEMA: lambda it: V(make_class(it, SCHEMA)),
    "pydantic.PositiveInt": annotated("int", {"gt": 0}),
    "pydantic.NonNegativeInt": annotated("int", {"ge": 0}),
    "pydantic.NegativeInt": annotated("int", {"lt": 0}),
    "pydantic.NonPositiveInt": annotated("int", {"le": 0}),
    "pydantic.PositiveFloat": annotated("float", {"gt": 0}),
    "pydantic.NonNegativeFloat": annotated("float", {"ge": 0}),
    **{f"pydantic.Strict{name.capitalize()}": annotated(name, {}, strict=True)
       for name in ("int", "float", "bool", "str", "bytes")},
}  # fmt: skip
