"""``ArgsKwargs``: what a constructor was called with, and reading it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mlapath.models.api import make_class
from mlapath.models.class_tools import library_class
from mlapath.models.pydantic_errors import fault
from mlapath.values.objects import ClassObj, DictObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import External, Unknown, V

ARGUMENTS = "pydantic_core.ArgsKwargs"
WANTED = {
    "dataclass_type": "Input should be a dictionary or an instance of",
    "model_type": "Input should be a valid dictionary or instance of",
}


def arguments_class(it: Any) -> V:
    """``ArgsKwargs``: what a constructor was called with."""

    def construct(it: Any, cls: ClassObj, args: list[V], kwargs: dict[str, V]) -> V:
        given = args[1] if len(args) > 1 else kwargs.get("kwargs", V(None))
        return make_arguments(it, args[0] if args else kwargs["args"], given)

    def text(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        attrs = args[0].d.attrs
        parts = [it.format_value(attrs["args"], "r", "")]
        if it.truth(attrs["kwargs"]) is not Truth.FALSE:
            parts.append(it.format_value(attrs["kwargs"], "r", ""))
        if None in parts:
            return V(Unknown("the arguments of a constructor", "str"))
        return V(f"ArgsKwargs({', '.join(parts)})")

    return V(make_class(it, ARGUMENTS, methods={"__repr__": text}, construct=construct))


def make_arguments(it: Any, args: V, kwargs: V) -> V:
    """An ``ArgsKwargs``."""
    made = Instance(library_class(it, ARGUMENTS), it.heap.cell())
    made.attrs.update({"args": args, "kwargs": kwargs})
    return V(made)


@dataclass(frozen=True)
class Input:
    """The arguments by position and by name; ``opened``: why there may be more."""

    args: list[V]
    kwargs: Mapping[str, V]
    opened: str


def read_input(it: Any, value: V, name: str, kind: str) -> Input:
    """The arguments in a dict or an ``ArgsKwargs``; raises Invalid for anything else."""
    d = value.d
    if type(d) is Instance and d.cls.full == ARGUMENTS:
        given = d.attrs["kwargs"]
        positional = it.iterate(d.attrs["args"])
        rest = read_input(it, given, name, kind) if given.d is not None else Input([], {}, "")
        opened = "arguments that are not known" if positional is None else rest.opened
        return Input(positional or [], rest.kwargs, opened)
    if type(d) is Instance and type(d.payload) is DictObj:
        d = d.payload
    if type(d) is DictObj and d.kind in ("dict", "defaultdict"):
        pairs = {k.d: v for k, v in it.mapping_items(V(d)) if type(k.d) is str}
        return Input([], pairs, it.is_open(V(d)))
    if type(d) in (Unknown, External) or type(d) is Instance and d.cls.foreign:
        return Input([], {}, "input that is not known")
    raise fault(value, kind, f"{WANTED[kind]} {name}")
