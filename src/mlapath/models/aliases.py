"""Generic aliases: ``list[int]``, ``Literal["a"]``, ``int | None``, as one modelled class.

An alias has ``name`` (``list``, ``Union``, ``Literal``, …), ``args``, ``form`` (its text where it
is one of ``typing``'s: ``typing.List``), and ``origin`` where what was subscripted is known.
"""

from __future__ import annotations

from typing import Any

from mlapath.models.alias_text import alias_text
from mlapath.models.api import make_class
from mlapath.values.concrete import key_of
from mlapath.values.join import same
from mlapath.values.objects import ClassObj, Instance, ListObj, Native
from mlapath.values.truth import Truth, both, either
from mlapath.values.value import External, Unknown, V

VARIABLES = ("typing.TypeVar", "typing.ParamSpec", "typing.TypeVarTuple")
UNORDERED = ("Union", "Literal")


def alias_class(it: Any, root: ClassObj) -> ClassObj:
    """The class of all aliases."""
    made = make_class(
        it, "types.GenericAlias", (root,),
        methods={
            "__or__": lambda i, a, k: union_of(i, a, pipe=True),
            "__ror__": lambda i, a, k: union_of(i, a[::-1], pipe=True),
            "__getitem__": lambda i, a, k: substitute(i, a[0], arguments(a[1])),
            "__eq__": _equal,
            "__repr__": lambda i, a, k: V(alias_text(i, a[0])),
            "__getattr__": _forward,
        },
        properties={"__parameters__": lambda i, a, k: V(tuple(variables(a[0])))},
        facts={"alias": True, "hash_fields": ("name", "key"), "frozen": True},
    )  # fmt: skip
    made.ns["__call__"] = V(Native("types.GenericAlias.__call__", _call, binds=True, opens=True))
    return made


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


def flat_callable(inner: tuple[V, ...]) -> tuple[V, ...]:
    """``Callable[[A, B], R]`` has the arguments ``(A, B, R)``."""
    first = inner[0] if len(inner) == 2 else None
    if first is not None and type(first.d) is ListObj and not first.d.open:
        return (*first.d.items, inner[1])
    return inner


def is_variable(value: V) -> bool:
    """Whether a value is a ``TypeVar``, ``ParamSpec`` or ``TypeVarTuple``."""
    d = value.d
    return type(d) is Instance and d.cls.full in VARIABLES


def variables(value: V) -> list[V]:
    """The type variables in an alias, in order, each once."""
    found: list[V] = []
    for x in alias_args(value):
        for variable in [x] if is_variable(x) else variables(x):
            if not any(variable.d is other.d for other in found):
                found.append(variable)
    return found


def make_alias(it: Any, name: str, origin: V | None, args: tuple[V, ...], form: str = "") -> V:
    """An alias; ``origin`` is the class or special form that was subscripted.

    The aliases of ``typing`` (those with a ``form``) are the same object for the same arguments.
    """
    key = _key(name, args)
    shared = it.store.setdefault("typing aliases", {})
    ident = (form, key_of(V(args)), tuple(type(x.d) for x in args)) if form else None
    if ident is not None and ident[1] is not None and ident in shared:
        return shared[ident]  # type: ignore[no-any-return]
    made = Instance(it.store["alias_class"], it.heap.cell())
    made.attrs.update({
        "name": V(name), "args": V(args), "__args__": V(args), "form": V(form),
        "key": V(key) if key is not None else V(Unknown("the arguments of a type")),
    })  # fmt: skip
    of_class = origin is not None and type(origin.d) is ClassObj and not form
    made.attrs["__module__"] = V(origin.d.module if of_class else "typing")  # type: ignore[union-attr]
    made.attrs["__name__"] = V(name)
    if origin is not None:
        made.attrs["origin"] = origin
        made.attrs["__origin__"] = origin
    result = V(made)
    if ident is not None and ident[1] is not None:
        shared[ident] = result
    return result


def _key(name: str, args: tuple[V, ...]) -> frozenset[Any] | None:
    """What is equal for equal arguments, or None where they are not known."""
    keys = [key_of(x) for x in args]
    if None in keys:
        return None
    return frozenset(keys if name in UNORDERED else enumerate(keys))


def with_arguments(it: Any, value: V, args: tuple[V, ...]) -> V:
    """The alias ``value`` with other arguments."""
    attrs = value.d.attrs
    name = alias_name(value)
    if name == "Union":
        return union_of(it, list(args), pipe=bool(attrs["pipe"].d))
    if name == "Annotated":
        return annotated(it, args)
    if name == "Callable":
        args = flat_callable(args)
    return make_alias(it, name, attrs.get("origin"), args, attrs["form"].d)


def annotated(it: Any, args: tuple[V, ...]) -> V:
    """``Annotated[T, metadata, …]``; one inside another is flattened."""
    first = args[0]
    if alias_name(first) == "Annotated":
        args = (*alias_args(first), *args[1:])
        first = args[0]
    made = make_alias(it, "Annotated", first, args, form="typing.Annotated")
    made.d.attrs["__args__"] = V((first,))
    made.d.attrs["__metadata__"] = V(args[1:])
    return made


def substitute(it: Any, value: V, given: tuple[V, ...]) -> V:
    """``Alias[T][int]``: the type variables, in order, replaced."""
    names = variables(value)
    if not names:
        it.throw("TypeError", f"{alias_text(it, value)} is not a generic class")
    if len(names) != len(given):
        if len(names) != 1 or names[0].d.cls.full == "typing.TypeVar":
            it.throw("TypeError", f"Too {'many' if len(given) > len(names) else 'few'} arguments "
                     f"for {alias_text(it, value)}")  # fmt: skip
        return V(Unknown("an alias with a variable number of arguments", "type"))

    def replace(x: V) -> V:
        for variable, argument in zip(names, given, strict=True):
            if x.d is variable.d:
                return argument
        return with_arguments(it, x, tuple(map(replace, alias_args(x)))) if variables(x) else x

    return replace(value)


def union_of(it: Any, options: list[V], *, pipe: bool = False) -> V:
    """``X | Y`` (pipe) or ``Union[X, Y]``: flat, each option once; a single one is itself.

    ``X | Y`` is ``Union[X, Y]`` where a side is an object of ``typing``.
    """
    flat: list[V] = []
    for option in options:
        for x in alias_args(option) if alias_name(option) == "Union" else (option,):
            typed = it.builtins["NoneType"] if x.d is None else x
            if not any(_same(it, typed, other) for other in flat):
                flat.append(typed)
    if len(flat) == 1:
        return flat[0]
    pipe = pipe and not any(_of_typing(option) for option in options)
    made = make_alias(it, "Union", None, tuple(flat), form="" if pipe else "typing.Union")
    made.d.attrs["pipe"] = V(pipe)
    if not pipe:
        made.d.attrs["__origin__"] = it.models.symbol(it, "typing.Union")
    return made


def _same(it: Any, a: V, b: V) -> bool:
    if is_alias(a) and is_alias(b):
        return it.truth(it.compare("==", a, b)) is Truth.TRUE
    return same(a.d, b.d)


def _of_typing(value: V) -> bool:
    d = value.d
    if is_alias(value):
        return bool(d.attrs["form"].d)
    return type(d) is Instance and d.cls.module == "typing"


def _equal(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    a, b = args
    if not is_alias(b):
        return V(External("NotImplemented"))
    name = alias_name(a)
    union = name == "Union" == alias_name(b)
    if not union and (name != alias_name(b) or a.d.attrs["form"].d != b.d.attrs["form"].d or not
                      _same_origin(a, b)):  # fmt: skip
        return V(False)
    if name not in UNORDERED:
        return it.compare("==", V(alias_args(a)), V(alias_args(b)))  # type: ignore[no-any-return]
    typed = name == "Literal"
    result = both(_subset(it, a, b, typed), _subset(it, b, a, typed))
    return V(Unknown("whether types are equal", "bool")) if result is Truth.UNKNOWN else (
        V(result is Truth.TRUE))  # fmt: skip


def _same_origin(a: V, b: V) -> bool:
    left, right = (x.d.attrs.get("origin", V(None)).d for x in (a, b))
    return same(left, right) or is_alias(V(left)) or is_alias(V(right))


def _subset(it: Any, a: V, b: V, typed: bool) -> Truth:
    result = Truth.TRUE
    for x in alias_args(a):
        found = Truth.FALSE
        for y in alias_args(b):
            if not typed or type(x.d) is type(y.d):
                found = either(found, it.truth(it.compare("==", x, y)))
        result = both(result, found)
    return result


def _call(it: Any, args: list[V], kwargs: dict[str, V], opened: str = "") -> V:
    """Calling an alias calls what was subscripted."""
    origin = args[0].d.attrs.get("origin")
    if origin is None or alias_name(args[0]) in UNORDERED:
        it.throw("TypeError", f"Cannot instantiate {alias_text(it, args[0])}")
    return it.call(origin, args[1:], kwargs, opened)  # type: ignore[no-any-return]


def _forward(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """Other attributes of an alias are those of what was subscripted."""
    origin, name = args[0].d.attrs.get("origin"), args[1].d
    if origin is None or name.startswith("__") and args[0].d.attrs["form"].d:
        it.throw("AttributeError", name)
    return it.getattr(origin, name)  # type: ignore[no-any-return]
