"""Generic aliases: ``list[int]``, ``Literal["a"]``, ``int | None``, as one modelled class.

An alias has ``name`` (``list``, ``Union``, ``Literal``, …), ``args``, and ``origin`` where the
thing that was subscripted is known.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.api import make_class
from mlapath.values.join import same
from mlapath.values.objects import ClassObj, FuncObj, Instance
from mlapath.values.value import External, V

QUOTED = ("Literal",)
"""Aliases whose arguments are values, not types."""


def alias_class(it: Any, root: ClassObj) -> ClassObj:
    """The class of all aliases."""
    return make_class(
        it, "types.GenericAlias", (root,),
        methods={
            "__or__": _or, "__ror__": lambda i, a, k: _or(i, a[::-1], k),
            "__getitem__": lambda i, a, k: with_arguments(i, a[0], arguments(a[1])),
            "__repr__": lambda i, a, k: V(type_text(i, a[0])),
        },
        facts={"alias": True, "hash_fields": ("name", "args"), "eq_fields": ("name", "args"),
               "frozen": True},
    )  # fmt: skip


def is_alias(value: V) -> bool:
    """Whether a value is a generic alias with arguments."""
    d = value.d
    return type(d) is Instance and d.cls.full == "types.GenericAlias" and "args" in d.attrs


def alias_name(value: V) -> str:
    """The name of an alias, or "" for anything else."""
    return str(value.d.attrs["name"].d) if is_alias(value) else ""


def alias_args(value: V) -> tuple[V, ...]:
    """The arguments of an alias; none for anything else."""
    args: tuple[V, ...] = value.d.attrs["args"].d if is_alias(value) else ()
    return args


def arguments(index: V) -> tuple[V, ...]:
    """What stands in the brackets."""
    return index.d if type(index.d) is tuple else (index,)


def make_alias(
    it: Any, name: str, origin: V | None, args: tuple[V, ...], form: str = ""
) -> V:
    """An alias; ``origin`` is the class or special form that was subscripted, ``form`` its text
    where that is not the origin's (``typing.List``)."""
    made = Instance(it.store["alias_class"], it.heap.cell())
    made.attrs.update({"name": V(name), "args": V(args), "__args__": V(args)})
    made.attrs["form"] = V(form)
    made.attrs["__module__"] = V(origin.d.module if origin is not None and
                                 type(origin.d) is ClassObj else "typing")  # fmt: skip
    made.attrs["__name__"] = V(name)
    if origin is not None:
        made.attrs["origin"] = origin
        made.attrs["__origin__"] = origin
    return V(made)


def with_arguments(it: Any, value: V, args: tuple[V, ...]) -> V:
    """The alias ``value`` with other arguments."""
    attrs = value.d.attrs
    if alias_name(value) == "Union":
        return union_of(it, list(args), pipe=bool(attrs["pipe"].d))
    made = make_alias(it, attrs["name"].d, attrs.get("origin"), args, attrs["form"].d)
    if "__metadata__" in attrs:
        made.d.attrs.update({"__metadata__": V(args[1:]), "__args__": V(args[:1]),
                             "origin": args[0], "__origin__": args[0]})  # fmt: skip
    return made


def union_of(it: Any, options: list[V], *, pipe: bool = False) -> V:
    """``X | Y`` or ``Union[X, Y]``: flat, each option once; a single one is itself."""
    flat: list[V] = []
    for option in options:
        inner = alias_args(option) if alias_name(option) == "Union" else (option,)
        for x in inner:
            typed = it.builtins["NoneType"] if x.d is None else x
            if not any(same(typed.d, other.d) for other in flat):
                flat.append(typed)
    if len(flat) == 1:
        return flat[0]
    made = make_alias(it, "Union", None, tuple(flat))
    made.d.attrs["pipe"] = V(pipe)
    return made


def _or(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return union_of(it, args, pipe=True)


def type_text(it: Any, value: V) -> str:
    """A type as ``repr`` shows it inside another one."""
    d = value.d
    if type(d) is ClassObj:
        if d.module == "builtins":
            return "None" if d.name == "NoneType" else d.name
        return d.full
    if is_alias(value):
        return _alias_text(it, value)
    if type(d) is External:
        return d.name
    if d is Ellipsis:
        return "..."
    if type(d) is FuncObj:
        return d.qualname
    if type(d) is str:
        return f"ForwardRef({d!r})"
    return it.format_value(value, "r", "") or "{…}"


def _alias_text(it: Any, value: V) -> str:
    name, args = alias_name(value), alias_args(value)
    if name == "Union" and value.d.attrs["pipe"].d:
        return " | ".join(type_text(it, x) for x in args)
    if name in QUOTED:
        inner = ", ".join(it.format_value(x, "r", "") or "{…}" for x in args)
        return f"typing.{name}[{inner}]"
    if name == "Union" and len(args) == 2 and args[1].d is it.builtins["NoneType"].d:
        return f"typing.Optional[{type_text(it, args[0])}]"
    inner = ", ".join(type_text(it, x) for x in args)
    origin, form = value.d.attrs.get("origin"), value.d.attrs["form"].d
    known = origin is not None and type(origin.d) is ClassObj
    shown = form or (type_text(it, origin) if known else f"typing.{name}")
    return f"{shown}[{inner}]"
