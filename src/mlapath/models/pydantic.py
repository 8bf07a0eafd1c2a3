"""``pydantic`` and ``pydantic_core``, with the behaviour of pydantic 2.12 and later."""

from __future__ import annotations

from typing import Any

from mlapath.models import (
    pydantic_adapter,
    pydantic_arguments,
    pydantic_calls,
    pydantic_dataclass,
    pydantic_errors,
    pydantic_fields,
    pydantic_metadata,
    pydantic_model,
    pydantic_validators,
)
from mlapath.models.api import Library, make_class
from mlapath.values.objects import ClassObj, Native
from mlapath.values.value import V


def config_dict(it: Any) -> V:
    """``ConfigDict``: a typed dict, so a call gives a plain one."""

    def construct(it: Any, cls: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made: V = it.call(it.builtins["dict"], args, kwargs)
        return made

    return V(make_class(it, "pydantic.ConfigDict", construct=construct))


def with_config(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@with_config(...)``."""
    config = args[0] if args else kwargs.get("config", V(None))

    def decorate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        if type(args[0].d) is ClassObj:
            it.heap.put(args[0].d.ns, "__pydantic_config__", config)
        return args[0]

    return V(Native("with_config", decorate))


def exception(name: str, base: str) -> Any:
    """An exception class of pydantic's."""
    return lambda it: V(make_class(it, name, (it.builtins[base].d,)))


LIBRARY = Library(
    functions={
        "pydantic.dataclasses.dataclass": pydantic_dataclass.dataclass,
        "pydantic.dataclasses.is_pydantic_dataclass": pydantic_dataclass.is_pydantic_dataclass,
        "pydantic.dataclasses.rebuild_dataclass": lambda it, a, k: V(None),
        "pydantic.Field": pydantic_fields.field,
        "pydantic.PrivateAttr": pydantic_model.private_attr,
        "pydantic.create_model": pydantic_model.create_model,
        "pydantic.with_config": with_config,
        **{f"pydantic.{name}": fn for name, fn in pydantic_validators.FUNCTIONS.items()},
        **{f"pydantic_core.core_schema.{name}": fn
           for name, fn in pydantic_metadata.SCHEMAS.items()},
    },
    values={
        **pydantic_metadata.VALUES,
        pydantic_errors.NAME: pydantic_errors.error_class,
        pydantic_fields.NAME: pydantic_fields.info_class,
        pydantic_arguments.ARGUMENTS: pydantic_arguments.arguments_class,
        pydantic_calls.INFO: pydantic_calls.info_class,
        pydantic_model.NAME: pydantic_model.base_model,
        pydantic_model.PRIVATE: lambda it: V(make_class(it, pydantic_model.PRIVATE)),
        "pydantic.ModelMetaclass": pydantic_model.metaclass,
        "pydantic.TypeAdapter": pydantic_adapter.adapter_class,
        "pydantic.ConfigDict": config_dict,
        "pydantic_core.PydanticUndefined": lambda it: pydantic_fields.UNDEFINED,
        "pydantic.errors.PydanticUserError": exception(
            "pydantic.errors.PydanticUserError", "TypeError"),
        "pydantic_core.PydanticCustomError": exception(
            "pydantic_core.PydanticCustomError", "ValueError"),
    },
    aliases={
        "pydantic.ValidationError": pydantic_errors.NAME,
        "pydantic.ValidationInfo": pydantic_calls.INFO,
        "pydantic.FieldValidationInfo": pydantic_calls.INFO,
        "pydantic.fields.Field": "pydantic.Field",
        "pydantic.fields.PrivateAttr": "pydantic.PrivateAttr",
        "pydantic.fields.computed_field": "pydantic.computed_field",
        "pydantic.main.BaseModel": pydantic_model.NAME,
        "pydantic.main.create_model": "pydantic.create_model",
        "pydantic.config.ConfigDict": "pydantic.ConfigDict",
        "pydantic.type_adapter.TypeAdapter": "pydantic.TypeAdapter",
        "pydantic.InitVar": "dataclasses.InitVar",
        **{f"pydantic.functional_validators.{name}": f"pydantic.{name}" for name in (
            "field_validator", "model_validator", "BeforeValidator", "AfterValidator",
            "PlainValidator", "WrapValidator", "SkipValidation")},
        "pydantic_core.core_schema.FieldValidationInfo": pydantic_calls.INFO,
        "pydantic.fields.PydanticUndefined": "pydantic_core.PydanticUndefined",
        "pydantic.annotated_handlers.GetCoreSchemaHandler": "pydantic.GetCoreSchemaHandler",
    },
)  # fmt: skip
