"""``abc``: abstract classes and methods, and virtual subclasses."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, Library, make_class
from mlapath.models.class_tools import library_class
from mlapath.models.support import nothing
from mlapath.values.objects import ClassObj, Descriptor, FuncObj, Native
from mlapath.values.value import External, V


def abstractmethod(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``abstractmethod(f)``: sets ``__isabstractmethod__``; also over a property or the like."""
    _mark(it, args[0])
    return args[0]


def _mark(it: Any, value: V) -> None:
    d = value.d
    if type(d) is Descriptor:
        _mark(it, d.fget)
    elif type(d) in (FuncObj, Native):
        it.setattr(value, "__isabstractmethod__", V(True))


def _abstract(kind: str) -> Fn:
    """``abstractproperty`` and its like."""

    def construct(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        _mark(it, args[0])
        return V(Descriptor(kind, *args[:3]))

    return construct


def _register(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``cls.register(subclass)``."""
    cls, sub = args[0].d, args[1].d
    if type(cls) is ClassObj and type(sub) in (ClassObj, External):
        name = sub.full if type(sub) is ClassObj else sub.name
        cls.facts["virtual"] = cls.facts.get("virtual", frozenset()) | {name}
    return args[1]


def _meta(it: Any) -> V:
    methods: dict[str, Fn] = {"register": _register}
    return V(make_class(it, "abc.ABCMeta", (it.builtins["type"].d,), methods=methods))


def _base(it: Any) -> V:
    cls = make_class(it, "abc.ABC")
    cls.meta = library_class(it, "abc.ABCMeta")
    return V(cls)


LIBRARY = Library(
    functions={
        "abc.abstractmethod": abstractmethod,
        "abc.abstractproperty": _abstract("property"),
        "abc.abstractclassmethod": _abstract("classmethod"),
        "abc.abstractstaticmethod": _abstract("staticmethod"),
        "abc.update_abstractmethods": lambda it, args, kwargs: args[0],
        "abc.get_cache_token": nothing,
    },
    values={"abc.ABCMeta": _meta, "abc.ABC": _base},
)
