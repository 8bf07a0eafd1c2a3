"""The mixin methods of ``Set`` and ``MutableSet``, over the methods of a subclass."""

from __future__ import annotations

from typing import Any

from mlapath.models.abc_access import Mixin, keys, method, truth_value
from mlapath.values.truth import Truth, both
from mlapath.values.value import External, Unknown, V

NOT_IMPLEMENTED = "NotImplemented"


def _kind(it: Any, value: V, name: str) -> Truth:
    return it.isinstance(value, it.models.symbol(it, f"collections.abc.{name}"))  # type: ignore[no-any-return]


def _within(it: Any, left: V, right: V) -> Truth:
    """Whether every item of ``left`` is in ``right``."""
    found, opened = keys(it, left)
    result = Truth.UNKNOWN if opened else Truth.TRUE
    for item in found:
        result = both(result, it.contains(right, item))
    return result


def _relation(less: bool, strict: bool, same: bool) -> Mixin:
    def compare(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        kind = _kind(it, args[1], "Set")
        if kind is Truth.FALSE:
            return V(External(NOT_IMPLEMENTED))
        if kind is Truth.UNKNOWN:
            return V(Unknown("a relation of unknown sets", "bool"))
        inside = _within(it, args[0], args[1]) if less else _within(it, args[1], args[0])
        if not (strict or same):
            return truth_value(inside, "a relation of unknown sets")
        back = _within(it, args[1], args[0]) if less else _within(it, args[0], args[1])
        if strict:
            back = Truth.of(back is Truth.FALSE) if back is not Truth.UNKNOWN else back
        return truth_value(both(inside, back), "a relation of unknown sets")

    return compare


def _combine(keep_left: Any, keep_right: Any) -> Mixin:
    """A set of the items of either side that the two predicates of the other side keep."""

    def run(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        kind = _kind(it, args[1], "Iterable")
        if kind is Truth.FALSE:
            return V(External(NOT_IMPLEMENTED))
        made = it.heap.list([])
        _, opened = keys(it, args[1])
        opened = opened or keys(it, args[0])[1]
        other = it.call(it.builtins["set"], [args[1]], {})
        for source, against, keep in ((args[0], other, keep_left), (other, args[0], keep_right)):
            for item in keys(it, source)[0] if keep is not None else ():
                truth = keep(it.contains(against, item))
                if truth is not Truth.FALSE:
                    made.items.append(item)
                if truth is Truth.UNKNOWN:
                    opened = opened or "a combination of unknown sets"
        if opened:
            it.heap.open_list(made, opened)
        return _from_iterable(it, args[0], V(made))

    return run


def _from_iterable(it: Any, self: V, items: V) -> V:
    return method(it, self, "_from_iterable", items)


def _all(truth: Truth) -> Truth:
    return Truth.TRUE


def _same(truth: Truth) -> Truth:
    return truth


def _not(truth: Truth) -> Truth:
    return truth if truth is Truth.UNKNOWN else Truth.of(truth is Truth.FALSE)


def is_disjoint(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = keys(it, args[1])
    result = Truth.UNKNOWN if opened else Truth.TRUE
    for item in found:
        result = both(result, _not(it.contains(args[0], item)))
    return truth_value(result, "a relation of unknown sets")


def from_iterable(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``cls._from_iterable(items)``: ``cls(items)`` unless a subclass says otherwise."""
    return it.call(args[0], [args[1]], {})  # type: ignore[no-any-return]


def _flip(run: Mixin) -> Mixin:
    def flipped(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        made = _from_iterable(it, args[0], args[1])
        return run(it, [made, args[0]], kwargs)

    return flipped


# -- MutableSet ----------------------------------------------------------------------------


def remove(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    if it.contains(args[0], args[1]) is Truth.FALSE:
        it.throw_key(args[1])
    return method(it, args[0], "discard", args[1])


def pop(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = keys(it, args[0])
    if not found and not opened:
        raise it.make_raise(it.exception("KeyError", []))
    if opened or len(found) > 1:
        it.havoc(args[0], opened or "an arbitrary item was popped")
        return V(Unknown("an arbitrary item of a set"))
    method(it, args[0], "discard", found[0])
    return found[0]


def clear(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    found, opened = keys(it, args[0])
    for item in found:
        method(it, args[0], "discard", item)
    if opened:
        it.havoc(args[0], opened)
    return V(None)


def _in_place(change: str) -> Mixin:
    """Call ``change`` (``add`` or ``discard``) with the items of the other side."""

    def run(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        found, opened = keys(it, args[1])
        for item in found:
            method(it, args[0], change, item)
        if opened:
            it.havoc(args[0], opened)
        return args[0]

    return run


def keep_common(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``self &= other``."""
    found, opened = keys(it, args[0])
    for item in found:
        truth = it.contains(args[1], item)
        if truth is Truth.FALSE:
            method(it, args[0], "discard", item)
        elif truth is Truth.UNKNOWN:
            opened = opened or "an intersection with something unknown"
    if opened:
        it.havoc(args[0], opened)
    return args[0]


AND, OR = _combine(None, _same), _combine(_all, _all)
SUB, XOR = _combine(_not, None), _combine(_not, _not)
SET: dict[str, Mixin] = {
    "__le__": _relation(True, False, False), "__lt__": _relation(True, True, False),
    "__ge__": _relation(False, False, False), "__gt__": _relation(False, True, False),
    "__eq__": _relation(True, False, True), "isdisjoint": is_disjoint,
    "__and__": AND, "__rand__": AND, "__or__": OR, "__ror__": OR, "__sub__": SUB,
    "__rsub__": _flip(SUB), "__xor__": XOR, "__rxor__": XOR,
}  # fmt: skip
MUTABLE: dict[str, Mixin] = {
    "remove": remove, "pop": pop, "clear": clear, "__ior__": _in_place("add"),
    "__isub__": _in_place("discard"), "__iand__": keep_common,
}  # fmt: skip
