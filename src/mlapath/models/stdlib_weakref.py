"""``weakref`` and ``gc``: what is referred to weakly is taken to be alive.

That nothing dies before its weak references are asked is an assumption (``weakref`` in
``it.store["assumptions"]``).
"""

from __future__ import annotations

from typing import Any

from mlapath.models import builtin_dict
from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.support import gives, instance, nothing, unknown
from mlapath.values.objects import ClassObj, Instance
from mlapath.values.truth import Truth
from mlapath.values.value import V

Args = list[V]
Kwargs = dict[str, V]
TARGET = "\0target"


def _ref(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    """``ref(obj, callback=None)``."""
    if type(args[0].d) in (int, str, float, tuple, bool, type(None)):
        it.throw("TypeError", f"cannot create weak reference to '{it.type_name(args[0])}' object")
    it.trace.escape(argument(args, kwargs, 1, "callback") or V(None))
    it.store.setdefault("assumptions", set()).add("weakref")
    return instance(it, cls, {TARGET: args[0]})


def _target(it: Any, args: Args, kwargs: Kwargs) -> V:
    value: V = args[0].d.attrs[TARGET]
    return value


def _ref_class(full: str) -> Factory:
    facts: dict[str, Any] = {"frozen": True, "truth": lambda it, value: Truth.TRUE,
                             "hash_fields": (TARGET,), "eq_fields": (TARGET,)}  # fmt: skip
    return lambda it: V(make_class(it, full, construct=_ref, methods={"__call__": _target},
                                   facts=facts))  # fmt: skip


def _finalize(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
    """``finalize(obj, func, *args)``: others call it."""
    for value in (*args[1:], *kwargs.values()):
        it.trace.escape(value)
    alive = unknown("whether a finalizer is alive", "bool")
    return instance(it, cls, {"alive": alive, "atexit": V(True)})


def _container(full: str, kind: str) -> Factory:
    """A dict or set of weak references, as a dict or set."""
    table: dict[str, Fn] = builtin_dict.SET_METHODS if kind == "set" else builtin_dict.DICT_METHODS
    fill = builtin_dict.set_update if kind == "set" else builtin_dict.update

    def construct(it: Any, cls: ClassObj, args: Args, kwargs: Kwargs) -> V:
        it.store.setdefault("assumptions", set()).add("weakref")
        made = V(Instance(cls, it.heap.cell(), it.heap.dict(kind=kind)))
        fill(it, [made, *(a for a in args[:1] if a.d is not None)], kwargs)
        if cls.path:
            it.initialise(made, args, kwargs, "")
        return made

    return lambda it: V(make_class(it, full, methods={**table, "__init__": nothing},
                                   construct=construct))  # fmt: skip


def _open_list(it: Any) -> V:
    made = it.heap.list([])
    it.heap.open_list(made, "callbacks of the collector")
    return V(made)


LIBRARY = Library(
    functions={
        "weakref.proxy": lambda it, args, kwargs: args[0],
        "weakref.getweakrefcount": gives("weakref.getweakrefcount", "int", lo=0),
        "weakref.getweakrefs": gives("weakref.getweakrefs", "list"),
        **{f"gc.{name}": nothing for name in (
            "freeze", "unfreeze", "enable", "disable", "set_threshold", "set_debug")},
        "gc.collect": gives("gc.collect", "int", lo=0),
        "gc.isenabled": gives("gc.isenabled", "bool"),
        "gc.get_threshold": gives("gc.get_threshold", "tuple"),
        "gc.get_count": gives("gc.get_count", "tuple"),
        "gc.get_freeze_count": gives("gc.get_freeze_count", "int", lo=0),
        **{f"gc.{name}": gives(f"gc.{name}", "list") for name in (
            "get_objects", "get_referrers", "get_referents", "get_stats")},
    },
    values={
        "weakref.ref": _ref_class("weakref.ref"),
        "weakref.WeakMethod": _ref_class("weakref.WeakMethod"),
        "weakref.finalize": lambda it: V(make_class(
            it, "weakref.finalize", construct=_finalize,
            methods=dict.fromkeys(("__call__", "detach", "peek"), gives("weakref.finalize")))),
        "weakref.WeakValueDictionary": _container("weakref.WeakValueDictionary", "dict"),
        "weakref.WeakKeyDictionary": _container("weakref.WeakKeyDictionary", "dict"),
        "weakref.WeakSet": _container("weakref.WeakSet", "set"),
        "gc.callbacks": _open_list,
        "gc.garbage": _open_list,
    },
    aliases={"weakref.ReferenceType": "weakref.ref"},
)  # fmt: skip
