"""Special forms of ``typing`` (``Literal``, ``Union``, ``ClassVar``, …) and its generic aliases
of other classes (``List``, ``Sequence``, …): what subscripting them gives.

Semantics and texts of CPython 3.12.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.aliases import (
    alias_args,
    alias_name,
    arguments,
    make_alias,
    union_of,
)
from mlapath.models.api import Factory, make_class
from mlapath.models.class_tools import library_class
from mlapath.values.join import same
from mlapath.values.objects import ClassObj, Instance, ListObj
from mlapath.values.value import Unknown, V

FORM = "typing._SpecialForm"
ALIAS = "typing._SpecialGenericAlias"
PLAIN = (
    "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "Concatenate", "TypeGuard",
    "TypeIs", "Unpack", "Type",
)  # fmt: skip
"""Forms whose subscript is an alias of the form itself, with the arguments as given."""
BARE = ("NoReturn", "Never", "Self", "LiteralString", "TypeAlias")
"""Forms without a subscript."""


def is_form(value: V, name: str = "") -> bool:
    """Whether a value is a special form without arguments (``name``: that one)."""
    d = value.d
    return type(d) is Instance and d.cls.full == FORM and name in ("", d.attrs["name"].d)


def _text(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(f"typing.{args[0].d.attrs['name'].d}")


def _or(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return union_of(it, args)


def _ror(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return union_of(it, args[::-1])


def form_class(it: Any) -> V:
    """The class of special forms."""
    return V(make_class(
        it, FORM, methods={"__getitem__": _subscript, "__or__": _or, "__ror__": _ror,
                           "__repr__": _text},
    ))  # fmt: skip


def alias_class(it: Any) -> V:
    """The class of generic aliases without arguments: ``typing.List``."""
    return V(make_class(
        it, ALIAS, methods={"__getitem__": _specialise, "__or__": _or, "__ror__": _ror,
                            "__repr__": _text},
        facts={"alias": True},
    ))  # fmt: skip


def form(name: str) -> Factory:
    """The special form ``typing.name``."""

    def make(it: Any) -> V:
        made = Instance(library_class(it, FORM), it.heap.cell())
        made.attrs.update({"name": V(name), "_name": V(name), "__name__": V(name),
                           "__module__": V("typing")})  # fmt: skip
        return V(made)

    return make


def generic(name: str, target: str) -> Factory:
    """The alias ``typing.name`` of the class ``target`` (its qualified name)."""

    def make(it: Any) -> V:
        module, _, last = target.rpartition(".")
        origin = it.builtins[last] if module == "builtins" else it.models.symbol(it, target)
        made = Instance(library_class(it, ALIAS), it.heap.cell())
        made.attrs.update({"name": V(name), "_name": V(name), "__name__": V(name),
                           "__module__": V("typing"), "origin": origin, "__origin__": origin})
        return V(made)

    return make


def _specialise(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = args[0].d.attrs["name"].d
    inner = arguments(args[1])
    if name == "Callable":
        inner = flat_callable(it, inner)
    elif name == "Tuple" and inner == ():
        inner = ()
    return make_alias(it, name, args[0].d.attrs["origin"], inner, form=f"typing.{name}")


def flat_callable(it: Any, inner: tuple[V, ...]) -> tuple[V, ...]:
    """``Callable[[A, B], R]`` has the arguments ``(A, B, R)``."""
    first = inner[0] if len(inner) == 2 else None
    if first is not None and type(first.d) is ListObj and not first.d.open:
        return (*first.d.items, inner[1])
    return inner


def _subscript(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    me = args[0]
    name: str = me.d.attrs["name"].d
    inner = arguments(args[1])
    if name == "Union":
        return union_of(it, list(inner))
    if name == "Optional":
        return union_of(it, [*inner, V(None)])
    if name == "Literal":
        return make_alias(it, name, me, _literal(inner), form="typing.Literal")
    if name == "Annotated":
        return annotated(it, inner)
    if name in BARE:
        it.throw("TypeError", f"typing.{name} is not subscriptable")
    return make_alias(it, name, me, inner, form=f"typing.{name}")


def annotated(it: Any, inner: tuple[V, ...]) -> V:
    """``Annotated[T, metadata, …]``; one inside another is flattened."""
    first = inner[0]
    if alias_name(first) == "Annotated":
        inner = (*alias_args(first), *inner[1:])
        first = inner[0]
    made = make_alias(it, "Annotated", first, inner, form="typing.Annotated")
    made.d.attrs["__args__"] = V((first,))
    made.d.attrs["__metadata__"] = V(inner[1:])
    return made


def _literal(inner: tuple[V, ...]) -> tuple[V, ...]:
    flat: list[V] = []
    for value in inner:
        for x in alias_args(value) if alias_name(value) == "Literal" else (value,):
            if not any(same(x.d, other.d) for other in flat):
                flat.append(x)
    return tuple(flat)


def get_origin(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``get_origin(tp)``."""
    value = args[0]
    d = value.d
    if type(d) is Unknown:
        return V(Unknown(f"the origin of {d.text or 'an unknown type'}"), value.o)
    if type(d) is ClassObj and d.full == "typing.Generic":
        return value
    name = alias_name(value)
    if name == "Union":
        pipe = d.attrs["pipe"].d
        return it.models.symbol(it, "types.UnionType" if pipe else "typing.Union")  # type: ignore[no-any-return]
    if name == "Annotated":
        return it.models.symbol(it, "typing.Annotated")  # type: ignore[no-any-return]
    if type(d) is Instance and "origin" in d.attrs:
        return d.attrs["origin"]  # type: ignore[no-any-return]
    return V(None, value.o)


def get_args(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``get_args(tp)``: a tuple; empty for what is no alias."""
    value = args[0]
    if type(value.d) is Unknown:
        why = f"the arguments of {value.d.text or 'an unknown type'}"
        return V(Unknown(why, "tuple"), value.o)
    inner = alias_args(value)
    if alias_name(value) == "Callable" and not _parameters(it, inner):
        inner = (V(it.heap.list(list(inner[:-1]))), inner[-1])
    return V(inner, value.o)


def _parameters(it: Any, inner: tuple[V, ...]) -> bool:
    """Whether the parameters of a ``Callable`` are an expression: ``...``, a ``ParamSpec``."""
    if len(inner) != 2:
        return not inner
    d = inner[0].d
    return d is Ellipsis or alias_name(inner[0]) == "Concatenate" or (
        type(d) is Instance and d.cls.full == "typing.ParamSpec")  # fmt: skip
