"""``BaseModel``: its fields, its constructor, its copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mlapath.models.api import argument, make_class
from mlapath.models.class_tools import fact, library_class, lookup
from mlapath.models.dataclass_spec import (
    Annotation,
    FieldSpec,
    annotation_head,
    own_annotations,
    type_of_field,
)
from mlapath.models.pydantic_adapter import from_json, validated
from mlapath.models.pydantic_arguments import Input
from mlapath.models.pydantic_build import build, check_dataclass, fields_of, validate_field
from mlapath.models.pydantic_calls import guarded
from mlapath.models.pydantic_context import Config, Context, config_from, raise_error, settle
from mlapath.models.pydantic_dump import METHODS as DUMPS
from mlapath.models.pydantic_errors import Invalid, Line, under
from mlapath.models.pydantic_fields import default_of, is_info, make_info
from mlapath.models.pydantic_types import context
from mlapath.values.objects import ClassObj, FuncObj, Instance, Native
from mlapath.values.origin import merge
from mlapath.values.value import External, Unknown, V

NAME = "pydantic.BaseModel"
PRIVATE = "pydantic.fields.ModelPrivateAttr"


def on_subclass(it: Any, cls: ClassObj, keywords: dict[str, V]) -> None:
    """Collect the fields of a new model."""
    base: Config | None = fact(cls, "pydantic_config")
    own = cls.ns.get("model_config")
    config = config_from(it, own, base)
    if keywords:
        table = it.heap.dict()
        for name in list(keywords):
            it.dict_set(table, V(name), keywords.pop(name))
        config = config_from(it, V(table), config)
    complete(it, cls, own_annotations(cls), config)


def complete(
    it: Any, cls: ClassObj, annotations: Mapping[str, Annotation], config: Config
) -> None:
    """Make ``cls`` a model with its bases' fields and these."""
    fields: dict[str, FieldSpec] = {}
    for c in reversed(cls.mro[1:]):
        fields.update(c.facts.get("pydantic_fields", {}))
    for name, annotation in annotations.items():
        if annotation_head(annotation.expr) == "ClassVar" or name == "model_config":
            continue
        default = cls.ns.get(name)
        if name.startswith("_"):
            continue
        fields[name] = FieldSpec(
            name, annotation, default, None, init=True, repr=True, compare=True, kw_only=True,
            init_only=False, obj=V(None),
        )  # fmt: skip
        it.heap.drop(cls.ns, name)
    cls.facts.update(pydantic=True, pydantic_config=config, pydantic_fields=fields)


def _title(cls: ClassObj) -> str:
    return cls.name


def init(it: Any, args: list[V], kwargs: dict[str, V], opened: str) -> V:
    """``BaseModel.__init__(**data)``."""
    made = args[0]
    cls: ClassObj = made.d.cls
    if len(args) > 1:
        it.throw("TypeError", f"BaseModel.__init__() takes 1 positional argument but {len(args)} "
                 "were given")  # fmt: skip
    data = it.heap.dict()
    for name, value in kwargs.items():
        it.dict_set(data, V(name), value)
    if opened:
        it.heap.open_dict(data, opened)
    ctx = context(it, cls.facts["pydantic_config"])
    try:
        build(ctx, cls, V(data), made)
    except Invalid as error:
        raise_error(it, _title(cls), error.lines)
    settle(ctx, _title(cls))
    return V(None)


def finish(ctx: Context, made: V, given: Input) -> None:
    """What follows the fields: which were set, private attributes, ``model_post_init``."""
    it = ctx.it
    names = [V(name) for name in given.kwargs]
    it.write_attr(made.d, "__pydantic_fields_set__", it.make_set(names))
    for c in reversed(made.d.cls.mro):
        for name, value in list(c.ns.items()):
            if type(value.d) is Instance and value.d.cls.full == PRIVATE:
                default = default_of(it, value.d.attrs["info"])
                if default is not None:
                    it.write_attr(made.d, name, default)
    post = lookup(made.d.cls, "model_post_init")
    if post is not None and type(post.d) is FuncObj:
        method = it.bind(post, made, made.d.cls)
        guarded(ctx, lambda: it.call(method, [V(None)], {}), made)


def write(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``model.name = value``."""
    made, name, value = args
    cls: ClassObj = made.d.cls
    config: Config = cls.facts["pydantic_config"]
    field = fields_of(cls).get(name.d)
    if field is not None and config.frozen:
        raise_error(it, _title(cls), (Line((name.d,), "frozen_instance", "Instance is frozen",
                                           value),))  # fmt: skip
    if field is None and config.extra != "allow" and not name.d.startswith("_"):
        if config.validate_assignment:
            text = f"Object has no attribute '{name.d}'"
            raise_error(it, _title(cls), (Line((name.d,), "no_such_attribute", text, value),))
        it.throw("ValueError", f'"{cls.name}" object has no field "{name.d}"')
    if field is not None and config.validate_assignment:
        ctx = context(it, config)
        try:
            value = validate_field(ctx, cls, field, value, it.heap.dict())
        except Invalid as error:
            raise_error(it, _title(cls), under(error.lines, name.d))
        settle(ctx, _title(cls))
    it.write_attr(made.d, name.d, value)
    return V(None)


def _equal(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    left, right = args
    if type(right.d) is Unknown:
        return V(Unknown(right.d.why, "bool"), right.o)
    if type(right.d) is not Instance or right.d.cls is not left.d.cls:
        return V(External("NotImplemented"))
    rows = [V(tuple(it.getattr(x, name) for name in fields_of(x.d.cls))) for x in args]
    result = it.compare("==", *rows)
    return V(result.d, merge(left.o, right.o))


def _repr(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    parts = []
    for name in fields_of(args[0].d.cls):
        text = it.format_value(it.getattr(args[0], name), "r", "")
        if text is None:
            return V(Unknown("the text of a model", "str"), args[0].o)
        parts.append(f"{name}={text}")
    return V(f"{args[0].d.cls.name}({', '.join(parts)})", args[0].o)


def _str(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    text = _repr(it, args, kwargs)
    if type(text.d) is not str:
        return text
    return V(text.d[len(args[0].d.cls.name) + 1 : -1].replace(", ", " "), text.o)


def _validate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    cls = args[0].d
    value = args[1] if len(args) > 1 else kwargs["obj"]
    return validated(it, args[0], value, cls.facts["pydantic_config"], _title(cls))


def _validate_json(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    value = from_json(it, args[1] if len(args) > 1 else kwargs["json_data"], _title(args[0].d))
    return _validate(it, [args[0], value], {})


def _construct(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``model_construct``: without validation."""
    cls: ClassObj = args[0].d
    made = V(it.new_instance(cls))
    for name, field in fields_of(cls).items():
        default = field.default
        found = kwargs.get(name) or (
            default_of(it, default) if default is not None and is_info(default) else default
        )
        if found is not None:
            it.write_attr(made.d, name, found)
    it.write_attr(made.d, "__pydantic_fields_set__", it.make_set([V(n) for n in kwargs]))
    return made


def field_table(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``model_fields``: name -> ``FieldInfo``."""
    d = args[0].d
    cls: ClassObj = d if type(d) is ClassObj else d.cls
    made = it.heap.dict()
    for name, field in fields_of(cls).items():
        default = field.default
        if default is not None and is_info(default):
            info = default
        else:
            info = make_info(it, V(Ellipsis) if default is None else default, {})
        it.heap.put(info.d.attrs, "annotation", type_of_field(it, field))
        it.dict_set(made, V(name), info)
    return V(made)


def metaclass(it: Any) -> V:
    """The models' metaclass: gives classes ``model_fields``."""
    return V(make_class(it, "pydantic.ModelMetaclass", (it.builtins["type"].d,),
                        properties={"model_fields": field_table}))  # fmt: skip


def base_model(it: Any) -> V:
    """``BaseModel``."""
    cls = make_class(
        it, NAME,
        methods={"__setattr__": write, "__eq__": _equal, "__repr__": _repr, "__str__": _str,
                 **DUMPS},
        class_methods={
            "model_validate": _validate, "parse_obj": _validate,
            "model_validate_json": _validate_json, "parse_raw": _validate_json,
            "model_construct": _construct, "model_rebuild": lambda i, a, k: V(None),
            "model_json_schema": lambda i, a, k: V(Unknown("a JSON schema", "dict")),
        },
        properties={
            "model_fields": field_table, "__fields__": field_table,
            "model_fields_set": lambda i, a, k: a[0].d.attrs["__pydantic_fields_set__"],
            "model_extra": lambda i, a, k: V(Unknown("the extra fields of a model")),
        },
        facts={"on_subclass": on_subclass, "pydantic": True, "pydantic_config": Config(),
               "pydantic_fields": {}, "pydantic_model": check_dataclass,
               "pydantic_finish": finish},
    )  # fmt: skip
    cls.meta = library_class(it, "pydantic.ModelMetaclass")
    cls.ns["__init__"] = V(Native(f"{NAME}.__init__", init, binds=True, opens=True))
    return V(cls)


def private_attr(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``PrivateAttr(default, default_factory=…)``."""
    cls = library_class(it, PRIVATE)
    default = argument(args, kwargs, 0, "default", V(Ellipsis))
    assert default is not None
    return V(Instance(cls, it.heap.cell({"info": make_info(it, default, kwargs)})))


def create_model(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``create_model(name, __base__=…, field=(type, default), …)``."""
    rest = dict(kwargs)
    name = args[0].d if type(args[0].d) is str else "<unknown>"
    base = rest.pop("__base__", V(None))
    module = rest.pop("__module__", V(it.frame.module.name))
    config, validators = rest.pop("__config__", None), rest.pop("__validators__", None)
    parents = base.d if type(base.d) is tuple else (base,)
    bases = tuple(b.d for b in parents if type(b.d) is ClassObj)
    cls: ClassObj = it.new_class(name, name, module.d, bases or (library_class(it, NAME),))
    for key, value in it.mapping_items(validators) or () if validators is not None else ():
        it.heap.put(cls.ns, key.d, value)
    annotations: dict[str, Annotation] = {}
    for key, item in rest.items():
        pair = item.d if type(item.d) is tuple and len(item.d) == 2 else (item, V(Ellipsis))
        annotations[key] = Annotation(None, None, pair[0])
        if pair[1].d is not Ellipsis:
            it.heap.put(cls.ns, key, pair[1])
    it.finish_class(cls, {})
    complete(it, cls, annotations, config_from(it, config, fact(cls, "pydantic_config")))
    return V(cls)
