"""The abstract base classes of ``collections.abc`` and which classes are subclasses of them.

The table is CPython's, and for CPython's own classes so are the answers; a class of the tree
is asked for its methods.
"""

from __future__ import annotations

import builtins
import collections
import collections.abc
import types
from dataclasses import dataclass
from typing import Any

from mlapath.values.objects import ClassObj, FuncObj
from mlapath.values.truth import Truth, both
from mlapath.values.value import V

MODULE = "collections.abc"


@dataclass(frozen=True)
class Abc:
    """One abstract class.

    abstract: its abstract methods. hook: the methods that make any class a subclass of it; none
    where a class has to derive from it or be registered.
    """

    bases: tuple[str, ...] = ()
    abstract: tuple[str, ...] = ()
    hook: tuple[str, ...] = ()


def _pony(
    *methods: str, bases: tuple[str, ...] = (), abstract: tuple[str, ...] | None = None
) -> Abc:
    return Abc(bases, methods if abstract is None else abstract, methods)


TABLE: dict[str, Abc] = {
    "Hashable": _pony("__hash__"),
    "Awaitable": _pony("__await__"),
    "Coroutine": _pony("__await__", "send", "throw", "close", bases=("Awaitable",),
                       abstract=("send", "throw")),
    "AsyncIterable": _pony("__aiter__"),
    "AsyncIterator": _pony("__anext__", "__aiter__", bases=("AsyncIterable",),
                           abstract=("__anext__",)),
    "AsyncGenerator": _pony("__aiter__", "__anext__", "asend", "athrow", "aclose",
                            bases=("AsyncIterator",), abstract=("asend", "athrow")),
    "Iterable": _pony("__iter__"),
    "Iterator": _pony("__iter__", "__next__", bases=("Iterable",), abstract=("__next__",)),
    "Generator": _pony("__iter__", "__next__", "send", "throw", "close", bases=("Iterator",),
                       abstract=("send", "throw")),
    "Reversible": _pony("__reversed__", "__iter__", bases=("Iterable",),
                        abstract=("__reversed__",)),
    "Sized": _pony("__len__"),
    "Container": _pony("__contains__"),
    "Collection": _pony("__len__", "__iter__", "__contains__",
                        bases=("Sized", "Iterable", "Container"), abstract=()),
    "Callable": _pony("__call__"),
    "Buffer": _pony("__buffer__"),
    "Set": Abc(("Collection",)),
    "MutableSet": Abc(("Set",), ("add", "discard")),
    "Mapping": Abc(("Collection",), ("__getitem__",)),
    "MutableMapping": Abc(("Mapping",), ("__setitem__", "__delitem__")),
    "Sequence": Abc(("Reversible", "Collection"), ("__getitem__",)),
    "MutableSequence": Abc(("Sequence",), ("__setitem__", "__delitem__", "insert")),
    "ByteString": Abc(("Sequence",)),
    "MappingView": Abc(("Sized",)),
    "KeysView": Abc(("MappingView", "Set")),
    "ItemsView": Abc(("MappingView", "Set")),
    "ValuesView": Abc(("MappingView", "Collection")),
}  # fmt: skip

OWNERS: dict[str, Any] = {"builtins": builtins, "types": types, "collections": collections}
TENSOR = ("Hashable", "Iterable", "Reversible", "Sized", "Container", "Collection")
"""What a tensor is."""


def real_class(cls: ClassObj) -> type | None:
    """The class of CPython that a summarised one stands for."""
    if cls.path:
        return None
    if cls.full == "builtins.NoneType":
        return type(None)
    found = getattr(OWNERS.get(cls.module), cls.name, None)
    return found if isinstance(found, type) else None


def subclass_of(name: str) -> Any:
    """``fn(engine, cls) -> Truth``: is ``cls`` a subclass of the abstract class ``name``."""
    entry = TABLE[name]
    derived = [other for other in TABLE if other == name or name in _ancestors(other)]
    real = [getattr(collections.abc, other, None) for other in derived if not TABLE[other].hook]
    nominal = tuple(c for c in real if c is not None)

    def decide(it: Any, cls: ClassObj) -> Truth:
        result = Truth.of(bool(entry.hook))
        for method in entry.hook:
            result = both(result, _has(cls, method))
        if result is Truth.TRUE or _registered(it, derived, cls):
            return Truth.TRUE
        for c in cls.mro:
            known = real_class(c)
            if known is not None and issubclass(known, nominal):
                return Truth.TRUE
        return Truth.UNKNOWN if cls.foreign and not entry.hook else result

    return decide


def _registered(it: Any, derived: list[str], cls: ClassObj) -> bool:
    """Whether a base was registered with one of the abstract classes."""
    for other in derived:
        symbol = it.symbols.get(f"{MODULE}.{other}")
        virtual = symbol.d.facts.get("virtual") if symbol is not None else None
        if virtual is not None and any(c.full in virtual for c in cls.mro):
            return True
    return False


def _ancestors(name: str) -> set[str]:
    bases = TABLE[name].bases
    return set(bases).union(*(_ancestors(base) for base in bases))


def _has(cls: ClassObj, method: str) -> Truth:
    """Whether a class has a special method that is not None."""
    for c in cls.mro:
        value: V | None = c.ns.get(method)
        if value is not None:
            return Truth.of(value.d is not None)
        real = real_class(c)
        if real is not None and method in vars(real):
            return Truth.of(vars(real)[method] is not None)
        if method == "__hash__" and _unhashable(c):
            return Truth.FALSE
        if c.foreign and not c.path:
            return Truth.UNKNOWN
    return Truth.UNKNOWN if cls.foreign else Truth.FALSE


def _unhashable(cls: ClassObj) -> bool:
    """A class that defines ``__eq__`` without ``__hash__`` has none."""
    value: V | None = cls.ns.get("__eq__")
    return value is not None and (type(value.d) is FuncObj or cls.module == MODULE)


__all__ = ["MODULE", "TABLE", "TENSOR", "Abc", "subclass_of"]
