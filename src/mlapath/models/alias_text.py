"""Types as ``repr`` shows them, with the texts of CPython 3.12."""

from __future__ import annotations

from typing import Any

from mlapath.values.objects import ClassObj, FuncObj, Instance, ListObj
from mlapath.values.value import External, V


def type_text(it: Any, value: V, none: str = "NoneType", form: str = "") -> str:
    """A type inside another one; ``none``: how the type of None shows there.

    form: "" inside a builtin's alias and in ``X | Y``, else the alias of ``typing`` around it.
    """
    d = value.d
    if type(d) is ClassObj:
        if d.module == "builtins":
            return none if d.name == "NoneType" else d.qualname
        return d.full
    if d is Ellipsis:
        return "..."
    if d is None:
        return "NoneType" if form else "None"
    if type(d) is FuncObj:
        return d.node.name if form else d.full
    if type(d) is External:
        return d.name
    if type(d) is str:
        return f"ForwardRef({d!r})" if form else repr(d)
    if type(d) is ListObj and not d.open:
        return f"[{', '.join(type_text(it, x, none, form) for x in d.items)}]"
    return it.format_value(value, "r", "") or "{…}"


def alias_text(it: Any, value: V) -> str:
    """An alias with its arguments."""
    attrs = value.d.attrs
    name, args, form = attrs["name"].d, attrs["args"].d, attrs["form"].d
    if name == "Union" and not form:
        return " | ".join(type_text(it, x, "None") for x in args)
    if name == "Literal":
        return f"{form}[{', '.join(_repr(it, x) for x in args)}]"
    if name == "Annotated":
        inner = [type_text(it, args[0], form=form), *(_repr(it, x) for x in args[1:])]
        return f"{form}[{', '.join(inner)}]"
    if name == "Union" and len(args) == 2:
        rest = [x for x in args if x.d is not it.builtins["NoneType"].d]
        if len(rest) == 1:
            return f"typing.Optional[{type_text(it, rest[0], form=form)}]"
    shown = form or type_text(it, attrs["origin"])
    texts = [type_text(it, x, form=form) for x in args]
    if name == "Callable" and texts and not is_parameters(args):
        return f"{shown}[[{', '.join(texts[:-1])}], {texts[-1]}]"
    return f"{shown}[{', '.join(texts) or '()'}]"


def _repr(it: Any, value: V) -> str:
    return it.format_value(value, "r", "") or "{…}"


def is_parameters(inner: tuple[V, ...]) -> bool:
    """Whether the parameters of a ``Callable`` are ``...``, a ``ParamSpec`` or ``Concatenate``."""
    if len(inner) != 2:
        return False
    d = inner[0].d
    if type(d) is not Instance:
        return d is Ellipsis
    name = d.attrs.get("name")
    return d.cls.full == "typing.ParamSpec" or name is not None and name.d == "Concatenate"
