"""Pydantic's lax coercion of plain values: int, float, bool, str, bytes, None, Literal, Enum.

Each function takes a value that is a known scalar or object and gives the coerced value, or
raises ``Invalid``. In strict mode a value of another type is not valid.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from mlapath.models.enum_lookup import all_members
from mlapath.models.pydantic_errors import fault
from mlapath.values.join import same
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import V

INTEGER = re.compile(r"\s*[+-]?\d+(_\d+)*(\.0+)?\s*")
TRUE = frozenset(("1", "on", "t", "true", "y", "yes"))
FALSE = frozenset(("0", "off", "f", "false", "n", "no"))


def plain(value: V) -> Any:
    """The content of an enum member or of a subclass of a builtin, else the value itself."""
    d = value.d
    if type(d) is Instance:
        if d.payload is not None:
            return d.payload
        if d.cls.facts.get("enum"):
            return d.attrs["_value_"].d
    return d


def to_int(it: Any, value: V, strict: bool) -> V:
    """An ``int``."""
    d = plain(value)
    if type(d) is int and (not strict or type(value.d) is int):
        return V(d, value.o)
    if strict:
        raise fault(value, "int_type", "Input should be a valid integer")
    if type(d) is bool:
        return V(int(d), value.o)
    if type(d) is float:
        if not math.isfinite(d):
            raise fault(value, "finite_number", "Input should be a finite number")
        if not d.is_integer():
            raise fault(
                value,
                "int_from_float",
                "Input should be a valid integer, got a number with a fractional part",
            )
        return V(int(d), value.o)
    if type(d) is str:
        if INTEGER.fullmatch(d):
            return V(int(d.strip().partition(".")[0]), value.o)
        raise fault(
            value,
            "int_parsing",
            "Input should be a valid integer, unable to parse string as an integer",
        )
    raise fault(value, "int_type", "Input should be a valid integer")


def to_float(it: Any, value: V, strict: bool) -> V:
    """A ``float``; an int is taken for one even in strict mode."""
    d = plain(value)
    if type(d) is float or type(d) is int and (not strict or type(value.d) is int):
        return V(float(d), value.o)
    if strict:
        raise fault(value, "float_type", "Input should be a valid number")
    if type(d) is bool:
        return V(float(d), value.o)
    if type(d) is str:
        try:
            return V(float(d), value.o)
        except ValueError:
            raise fault(value, "float_parsing", "Input should be a valid number, unable to parse "
                        "string as a number") from None  # fmt: skip
    raise fault(value, "float_type", "Input should be a valid number")


def to_bool(it: Any, value: V, strict: bool) -> V:
    """A ``bool``."""
    d = plain(value)
    if type(d) is bool:
        return V(d, value.o)
    if strict:
        raise fault(value, "bool_type", "Input should be a valid boolean")
    if type(d) in (int, float) and d in (0, 1):
        return V(bool(d), value.o)
    if type(d) is str and d.lower() in TRUE | FALSE:
        return V(d.lower() in TRUE, value.o)
    if type(d) in (int, float, str):
        raise fault(value, "bool_parsing", "Input should be a valid boolean, unable to interpret "
                    "input")  # fmt: skip
    raise fault(value, "bool_type", "Input should be a valid boolean")


def to_str(it: Any, value: V, strict: bool) -> V:
    """A ``str``."""
    d = plain(value)
    if type(d) is str and (not strict or type(value.d) is str):
        return V(d, value.o)
    if type(d) is bytes and not strict:
        try:
            return V(d.decode(), value.o)
        except UnicodeDecodeError:
            raise fault(value, "string_unicode", "Input should be a valid string, unable to parse "
                        "raw data as a unicode string") from None  # fmt: skip
    raise fault(value, "string_type", "Input should be a valid string")


def to_bytes(it: Any, value: V, strict: bool) -> V:
    """A ``bytes``."""
    d = plain(value)
    if type(d) is bytes:
        return V(d, value.o)
    if type(d) is str and not strict:
        return V(d.encode(), value.o)
    raise fault(value, "bytes_type", "Input should be a valid bytes")


def to_none(it: Any, value: V, strict: bool) -> V:
    """``None``."""
    if value.d is None:
        return value
    raise fault(value, "none_required", "Input should be None")


SCALARS: dict[str, Callable[[Any, V, bool], V]] = {
    "int": to_int, "float": to_float, "bool": to_bool, "str": to_str, "bytes": to_bytes,
    "NoneType": to_none,
}  # fmt: skip


def choices(it: Any, values: list[V]) -> str:
    """``'a', 'b' or 'c'``."""
    shown = [it.format_value(v, "r", "") or "{…}" for v in values]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} or {shown[-1]}"


def to_literal(it: Any, options: tuple[V, ...], value: V, strict: bool) -> V:
    """One of the literals: they come back as they stand in the annotation."""
    d = plain(value)
    for option in options:
        if same(option.d, value.d):
            return V(option.d, value.o)
    if not strict:
        for option in options:
            known = type(d) in (str, int, bool) and type(option.d) in (str, int, bool)
            if known and d == option.d:
                return V(option.d, value.o)
    raise fault(value, "literal_error", f"Input should be {choices(it, list(options))}")


def to_enum(it: Any, cls: ClassObj, value: V, strict: bool) -> V:
    """A member, found by value; ``_missing_`` is asked last."""
    if type(value.d) is Instance and value.d.cls is cls:
        return value
    members = all_members(cls)
    if not strict:
        tried = [value]
        d = plain(value)
        if type(d) is str and cls.payload is int and INTEGER.fullmatch(d):
            tried.append(V(int(d), value.o))
        elif d is not value.d:
            tried.append(V(d, value.o))
        for x in tried:
            for member in members:
                if it.truth(it.compare("==", member.d.attrs["_value_"], x)) is Truth.TRUE:
                    return V(member.d, value.o)
        found, _ = it.attempt(lambda: it.call(V(cls), [value], {}), it.builtins["Exception"])
        if found is not None:
            return found  # type: ignore[no-any-return]
    values = [m.d.attrs["_value_"] for m in members]
    raise fault(value, "enum", f"Input should be {choices(it, values)}" if values else
                "Input should be a member")  # fmt: skip
