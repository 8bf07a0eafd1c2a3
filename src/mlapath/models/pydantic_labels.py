"""How pydantic names a type in the location of a fault."""

from __future__ import annotations

from typing import Any

from mlapath.models.aliases import alias_args, alias_name, is_alias
from mlapath.models.dataclass_spec import spec_of
from mlapath.values.objects import ClassObj
from mlapath.values.value import External, V

ENUMS = {str: "str-enum", int: "int-enum", float: "float-enum"}


def label(it: Any, tp: V) -> str:
    """``int``, ``literal['a','b']``, ``list[int]``, the name of a dataclass."""
    d = tp.d
    if d is None:
        return "none"
    if is_alias(tp):
        return _alias_label(it, tp)
    if type(d) is ClassObj:
        if d.facts.get("enum"):
            kind = ENUMS.get(d.payload, "enum") if d.payload is not None else "enum"
            return f"{kind}[{d.name}]"
        if d.module == "builtins":
            return {"NoneType": "none", "object": "any"}.get(d.name, d.name)
        if d.full == "typing.Any":
            return "any"
        if d.name == "Callable":
            return "callable"
        known = spec_of(d) is not None or any("pydantic" in c.facts for c in d.mro)
        return d.name if known else f"is-instance[{d.name}]"
    return d.name.rpartition(".")[2] if type(d) is External else "any"


def _alias_label(it: Any, tp: V) -> str:
    name, args = alias_name(tp), alias_args(tp)
    if name == "Literal":
        shown = ",".join(it.format_value(x, "r", "") or "{…}" for x in args)
        return f"literal[{shown}]"
    if name == "Annotated":
        return label(it, args[0])
    if name == "Union":
        none = it.builtins["NoneType"].d
        rest = [x for x in args if x.d is not none]
        inner = ",".join(label(it, x) for x in rest)
        shown = inner if len(rest) == 1 else f"union[{inner}]"
        return f"nullable[{shown}]" if len(rest) < len(args) else shown
    if name in ("Callable", "Type", "type"):
        return "callable" if name == "Callable" else f"is-subclass[{label(it, args[0])}]"
    shown = (", " if name.lower() == "tuple" else ",").join(
        "..." if x.d is Ellipsis else label(it, x) for x in args
    )
    return f"{name.lower()}[{shown}]"
