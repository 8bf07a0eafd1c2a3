"""``TypeAdapter``: validation against any type."""

from __future__ import annotations

import json
from typing import Any

from mlapath.models.api import make_class
from mlapath.models.pydantic_context import Config, config_from, raise_error, settle
from mlapath.models.pydantic_errors import Invalid, Line
from mlapath.models.pydantic_labels import label
from mlapath.models.pydantic_types import context
from mlapath.values.concrete import from_py
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.value import Unknown, V


def _construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    made = Instance(cls, it.heap.cell())
    made.attrs["type"] = args[0] if args else kwargs["type"]
    made.site = config_from(it, kwargs.get("config"))
    return V(made)


def validated(it: Any, tp: V, value: V, config: Config, title: str) -> V:
    """The value as the type has it; raises the program's ValidationError."""
    ctx = context(it, config)
    try:
        result = ctx.check(tp, value)
    except Invalid as error:
        raise_error(it, title, error.lines)
        raise AssertionError("unreachable") from error
    settle(ctx, title)
    return result


def from_json(it: Any, text: V, title: str) -> V:
    """The value of a JSON text; raises the program's ValidationError."""
    if type(text.d) not in (str, bytes):
        return V(Unknown("the content of a JSON text"), text.o)
    try:
        return V(from_py(it.heap, json.loads(text.d)).d, text.o)
    except ValueError as error:
        line = Line((), "json_invalid", f"Invalid JSON: {error}", text)
        raise_error(it, title, (line,))
        raise AssertionError("unreachable") from error


def _validate_python(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    tp = args[0].d.attrs["type"]
    value = args[1] if len(args) > 1 else kwargs["object"]
    return validated(it, tp, value, args[0].d.site, label(it, tp))


def _validate_json(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    tp = args[0].d.attrs["type"]
    title = label(it, tp)
    text = args[1] if len(args) > 1 else kwargs["data"]
    return validated(it, tp, from_json(it, text, title), args[0].d.site, title)


def _unknown(hint: str) -> Any:
    return lambda it, args, kwargs: V(Unknown("what a TypeAdapter dumps", hint), args[0].o)


def adapter_class(it: Any) -> V:
    """``TypeAdapter``."""
    return V(make_class(
        it, "pydantic.TypeAdapter", construct=_construct,
        methods={
            "validate_python": _validate_python, "validate_json": _validate_json,
            "validate_strings": _validate_python, "dump_python": _unknown(""),
            "dump_json": _unknown("bytes"), "json_schema": _unknown("dict"),
            "rebuild": lambda i, a, k: V(None),
        },
        class_methods={
            "__class_getitem__": lambda i, a, k: a[0],
        },
    ))  # fmt: skip
