"""``bisect``, ``heapq``, ``numbers``, ``decimal``, ``fractions``, ``statistics``."""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Callable
from typing import Any

from mlapath.models.api import Factory, Fn, Library, argument, make_class
from mlapath.models.standard import late
from mlapath.models.support import gives, opaque_class, pure, unknown
from mlapath.values.objects import Instance, ListObj
from mlapath.values.truth import Truth
from mlapath.values.value import External, Union, Unknown, V

Args = list[V]
Kwargs = dict[str, V]


class _Ordered:
    """An item that CPython's own algorithms compare as the program would."""

    __slots__ = ("it", "key", "unsure", "value")

    def __init__(self, it: Any, value: V, key: V, unsure: list[bool]) -> None:
        self.it = it
        self.value = value
        self.key = key
        self.unsure = unsure

    def __lt__(self, other: _Ordered) -> bool:
        truth = self.it.truth(self.it.compare("<", self.key, other.key))
        if truth is Truth.UNKNOWN:
            self.unsure.append(True)
        return truth is Truth.TRUE


def _wrap(it: Any, items: list[V], key: V, unsure: list[bool]) -> list[_Ordered]:
    def rank(value: V) -> V:
        ranked: V = value if key.d is None else it.call(key, [value], {})
        return ranked

    return [_Ordered(it, value, rank(value), unsure) for value in items]


def _list(value: V) -> ListObj | None:
    d = value.d.payload if type(value.d) is Instance else value.d
    return d if type(d) is ListObj else None


# -- heapq ---------------------------------------------------------------------------------


def _heap(algorithm: Callable[..., _Ordered | None]) -> Fn:
    """A function that changes a heap, a list, in place."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        target = _list(args[0])
        if target is None:
            it.havoc(args[0], "an unknown heap was changed")
            return unknown("an item of an unknown heap")
        if target.open:
            return unknown("an item of a heap that is not fully known")
        unsure: list[bool] = []
        items = _wrap(it, target.items, V(None), unsure)
        extra = _wrap(it, args[1:], V(None), unsure)
        if not items and algorithm in (heapq.heappop, heapq.heapreplace):
            it.throw("IndexError", "index out of range")
        found = algorithm(items, *extra)
        it.heap.put(target.cell, "items", [x.value for x in items])
        if unsure:
            it.heap.open_list(target, "a heap of unknown order")
            return unknown("an item of a heap of unknown order") if found is not None else V(None)
        return V(None) if found is None else found.value

    return fn


def _extremes(algorithm: Any, name: str) -> Fn:
    """``nsmallest`` and ``nlargest``."""

    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        items = it.iterate(args[1])
        count = args[0].d
        key = argument(args, kwargs, 2, "key") or V(None)
        if items is None or it.is_open(args[1]) or type(count) is not int:
            return unknown(f"{name}() of unknown items", "list", args[1].o)
        unsure: list[bool] = []
        found = algorithm(count, _wrap(it, items, key, unsure))
        made = it.heap.list([x.value for x in found])
        if unsure:
            it.heap.open_list(made, "items of unknown order")
        return V(made)

    return fn


# -- bisect --------------------------------------------------------------------------------


def _position(it: Any, algorithm: Any, args: Args, kwargs: Kwargs) -> int | None:
    items = it.iterate(args[0])
    lo = (argument(args, kwargs, 2, "lo") or V(0)).d
    hi = (argument(args, kwargs, 3, "hi") or V(None)).d
    key = kwargs.get("key", V(None))
    if items is None or it.is_open(args[0]) or type(lo) is not int or (
        type(hi) not in (int, type(None))
    ):  # fmt: skip
        return None
    unsure: list[bool] = []
    wanted = _Ordered(it, args[1], args[1], unsure)
    place: int = algorithm(_wrap(it, list(items), key, unsure), wanted, lo,
                           len(items) if hi is None else hi)  # fmt: skip
    return None if unsure else place


def _bisect(algorithm: Any) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        place = _position(it, algorithm, args, kwargs)
        if place is None:
            return unknown("a position among unknown items", "int", args[1].o, lo=0)
        return V(place)

    return fn


def _insort(algorithm: Any) -> Fn:
    def fn(it: Any, args: Args, kwargs: Kwargs) -> V:
        key = kwargs.get("key", V(None))
        wanted = args[1] if key.d is None else it.call(key, [args[1]], {})
        place = _position(it, algorithm, [args[0], wanted, *args[2:]], kwargs)
        target = _list(args[0])
        if target is None:
            it.call(it.getattr(args[0], "insert"), [unknown("a position", "int"), args[1]], {})
        elif place is None:
            it.heap.open_list(target, "inserted at an unknown position")
        else:
            it.heap.items_for_write(target).insert(place, args[1])
        return V(None)

    return fn


# -- numbers -------------------------------------------------------------------------------

TOWER: dict[str, tuple[str, ...]] = {
    "Number": ("int", "float", "bool", "complex"), "Complex": ("int", "float", "bool", "complex"),
    "Real": ("int", "float", "bool"), "Rational": ("int", "bool"), "Integral": ("int", "bool"),
}  # fmt: skip


def _tower(name: str) -> Factory:
    def instances(it: Any, value: V) -> Truth:
        d = value.d.payload if type(value.d) is Instance else value.d
        if type(value.d) is Instance and d is None:
            return Truth.UNKNOWN if value.d.cls.foreign else Truth.FALSE
        if type(d) is Unknown:
            if d.hint in ("", "object"):
                return Truth.UNKNOWN
            return Truth.of(d.hint in TOWER[name])
        return Truth.UNKNOWN if type(d) in (Union, External) else Truth.of(
            type(d).__name__ in TOWER[name])  # fmt: skip

    virtual = frozenset(f"builtins.{kind}" for kind in TOWER[name])
    facts = {"instances": instances, "virtual": virtual}
    return lambda it: V(make_class(it, f"numbers.{name}", facts=facts))


STATISTICS = ("mean", "fmean", "median", "mode", "stdev", "pstdev", "variance", "pvariance",
              "geometric_mean", "harmonic_mean", "median_low", "median_high")  # fmt: skip
LIBRARY = Library(
    functions={
        "heapq.heappush": _heap(heapq.heappush), "heapq.heappop": _heap(heapq.heappop),
        "heapq.heapify": _heap(heapq.heapify), "heapq.heapreplace": _heap(heapq.heapreplace),
        "heapq.heappushpop": _heap(heapq.heappushpop),
        "heapq.nsmallest": _extremes(heapq.nsmallest, "nsmallest"),
        "heapq.nlargest": _extremes(heapq.nlargest, "nlargest"),
        "heapq.merge": gives("heapq.merge", "list"),
        "bisect.bisect_left": _bisect(bisect.bisect_left),
        "bisect.bisect_right": _bisect(bisect.bisect_right),
        "bisect.insort_left": _insort(bisect.bisect_left),
        "bisect.insort_right": _insort(bisect.bisect_right),
        **{f"statistics.{name}": pure(f"statistics.{name}", late("statistics", name))
           for name in STATISTICS},
    },
    values={
        **{f"numbers.{name}": _tower(name) for name in TOWER},
        "decimal.Decimal": opaque_class("decimal.Decimal"),
        "fractions.Fraction": opaque_class("fractions.Fraction"),
        "statistics.StatisticsError": lambda it: V(make_class(
            it, "statistics.StatisticsError", (it.builtins["ValueError"].d,))),
    },
    aliases={"bisect.bisect": "bisect.bisect_right", "bisect.insort": "bisect.insort_right"},
)  # fmt: skip
