"""``sys.modules``: what has been imported, as far as the evaluation has seen it."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, argument, make_class
from mlapath.models.support import instance, known, unknown
from mlapath.values.objects import ModuleObj
from mlapath.values.truth import Truth
from mlapath.values.value import External, V


def _present(it: Any, name: str) -> Truth:
    """Whether ``name`` has been imported. Of other libraries it is only known if they lack."""
    if name in it.modules:
        return Truth.TRUE
    if it.program.find(name) is not None:
        return Truth.FALSE
    if it.facts.has_module(name) is Truth.FALSE:
        return Truth.FALSE
    return Truth.UNKNOWN


def _value(it: Any, name: str) -> V:
    module = it.modules.get(name)
    if module is not None:
        return V(module)
    summary = it.models.module(it, name)
    return V(External(name)) if summary is None else summary


def _contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = args[1]
    truth = _present(it, name.d) if type(name.d) is str else Truth.UNKNOWN
    return known(truth, "whether a module has been imported", name.o)


def _getitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name = args[1]
    if type(name.d) is not str:
        return unknown("a module under an unknown name", "", name.o)
    if _present(it, name.d) is Truth.FALSE:
        it.throw_key(name)
    return _value(it, name.d)


def _get(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name, default = args[1], argument(args, kwargs, 2, "default") or V(None)
    if type(name.d) is not str:
        return unknown("a module under an unknown name", "", name.o)
    truth = _present(it, name.d)
    if truth is Truth.FALSE:
        return default
    if truth is Truth.TRUE:
        return _value(it, name.d)
    joined: V = it.union([_value(it, name.d), default])
    return joined


def _own(frame: Any, name: str) -> bool:
    """Whether a module registers one below itself: it is there whenever its parent is."""
    own: str = frame.module.name
    return frame.kind == "module" and not frame.guards and name.startswith(f"{own}.")


def _setitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    name, module = args[1].d, args[2].d
    if type(name) is str and type(module) is ModuleObj and (not it.maybe or _own(it.frame, name)):
        it.modules[name] = module
    else:
        it.frontier(it.frame, it.frame.pos, "sys.modules is written")
        it.store["modules_written"] = True
    return V(None)


def _setdefault(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    if type(args[1].d) is str and _present(it, args[1].d) is Truth.TRUE:
        return _value(it, args[1].d)
    _setitem(it, args, kwargs)
    return _get(it, args, kwargs)


def _remove(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.frontier(it.frame, it.frame.pos, "a module is removed from sys.modules")
    return _get(it, args, kwargs)


def _listed(pick: Any) -> Fn:
    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made = it.heap.list([pick(name, V(m)) for name, m in list(it.modules.items())])
        it.heap.open_list(made, "modules outside the tree that are imported")
        return V(made)

    return fn


def modules(it: Any) -> V:
    """The object ``sys.modules``."""
    methods: dict[str, Fn] = {
        "__contains__": _contains, "__getitem__": _getitem, "get": _get, "__setitem__": _setitem,
        "setdefault": _setdefault, "pop": _remove, "__delitem__": _remove,
        "keys": _listed(lambda name, module: V(name)),
        "__iter__": _listed(lambda name, module: V(name)),
        "values": _listed(lambda name, module: module),
        "items": _listed(lambda name, module: V((V(name), module))),
        "copy": _copy,
    }  # fmt: skip
    return instance(it, make_class(it, "sys.modules", methods=methods, facts={"frozen": True}), {})


def _copy(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    made = it.heap.dict({name: (V(name), V(m)) for name, m in it.modules.items()})
    it.heap.open_dict(made, "modules outside the tree that are imported")
    return V(made)
