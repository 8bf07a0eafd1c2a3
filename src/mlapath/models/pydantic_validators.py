"""``field_validator``, ``model_validator`` and their like: what is marked, and finding it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mlapath.models.api import Fn
from mlapath.values.objects import BoundMethod, ClassObj, Descriptor, FuncObj, Native
from mlapath.values.value import V

MARKS = "pydantic marks"


@dataclass(frozen=True)
class Mark:
    """A decorated function. kind: ``field model computed``; names: the fields it is for."""

    kind: str
    mode: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """A validator of a class: its mark and the class attribute."""

    mark: Mark
    value: V

    def bound(self, cls: ClassObj, instance: V | None = None) -> V:
        """The function to call."""
        d = self.value.d
        if type(d) is Descriptor:
            if d.kind == "staticmethod":
                return d.fget
            return V(BoundMethod(d.fget, V(cls)))
        return self.value if instance is None else V(BoundMethod(d, instance))


def _remember(it: Any, value: V, mark: Mark) -> V:
    it.store.setdefault(MARKS, {})[value.d] = mark
    return value


def _class_function(value: V) -> V:
    """A function whose first parameter is ``cls`` becomes a class method."""
    if type(value.d) is FuncObj:
        params = value.d.node.params
        given = [*params.posonly, *params.args]
        if given and given[0].name == "cls":
            return V(Descriptor("classmethod", value), value.o)
    return value


def _mode(it: Any, kwargs: dict[str, V], default: str) -> str:
    mode = kwargs.get("mode")
    if mode is None or type(mode.d) is not str:
        return default
    return mode.d


def field_validator(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@field_validator("a", "b", mode=…)``."""
    names = tuple(a.d for a in args if type(a.d) is str)
    mark = Mark("field", _mode(it, kwargs, "after"), names)
    return V(Native("field_validator", lambda i, a, k: _remember(i, _class_function(a[0]), mark)))


def model_validator(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@model_validator(mode=…)``."""
    mode = _mode(it, kwargs, "after")
    mark = Mark("model", mode)

    def decorate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        value = args[0] if mode == "after" else _class_function(args[0])
        return _remember(it, value, mark)

    return V(Native("model_validator", decorate))


def computed_field(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@computed_field``: a property that serialisation includes."""

    def decorate(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        value = args[0]
        if type(value.d) is FuncObj:
            value = V(Descriptor("property", value), value.o)
        return _remember(it, value, Mark("computed", ""))

    return decorate(it, args, {}) if args else V(Native("computed_field", decorate))


def _serializer(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``@field_serializer(…)``, ``@model_serializer``: they do not validate."""
    if args and type(args[0].d) in (FuncObj, Descriptor):
        return args[0]
    return V(Native("serializer", lambda i, a, k: a[0]))


FUNCTIONS: dict[str, Fn] = {
    "field_validator": field_validator, "model_validator": model_validator,
    "computed_field": computed_field, "field_serializer": _serializer,
    "model_serializer": _serializer,
}  # fmt: skip


def found_in(it: Any, cls: ClassObj, kind: str) -> list[Found]:
    """The marked attributes of a class and its bases, in order of definition."""
    marks: dict[Any, Mark] = it.store.get(MARKS, {})
    out: dict[str, Found] = {}
    for c in reversed(cls.mro):
        for name, value in c.ns.items():
            if type(value.d) in (Descriptor, FuncObj):
                mark = marks.get(value.d)
                if mark is not None and mark.kind == kind:
                    out[name] = Found(mark, value)
    return list(out.values())


def for_field(it: Any, cls: ClassObj, name: str) -> list[Found]:
    """The validators of one field."""
    return [f for f in found_in(it, cls, "field") if name in f.mark.names or "*" in f.mark.names]
