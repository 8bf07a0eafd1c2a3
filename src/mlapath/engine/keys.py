"""Keys of dicts and members of sets, as the program hashes them."""

from __future__ import annotations

from typing import Any

from mlapath.engine.attrs import class_lookup
from mlapath.values.concrete import key_of
from mlapath.values.objects import DictObj, FuncObj, Instance, ListObj
from mlapath.values.value import SCALAR_TYPES, Union, Unknown, V


def key(it: Any, value: V) -> Any:
    """``key_of``, with the program's own ``__hash__`` and ``__eq__`` run.

    Raises the program's TypeError for what cannot be hashed.
    """
    if type(value.d) not in SCALAR_TYPES:
        hashable(it, value)
    return key_of(value)


def hashable(it: Any, value: V) -> None:
    """Run what the program has for the hash of a value; raise TypeError where it has none."""
    d = value.d
    if type(d) is tuple:
        for part in d:
            hashable(it, part)
    elif type(d) is ListObj or type(d) is DictObj and d.kind != "frozenset":
        _refuse(it, value)
    elif type(d) is Instance:
        _instance(it, value, d)
    elif type(d) is Unknown and d.hint in ("", "object", "list", "dict", "set", "tuple"):
        it.may_throw("TypeError", "unhashable type")
    elif type(d) is Union:
        for option in d.options:
            hashable(it, option)


def _instance(it: Any, value: V, d: Instance) -> None:
    for c in d.cls.mro:
        own = c.ns.get("__hash__")
        if own is not None and own.d is None:
            _refuse(it, value)
        if own is not None:
            if type(own.d) is FuncObj:
                it.call(it.lookup_special(value, "__hash__"), [], {})
            break
        equals = c.ns.get("__eq__")
        if equals is not None and type(equals.d) is FuncObj and "hash_fields" not in c.facts:
            _refuse(it, value)
    equals = class_lookup(d.cls, "__eq__")
    if equals is not None and type(equals[0].d) is FuncObj:
        other = V(Unknown("another key of the same hash"))
        it.each([V(True), V(False)], lambda o: (
            it.compare("==", value, other) if o.d else V(None)
        ))  # fmt: skip


def _refuse(it: Any, value: V) -> None:
    it.throw("TypeError", f"unhashable type: '{it.type_name(value)}'")
