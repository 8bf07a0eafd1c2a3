"""``operator``: the operators as functions, and getters."""

from __future__ import annotations

from typing import Any

from mlapath.models.api import Fn, Library
from mlapath.models.support import unknown
from mlapath.values.objects import Native
from mlapath.values.truth import Truth
from mlapath.values.value import V

BINARY = {
    "add": "+", "concat": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//",
    "mod": "%", "pow": "**", "matmul": "@", "lshift": "<<", "rshift": ">>", "and_": "&",
    "or_": "|", "xor": "^",
}  # fmt: skip
COMPARISONS = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "ge": ">=", "gt": ">",
               "is_": "is", "is_not": "is not"}  # fmt: skip
UNARY = {"neg": "-", "pos": "+", "invert": "~", "inv": "~", "not_": "not"}


def _binary(op: str) -> Fn:
    return lambda it, args, kwargs: it.binop(op, args[0], args[1])


def _inplace(op: str) -> Fn:
    return lambda it, args, kwargs: it.inplace(op, args[0], args[1])


def _compare(op: str) -> Fn:
    return lambda it, args, kwargs: it.compare(op, args[0], args[1])


def _unary(op: str) -> Fn:
    return lambda it, args, kwargs: it.unary(op, args[0])


def _builtin(name: str) -> Fn:
    return lambda it, args, kwargs: it.call(it.builtins[name], args, {})


def _contains(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    result: V = it.compare("in", args[1], args[0])
    return result


def _getitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    result: V = it.getitem(args[0], args[1])
    return result


def _setitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.setitem(args[0], args[1], args[2])
    return V(None)


def _delitem(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    it.delitem(args[0], args[1])
    return V(None)


def _getter(name: str, read: Any) -> Fn:
    """``itemgetter`` and ``attrgetter``: one key gives the item, several a tuple."""

    def make(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        if not args:
            it.throw("TypeError", f"{name} expected at least 1 argument, got 0")

        def run(engine: Any, given: list[V], named: dict[str, V]) -> V:
            found = [read(engine, given[0], key) for key in args]
            return found[0] if len(found) == 1 else V(tuple(found))

        return V(Native(f"operator.{name}()", run))

    return make


def _attribute(it: Any, value: V, path: V) -> V:
    if type(path.d) is not str:
        return unknown("an attribute of an unknown name", "", path.o)
    for name in path.d.split("."):
        value = it.getattr(value, name)
    return value


def _methodcaller(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    def run(engine: Any, given: list[V], named: dict[str, V]) -> V:
        result: V = engine.call(_attribute(engine, given[0], args[0]), args[1:], dict(kwargs))
        return result

    return V(Native("operator.methodcaller()", run))


def _count(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    items = it.iterate(args[0])
    truths = [it.truth(it.compare("==", item, args[1])) for item in items or ()]
    if items is None or it.is_open(args[0]) or Truth.UNKNOWN in truths:
        return unknown("a count of unknown items", "int", lo=0)
    return V(sum(truth is Truth.TRUE for truth in truths))


FUNCTIONS: dict[str, Fn] = {
    **{name: _binary(op) for name, op in BINARY.items()},
    **{f"i{name.rstrip('_')}": _inplace(op) for name, op in BINARY.items()},
    **{name: _compare(op) for name, op in COMPARISONS.items()},
    **{name: _unary(op) for name, op in UNARY.items()},
    "truth": _builtin("bool"), "abs": _builtin("abs"), "index": _builtin("int"),
    "contains": _contains, "getitem": _getitem, "setitem": _setitem, "delitem": _delitem,
    "countOf": _count, "methodcaller": _methodcaller,
    "itemgetter": _getter("itemgetter", lambda it, value, key: it.getitem(value, key)),
    "attrgetter": _getter("attrgetter", _attribute),
    "call": lambda it, args, kwargs: it.call(args[0], args[1:], kwargs),
}  # fmt: skip
LIBRARY = Library(functions={f"operator.{name}": fn for name, fn in FUNCTIONS.items()})
