"""Containers of modules and parameters: ``ModuleList``, ``ModuleDict``, ``Sequential``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.models.api import Fn, make_class
from mlapath.models.torch_module import module_class
from mlapath.values.objects import Instance, ListObj
from mlapath.values.value import NONE, V


def _fill_list(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``ModuleList(iterable)``."""
    made = it.heap.list([])
    for source in args[1:2] or list(kwargs.values()):
        items = None if source.d is None else it.iterate(source)
        it.heap.items_for_write(made).extend(items or ())
        opened = "" if source.d is None else it.is_open(source)
        if opened or items is None and source.d is not None:
            it.heap.open_list(made, opened or "modules of an unknown iterable")
    return _filled(it, args[0], made)


def _fill_sequence(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Sequential(a, b, …)`` or of an ordered dict."""
    items = list(args[1:])
    opened = ""
    if len(items) == 1:
        pairs = it.mapping_items(items[0])
        if pairs is not None:
            opened = it.is_open(items[0])
            for key, value in pairs:
                if type(key.d) is str:
                    it.heap.put(args[0].d.attrs, key.d, value)
            items = [value for _, value in pairs]
    made = it.heap.list(items)
    if opened:
        it.heap.open_list(made, opened)
    return _filled(it, args[0], made)


def _fill_dict(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``ModuleDict(mapping)``."""
    made = it.builtins["dict"]
    content = it.call(made, [a for a in args[1:2] if a.d is not None], {})
    return _filled(it, args[0], content.d)


def _filled(it: Any, target: V, content: Any) -> V:
    d: Instance = target.d
    d.payload = content
    it.heap.put(d.attrs, "training", V(True))
    return NONE


def _item(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """Indexing; a slice gives a container of the same class."""
    content = V(args[0].d.payload, args[0].o)
    item: V = it.getitem(content, args[1])
    if type(item.d) is ListObj:
        made = Instance(args[0].d.cls, it.heap.cell({"training": V(True)}), item.d)
        return V(made, args[0].o)
    return item


def _chain(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``Sequential.forward``: each module on what the one before gave."""
    value = args[1] if len(args) > 1 else NONE
    for module in it.iterate(V(args[0].d.payload)) or ():
        value = it.call(module, [value], {})
    return value


def _builder(name: str, methods: dict[str, Fn]) -> Callable[[Any], V]:
    return lambda it: V(make_class(it, name, (module_class(it),), methods=methods))


LIST: dict[str, Fn] = {"__init__": _fill_list, "__getitem__": _item}
VALUES = {
    "torch.nn.modules.container.ModuleList": _builder(
        "torch.nn.modules.container.ModuleList", LIST),
    "torch.nn.modules.container.ParameterList": _builder(
        "torch.nn.modules.container.ParameterList", LIST),
    "torch.nn.modules.container.ModuleDict": _builder(
        "torch.nn.modules.container.ModuleDict", {"__init__": _fill_dict}),
    "torch.nn.modules.container.ParameterDict": _builder(
        "torch.nn.modules.container.ParameterDict", {"__init__": _fill_dict}),
    "torch.nn.modules.container.Sequential": _builder(
        "torch.nn.modules.container.Sequential",
        {"__init__": _fill_sequence, "__getitem__": _item, "forward": _chain}),
}  # fmt: skip
ALIASES = {f"torch.nn.{name.rpartition('.')[2]}": name for name in VALUES}
