"""Sameness, order and union of abstract values."""

from __future__ import annotations

import math
from typing import Any

from mlapath.values.family import Family
from mlapath.values.objects import BoundMethod, FuncObj, Instance, Obj
from mlapath.values.origin import merge
from mlapath.values.value import ABSENT, External, Union, Unknown, V, is_scalar

MAX_UNION = 8
MAX_OBJECTS = 32


def same(a: Any, b: Any) -> bool:
    """Whether two contents are certainly the same value."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if type(a) is tuple:
        return len(a) == len(b) and all(same(x.d, y.d) for x, y in zip(a, b, strict=True))
    if type(a) in (float, complex, range):  # 0.0 and -0.0 are equal, not the same; nan is no equal
        return repr(a) == repr(b)
    if is_scalar(a) or type(a) is External or type(a) is Family:
        return bool(a == b)
    if type(a) is FuncObj:
        return _same_function(a, b)
    if type(a) is BoundMethod:
        return same(*_contents(a.func, b.func)) and same(a.self_.d, b.self_.d)
    if type(a) is Union:
        return len(a.options) == len(b.options) and all(
            any(same(x.d, y.d) for y in b.options) for x in a.options
        )
    return False


def _same_function(a: FuncObj, b: FuncObj) -> bool:
    """Made by one ``def`` in one scope: they behave alike."""
    return (
        a.node is b.node and len(a.closure) == len(b.closure) and not a.attrs and not b.attrs
        and all(x is y for x, y in zip(a.closure, b.closure, strict=True))
        and len(a.defaults) == len(b.defaults)
        and all(same(x.d, y.d) for x, y in zip(a.defaults, b.defaults, strict=True))
        and a.kwdefaults.keys() == b.kwdefaults.keys()
        and all(same(x.d, b.kwdefaults[k].d) for k, x in a.kwdefaults.items())
    )  # fmt: skip


def _contents(*functions: Any) -> tuple[Any, ...]:
    return tuple(f.d if isinstance(f, V) else f for f in functions)


def options(value: V) -> tuple[V, ...]:
    """The alternatives of a value."""
    return value.d.options if type(value.d) is Union else (value,)


def may_be_absent(value: V) -> bool:
    """Whether a name or key with this value may not be bound."""
    d = value.d
    return d is ABSENT or type(d) is Union and any(o.d is ABSENT for o in d.options)


def union(values: list[V]) -> V:
    """One of ``values``: deduplicated; an Unknown among them, or more than MAX_UNION, widens.

    ABSENT stays an alternative of its own, also beside an Unknown.
    """
    kept: list[V] = []
    absent: V | None = None
    for value in values:
        for option in options(value):
            if option.d is ABSENT:
                absent = option
                continue
            at = next((i for i, other in enumerate(kept) if same(option.d, other.d)), None)
            if at is None:
                kept.append(option)
            elif is_scalar(option.d):
                kept[at] = from_both(kept[at], option)
    if not kept and absent is not None:
        return absent
    whole = kept[0] if len(kept) == 1 else _widest(kept)
    if absent is None:
        return whole
    return V(Union((absent, *options(whole))), merge(whole.o, absent.o))


def from_both(a: V, b: V) -> V:
    """Two equal values as one: that it is this value rests on the origins of both."""
    if b.o is None or a.o is b.o:
        return a
    return V(a.d, b.o if a.o is None else merge(a.o, b.o))


def _widest(kept: list[V]) -> V:
    origin = merge(*(option.o for option in kept))
    unknown = [option.d for option in kept if type(option.d) is Unknown]
    if unknown and len(unknown) == len(kept) and len({id(d.root) for d in unknown}) == 1:
        return V(unknown[0].bounded(_bound(kept, "lo"), _bound(kept, "hi")), origin)
    if unknown:
        hints = {_hint(option.d) for option in kept}
        return V(
            Unknown(
                unknown[0].why,
                hint=unknown[0].hint if len(hints) == 1 else "",
                lib=_library(unknown) if all(_outside(option.d) for option in kept) else "",
                lo=_bound(kept, "lo"),
                hi=_bound(kept, "hi"),
            ),
            origin,
        )
    if len(kept) > (MAX_OBJECTS if all(isinstance(k.d, Obj) for k in kept) else MAX_UNION):
        hints = {_hint(option.d) for option in kept}
        hint = hints.pop() if len(hints) == 1 and all(is_scalar(k.d) for k in kept) else ""
        return V(
            Unknown(f"more than {MAX_UNION} alternatives", hint, lo=_bound(kept, "lo"),
                    hi=_bound(kept, "hi")),
            origin,
        )  # fmt: skip
    return V(Union(tuple(kept)), origin)


def _library(unknown: list[Unknown]) -> str:
    return next((d.lib for d in unknown if d.lib), "")


def library_of(value: V) -> str:
    """The library whose values all alternatives of ``value`` are (or plain); "" where not."""
    found = [option.d for option in options(value) if option.d is not ABSENT]
    if not all(_outside(d) for d in found):
        return ""
    objects = [d.cls.full for d in found if type(d) is Instance]
    return _library([d for d in found if type(d) is Unknown]) or (objects or [""])[0]


def _outside(d: Any) -> bool:
    """Whether a value is certainly of code outside the tree, or plain."""
    if type(d) is Unknown:
        return bool(d.lib) or d.hint in ("int", "float", "bool", "str")
    if type(d) is Instance:
        return not any(c.path for c in d.cls.mro)
    if type(d) is tuple:
        return all(_outside(x.d) for x in d)
    return is_scalar(d) or type(d) is External


def _hint(d: Any) -> str:
    return d.hint if type(d) is Unknown else type(d).__name__


def _bound(values: list[V], side: str) -> float | None:
    bounds: list[float] = []
    for value in values:
        low, high = _range(value.d)
        bound = low if side == "lo" else high
        if bound is None:
            return None
        bounds.append(bound)
    return min(bounds) if side == "lo" else max(bounds)


def _range(d: Any) -> tuple[float | None, float | None]:
    if type(d) is Unknown:
        return d.lo, d.hi
    if type(d) in (int, float, bool) and not math.isnan(d):
        return d, d
    return None, None


def covers(a: V, b: V) -> bool:
    """Whether every value that ``b`` stands for is one that ``a`` stands for.

    False where it is not plain to see.
    """
    if a.d is b.d:
        return True
    return all(any(_covers(x, y) for x in options(a)) for y in options(b))


def _covers(a: V, b: V) -> bool:
    x, y = a.d, b.d
    if same(x, y):
        return True
    if type(x) is tuple and type(y) is tuple:
        return len(x) == len(y) and all(covers(p, q) for p, q in zip(x, y, strict=True))
    if type(x) is not Unknown or y is ABSENT:
        return False
    if x.lib and not _outside(y):
        return False
    if x.hint and x.hint != _hint(y) and not (
        x.hint == "object" and y is not None and type(y) is not Unknown
    ):  # fmt: skip
        return False
    low, high = _range(y)
    return (x.lo is None or low is not None and x.lo <= low) and (
        x.hi is None or high is not None and high <= x.hi
    )
