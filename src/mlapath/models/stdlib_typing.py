"""``typing`` and ``typing_extensions``."""

from __future__ import annotations

from typing import Any

from mlapath.models import (
    typing_classes,
    typing_dict,
    typing_forms,
    typing_hints,
    typing_namedtuple,
    typing_vars,
)
from mlapath.models.aliases import alias_name
from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.values.objects import ClassObj, FuncObj, Native
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

GENERIC = {
    "List": "builtins.list", "Dict": "builtins.dict", "Set": "builtins.set",
    "FrozenSet": "builtins.frozenset", "Tuple": "builtins.tuple", "Type": "builtins.type",
    "Deque": "collections.deque", "DefaultDict": "collections.defaultdict",
    "OrderedDict": "collections.OrderedDict", "Counter": "collections.Counter",
    "ChainMap": "collections.ChainMap", "Pattern": "re.Pattern", "Match": "re.Match",
    "ContextManager": "contextlib.AbstractContextManager",
    "AsyncContextManager": "contextlib.AbstractAsyncContextManager",
    "AbstractSet": "collections.abc.Set",
    **{name: f"collections.abc.{name}" for name in (
        "Awaitable", "Coroutine", "AsyncIterable", "AsyncIterator", "AsyncGenerator", "Hashable",
        "Iterable", "Iterator", "Reversible", "Sized", "Container", "Collection", "Callable",
        "MutableSet", "Mapping", "MutableMapping", "Sequence", "MutableSequence", "ByteString",
        "MappingView", "KeysView", "ItemsView", "ValuesView", "Generator")},
}  # fmt: skip
"""``typing`` name -> the class that it stands for."""


def _first(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return args[0]


def _cast(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    return kwargs["val"] if "val" in kwargs else args[1]


def _decorator(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``dataclass_transform(…)``: a decorator that gives what it gets."""
    return V(Native("decorator", _first))


def _deprecated(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``deprecated(message)``: a decorator that gives what it gets, with ``__deprecated__``.

    The warning that calls give is left out.
    """
    message = argument(args, kwargs, 0, "message", V(""))
    assert message is not None
    return V(Native("decorator", lambda i, a, k: _marked(i, a[0], "__deprecated__", message)))


def _marks(name: str) -> Fn:
    """``final`` and ``override``: they set an attribute."""
    return lambda it, args, kwargs: _marked(it, args[0], name, V(True))


def _marked(it: Any, value: V, name: str, mark: V) -> V:
    if type(value.d) in (FuncObj, ClassObj):
        it.setattr(value, name, mark)
    return value


def _assert_never(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    text = it.format_value(args[0], "r", "") or "{…}"
    it.throw("AssertionError", f"Expected code to be unreachable, but got: {text}")
    raise AssertionError("unreachable")


FUNCTIONS: dict[str, Fn] = {
    "cast": _cast, "overload": typing_hints.overload, "get_overloads": typing_hints.get_overloads,
    "get_type_hints": typing_hints.get_type_hints, "get_args": typing_forms.get_args,
    "get_origin": typing_forms.get_origin, "is_typeddict": typing_dict.is_typeddict,
    "runtime_checkable": typing_classes.runtime_checkable,
    "final": _marks("__final__"), "override": _marks("__override__"),
    "no_type_check": _first, "no_type_check_decorator": _first, "reveal_type": _first,
    "assert_type": _first, "assert_never": _assert_never, "dataclass_transform": _decorator,
    "deprecated": _deprecated,
}  # fmt: skip

VALUES: dict[str, Factory] = {
    "TYPE_CHECKING": lambda it: V(False),
    **{name: typing_forms.form(name) for name in (
        "Union", "Optional", "Literal", "Annotated", *typing_forms.PLAIN, *typing_forms.BARE)},
    **{name: typing_forms.generic(name, target) for name, target in GENERIC.items()},
    **{name: typing_vars.variable(name) for name in ("TypeVar", "ParamSpec", "TypeVarTuple")},
    **{name: typing_classes.supports(name) for name in typing_classes.SUPPORTS},
    "ParamSpecArgs": typing_vars.part("ParamSpecArgs"),
    "ParamSpecKwargs": typing_vars.part("ParamSpecKwargs"),
    "AnyStr": typing_vars.predefined("AnyStr", "bytes", "str"),
    "NewType": typing_vars.new_type, "TypeAliasType": typing_vars.alias_type,
    "ForwardRef": typing_vars.forward_ref, "Any": typing_classes.any_,
    "Generic": typing_classes.generic, "Protocol": typing_classes.protocol,
    "NamedTuple": typing_namedtuple.base, "TypedDict": typing_dict.base,
    "IO": typing_classes.plain("IO"), "TextIO": typing_classes.plain("TextIO", "typing.IO"),
    "BinaryIO": typing_classes.plain("BinaryIO", "typing.IO"),
    "Text": lambda it: it.builtins["str"],
    "_SpecialForm": typing_forms.form_class, "_SpecialGenericAlias": typing_forms.alias_class,
}  # fmt: skip


def _union_type(it: Any) -> V:
    """``types.UnionType``: what ``X | Y`` is."""

    def instances(it: Any, value: V) -> Truth:
        if type(value.d) is Unknown:
            return Truth.UNKNOWN
        return Truth.of(alias_name(value) == "Union" and not value.d.attrs["form"].d)

    return V(make_class(it, "types.UnionType", facts={"instances": instances}))


LIBRARY = Library(
    functions={f"typing.{name}": fn for name, fn in FUNCTIONS.items()},
    values={
        **{f"typing.{name}": factory for name, factory in VALUES.items()},
        "types.UnionType": _union_type,
        "types.NoneType": lambda it: it.builtins["NoneType"],
        "types.GenericAlias": lambda it: V(it.store["alias_class"]),
    },
    aliases={f"typing_extensions.{name}": f"typing.{name}" for name in (*FUNCTIONS, *VALUES)},
)
