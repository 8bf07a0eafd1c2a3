"""Type variables, ``NewType``, ``type X = …`` and forward references of ``typing``."""

from __future__ import annotations

from typing import Any

from mlapath.models.aliases import arguments, make_alias, union_of
from mlapath.models.api import Factory, argument, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.support import instance
from mlapath.values.objects import ClassObj
from mlapath.values.value import V


def _operators() -> dict[str, Any]:
    return {
        "__or__": lambda i, a, k: union_of(i, a),
        "__ror__": lambda i, a, k: union_of(i, a[::-1]),
        "__repr__": _text,
    }


def _text(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    attrs = args[0].d.attrs
    co, contra = (attrs.get(f"__{x}__", V(False)).d for x in ("covariant", "contravariant"))
    return V(f"{'+' if co is True else '-' if contra is True else '~'}{attrs['__name__'].d}")


def _variable(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    name = argument(args, kwargs, 0, "name")
    if name is None:
        it.throw("TypeError", f"{cls.name}() missing required argument 'name' (pos 1)")
        raise AssertionError("unreachable")
    made = instance(it, cls, {
        "__name__": name, "__constraints__": V(tuple(args[1:])),
        "__bound__": kwargs.get("bound", V(None)),
        "__covariant__": kwargs.get("covariant", V(False)),
        "__contravariant__": kwargs.get("contravariant", V(False)),
        "__module__": V(it.frame.module.name),
    })  # fmt: skip
    if "default" in kwargs:
        made.d.attrs["__default__"] = kwargs["default"]
    if cls.name == "ParamSpec":
        for part in ("args", "kwargs"):
            part_cls = library_class(it, f"typing.ParamSpec{part.capitalize()}")
            made.d.attrs[part] = instance(it, part_cls, {
                "__origin__": made, "__name__": V(f"{name.d}.{part}")})  # fmt: skip
    return made


def variable(name: str) -> Factory:
    """The class ``typing.name`` of type variables."""
    return lambda it: V(make_class(it, f"typing.{name}", methods=_operators(),
                                   construct=_variable))  # fmt: skip


def part(name: str) -> Factory:
    """``P.args`` and ``P.kwargs`` of a ``ParamSpec``."""
    return lambda it: V(make_class(it, f"typing.{name}", methods={
        "__repr__": lambda i, a, k: a[0].d.attrs["__name__"]}))  # fmt: skip


def predefined(name: str, *constraints: str) -> Factory:
    """A type variable of ``typing`` itself."""

    def make(it: Any) -> V:
        args = [V(name), *(it.builtins[c] for c in constraints)]
        return _variable(it, library_class(it, "typing.TypeVar"), args, {})

    return make


def new_type(it: Any) -> V:
    """``NewType``: calling one gives its argument."""
    return V(make_class(
        it, "typing.NewType", construct=_new_type,
        methods={
            **_operators(),
            "__call__": lambda i, a, k: a[1],
            "__repr__": lambda i, a, k: V(f"{a[0].d.attrs['__module__'].d}."
                                          f"{a[0].d.attrs['__name__'].d}"),
        },
    ))  # fmt: skip


def _new_type(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    name, target = argument(args, kwargs, 0, "name"), argument(args, kwargs, 1, "tp")
    if name is None or target is None:
        it.throw("TypeError", "NewType.__init__() missing required arguments")
        raise AssertionError("unreachable")
    return instance(it, cls, {"__name__": name, "__qualname__": name, "__supertype__": target,
                              "__module__": V(it.frame.module.name)})  # fmt: skip


def alias_type(it: Any) -> V:
    """``TypeAliasType``."""
    return V(make_class(
        it, "typing.TypeAliasType", construct=_alias_type,
        methods={
            **_operators(),
            "__getitem__": lambda i, a, k: make_alias(
                i, a[0].d.attrs["__name__"].d, a[0], arguments(a[1]),
                form=a[0].d.attrs["__name__"].d),
            "__repr__": lambda i, a, k: a[0].d.attrs["__name__"],
        },
    ))  # fmt: skip


def _alias_type(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
    name, value = argument(args, kwargs, 0, "name"), argument(args, kwargs, 1, "value")
    if name is None or value is None:
        it.throw("TypeError", "typealias() missing required arguments")
        raise AssertionError("unreachable")
    return instance(it, cls, {
        "__name__": name, "__value__": value, "__module__": V(it.frame.module.name),
        "__type_params__": kwargs.get("type_params", V(())),
    })  # fmt: skip


def forward_ref(it: Any) -> V:
    """``ForwardRef``."""

    def construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        return instance(it, cls, {"__forward_arg__": args[0]})

    return V(make_class(
        it, "typing.ForwardRef", construct=construct,
        methods={"__repr__": lambda i, a, k: V(
            f"ForwardRef({a[0].d.attrs['__forward_arg__'].d!r})")},
        facts={"hash_fields": ("__forward_arg__",), "eq_fields": ("__forward_arg__",)},
    ))  # fmt: skip
