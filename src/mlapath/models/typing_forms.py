"""Special forms of ``typing`` and its aliases of other classes, and what subscripting gives.

``Literal``, ``Union``, ``ClassVar``, … and ``List``, ``Sequence``, …; as in CPython 3.12.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.alias_text import is_parameters
from mlapath.models.aliases import (
    alias_args,
    alias_name,
    annotated,
    arguments,
    flat_callable,
    is_alias,
    make_alias,
    union_of,
)
from mlapath.models.api import Factory, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.support import instance
from mlapath.values.join import same
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.value import Unknown, V

FORM = "typing._SpecialForm"
ALIAS = "typing._SpecialGenericAlias"
PLAIN = (
    "ClassVar", "Final", "Required", "NotRequired", "ReadOnly", "Concatenate", "TypeGuard",
    "TypeIs", "Unpack",
)  # fmt: skip
"""Forms whose subscript is an alias of the form itself, with the arguments as given."""
BARE = ("NoReturn", "Never", "Self", "LiteralString", "TypeAlias")
"""Forms without a subscript."""


def _text(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return V(f"typing.{args[0].d.attrs['name'].d}")


def _or(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return union_of(it, args)


def _ror(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return union_of(it, args[::-1])


def _instantiate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.throw("TypeError", f"Cannot instantiate typing.{args[0].d.attrs['name'].d}")
    raise AssertionError("unreachable")


def _call(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = args[0].d.attrs["name"].d
    it.throw("TypeError", f"Type {name} cannot be instantiated; use "
             f"{name.lower()}() instead")  # fmt: skip
    raise AssertionError("unreachable")


def form_class(it: Any) -> V:
    """The class of special forms."""
    return V(make_class(
        it, FORM, methods={"__getitem__": _subscript, "__or__": _or, "__ror__": _ror,
                           "__repr__": _text, "__call__": _instantiate},
    ))  # fmt: skip


def alias_class(it: Any) -> V:
    """The class of generic aliases without arguments: ``typing.List``."""
    return V(make_class(
        it, ALIAS, methods={"__getitem__": _specialise, "__or__": _or, "__ror__": _ror,
                            "__repr__": _text, "__call__": _call},
        facts={"alias": True},
    ))  # fmt: skip


def _names(name: str) -> dict[str, V]:
    text = V(name)
    return {"name": text, "_name": text, "__name__": text, "__module__": V("typing")}


def form(name: str) -> Factory:
    """The special form ``typing.name``."""
    return lambda it: instance(it, library_class(it, FORM), _names(name))


def generic(name: str, target: str) -> Factory:
    """The alias ``typing.name`` of the class ``target`` (its qualified name)."""

    def make(it: Any) -> V:
        module, _, last = target.rpartition(".")
        origin = it.builtins[last] if module == "builtins" else it.models.symbol(it, target)
        return instance(it, library_class(it, ALIAS), {
            **_names(name), "origin": origin, "__origin__": origin})  # fmt: skip

    return make


def _types(it: Any, inner: tuple[V, ...]) -> tuple[V, ...]:
    """Arguments of ``typing``'s aliases: None stands for its type."""
    return tuple(it.builtins["NoneType"] if x.d is None else x for x in inner)


def _specialise(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = args[0].d.attrs["name"].d
    inner = arguments(args[1])
    if name == "Callable":
        inner = flat_callable(inner)
    return make_alias(it, name, args[0].d.attrs["origin"], _types(it, inner),
                      form=f"typing.{name}")  # fmt: skip


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
        if len(inner) < 2:
            it.throw("TypeError", "Annotated[...] should be used with at least two arguments (a "
                     "type and an annotation).")  # fmt: skip
        return annotated(it, inner)
    if name in BARE:
        it.throw("TypeError", f"typing.{name} is not subscriptable")
    return make_alias(it, name, me, _types(it, inner), form=f"typing.{name}")


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
    if name in ("Union", "Annotated"):
        pipe = name == "Union" and not d.attrs["form"].d
        return it.models.symbol(it, "types.UnionType" if pipe else f"typing.{name}")  # type: ignore[no-any-return]
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
    name = alias_name(value)
    if is_alias(value) and value.d.attrs["form"].d and name not in ("Literal", "Annotated"):
        inner = tuple(_forward(it, x) for x in inner)
    if name == "Callable" and inner and not is_parameters(inner):
        inner = (V(it.heap.list(list(inner[:-1]))), inner[-1])
    return V(inner, value.o)


def _forward(it: Any, value: V) -> V:
    if type(value.d) is not str:
        return value
    return it.call(it.models.symbol(it, "typing.ForwardRef"), [value], {})  # type: ignore[no-any-return]
