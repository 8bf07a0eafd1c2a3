"""``Field`` and ``FieldInfo``: defaults and constraints."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mlapath.models.api import make_class
from mlapath.models.class_tools import library_class
from mlapath.models.pydantic_context import Context
from mlapath.models.pydantic_errors import fault
from mlapath.values.objects import DictObj, Instance, ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import External, Unknown, V

UNDEFINED = V(External("pydantic_core.PydanticUndefined"))
NAME = "pydantic.fields.FieldInfo"
NUMBERS = {
    "gt": (">", "greater_than", "greater than"),
    "ge": (">=", "greater_than_equal", "greater than or equal to"),
    "lt": ("<", "less_than", "less than"),
    "le": ("<=", "less_than_equal", "less than or equal to"),
}
CONSTRAINTS = (*NUMBERS, "multiple_of", "min_length", "max_length", "pattern")
PLAIN = {
    "alias": None, "validation_alias": None, "serialization_alias": None, "title": None,
    "description": None, "examples": None, "exclude": None, "discriminator": None,
    "deprecated": None, "json_schema_extra": None, "frozen": None, "validate_default": None,
    "init": None, "init_var": None, "kw_only": None, "repr": True, "annotation": None,
}  # fmt: skip


def is_undefined(value: V) -> bool:
    """Whether a value is ``PydanticUndefined`` (or ``...``)."""
    return value.d is Ellipsis or type(value.d) is External and value.d == UNDEFINED.d


def make_info(it: Any, default: V, options: Mapping[str, V]) -> V:
    """A ``FieldInfo``; its constraints are kept apart from its attributes."""
    made = Instance(library_class(it, NAME), it.heap.cell())
    constraints = {name: value for name, value in options.items()
                   if name in CONSTRAINTS and value.d is not None}  # fmt: skip
    metadata = it.heap.list([])
    if constraints:
        it.heap.open_list(metadata, "constraints of a field")
    made.attrs.update({
        **{name: V(value) for name, value in PLAIN.items()},
        "default": UNDEFINED if default.d is Ellipsis else default,
        "default_factory": options.get("default_factory", V(None)), "metadata": V(metadata),
        **{name: value for name, value in options.items() if name in PLAIN},
    })  # fmt: skip
    made.site = constraints
    return V(made)


def field(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Field(...)``."""
    default = args[0] if args else kwargs.get("default", UNDEFINED)
    factory = kwargs.get("default_factory")
    if factory is not None and factory.d is not None and not is_undefined(default):
        it.throw("TypeError", "cannot specify both default and default_factory")
    return make_info(it, default, kwargs)


def is_info(value: V | None) -> bool:
    """Whether a value is a ``FieldInfo``."""
    return value is not None and type(value.d) is Instance and value.d.cls.full == NAME


def default_of(it: Any, info: V) -> V | None:
    """A new default value, or None where the field is required."""
    attrs = info.d.attrs
    if attrs["default_factory"].d is not None:
        made: V = it.call(attrs["default_factory"], [], {})
        return made
    if is_undefined(attrs["default"]):
        return None
    return copied(it, attrs["default"])


def copied(it: Any, value: V) -> V:
    """A default that could be changed is copied for each instance."""
    if type(value.d) in (ListObj, DictObj):
        copy = it.models.symbol(it, "copy.deepcopy")
        if copy is not None and it.models.known("copy.deepcopy"):
            made: V = it.call(copy, [value], {})
            return made
        shallow: V = it.call(it.getattr(value, "copy"), [], {})
        return shallow
    return value


def _number(d: Any) -> str:
    return f"{d:g}" if type(d) is float else str(d)


def constrain(ctx: Context, info: V, value: V, given: V) -> V:
    """Hold a validated value against the constraints of a ``FieldInfo``; raises Invalid.

    given: the input as it was, for the message.
    """
    constraints: Mapping[str, V] = info.d.site or {}
    if value.d is None:
        return value
    for name, limit in constraints.items():
        if name in NUMBERS or name == "multiple_of":
            value = _bounded(ctx, name, limit, value, given)
        elif name == "pattern":
            _matching(ctx, limit, value, given)
        else:
            _sized(ctx, name, limit, value, given)
    return value


def _bounded(ctx: Context, name: str, limit: V, value: V, given: V) -> V:
    it, d = ctx.it, value.d
    if type(d) not in (int, float, bool, Unknown) or type(limit.d) not in (int, float):
        ctx.unsure = ctx.unsure or type(d) not in (str, bytes)
        return value
    if name == "multiple_of":
        if type(d) is Unknown:
            ctx.unsure = True
        elif d % limit.d:
            raise fault(given, name, f"Input should be a multiple of {_number(limit.d)}")
        return value
    op, kind, words = NUMBERS[name]
    truth = it.truth(it.compare(op, value, limit))
    if truth is Truth.FALSE:
        raise fault(given, kind, f"Input should be {words} {_number(limit.d)}")
    if truth is Truth.UNKNOWN and type(d) is Unknown:
        ctx.unsure = True
        return V(_narrowed(d, name, limit.d), value.o)
    return value


def _narrowed(d: Unknown, name: str, limit: float) -> Unknown:
    """An unknown number that has passed a constraint."""
    if d.hint not in ("int", "float", "bool"):
        return d
    step = 1 if d.hint == "int" and name in ("gt", "lt") else 0
    lo = limit + step if name in ("gt", "ge") else d.lo
    hi = limit - step if name in ("lt", "le") else d.hi
    if name in ("gt", "ge") and d.lo is not None:
        lo = max(limit + step, d.lo)
    if name in ("lt", "le") and d.hi is not None:
        hi = min(limit - step, d.hi)
    return d.derived((name, limit), Unknown(d.why, d.hint, d.lib, lo, hi, d.text))


def _sized(ctx: Context, name: str, limit: V, value: V, given: V) -> None:
    it = ctx.it
    size = it.call(it.builtins["len"], [value], {}) if type(value.d) in (
        str, bytes, tuple, ListObj, DictObj, Unknown, Instance) else V(None)  # fmt: skip
    if type(size.d) is not int or type(limit.d) is not int:
        ctx.unsure = True
        return
    least = name == "min_length"
    if size.d >= limit.d if least else size.d <= limit.d:
        return
    most = "least" if least else "most"
    kind = "short" if least else "long"
    if type(value.d) is str:
        plural = "" if limit.d == 1 else "s"
        raise fault(given, f"string_too_{kind}", f"String should have at {most} {limit.d} "
                    f"character{plural}")  # fmt: skip
    plural = "" if limit.d == 1 else "s"
    title = {"dict": "Dictionary"}.get(it.type_name(value), it.type_name(value).capitalize())
    raise fault(given, f"too_{kind}", f"{title} should have at {most} {limit.d} item{plural} "
                f"after validation, not {size.d}")  # fmt: skip


def _matching(ctx: Context, limit: V, value: V, given: V) -> None:
    if type(value.d) is not str or type(limit.d) is not str:
        ctx.unsure = True
        return
    try:
        found = re.search(limit.d, value.d)
    except re.error:
        ctx.unsure = True
        return
    if found is None:
        raise fault(given, "string_pattern_mismatch", f"String should match pattern "
                    f"'{limit.d}'")  # fmt: skip


def info_class(it: Any) -> V:
    """``FieldInfo``."""
    return V(make_class(
        it, NAME,
        methods={
            "is_required": lambda i, a, k: V(
                is_undefined(a[0].d.attrs["default"])
                and a[0].d.attrs["default_factory"].d is None),
            "get_default": _get_default,
        },
        facts={"frozen": True},
    ))  # fmt: skip


def _get_default(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    attrs = args[0].d.attrs
    if attrs["default_factory"].d is not None and "call_default_factory" not in kwargs:
        return V(None)
    found = default_of(it, args[0])
    return UNDEFINED if found is None else found
