"""Drawn abstract values, and what they stand for.

The meaning is written down here a second time, independently of the evaluator: ``stands_for``
says whether a value stands for a content. A content is a plain Python scalar, a tuple of
contents, an object of the heap, an ``External``, or ABSENT.
"""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from mlapath.values.heap import Heap
from mlapath.values.objects import BoundMethod, ClassObj, Instance, Native
from mlapath.values.union import union
from mlapath.values.value import ABSENT, External, Union, Unknown, V, is_scalar

HEAP = Heap()
OF_TREE = ClassObj("Own", "Own", "subject", (), HEAP.cell(), path="subject.py")
OF_LIBRARY = ClassObj("Foreign", "Foreign", "library", (), HEAP.cell())
OBJECTS: tuple[Any, ...] = (
    Instance(OF_TREE, HEAP.cell()), Instance(OF_TREE, HEAP.cell()),
    Instance(OF_LIBRARY, HEAP.cell()), HEAP.list([]), HEAP.list([V(1)]), HEAP.dict(), OF_TREE,
    Native("native", lambda engine, args, kwargs: V(None)),
)  # fmt: skip
METHODS = (BoundMethod(OBJECTS[-1], V(OBJECTS[0])), BoundMethod(OBJECTS[-1], V(OBJECTS[1])))
EXTERNALS = (External("library.first"), External("library.second"))

INTS = st.integers(-3, 6)
SCALARS = st.one_of(
    INTS, INTS,
    st.sampled_from([0.0, -0.0, 1.0, 2.5, math.nan, math.inf, -math.inf]),
    st.sampled_from([None, True, False, "", "a", "b", b"a", ..., 1j, complex(0, 0),
                     complex(0, -0.0), range(0), range(2, 2), range(3)]),
)  # fmt: skip
CONTENTS = st.recursive(
    st.one_of(SCALARS, st.sampled_from(OBJECTS), st.sampled_from(EXTERNALS)),
    lambda inner: st.lists(inner, max_size=2).map(tuple),
    max_leaves=3,
)
BOUNDS = st.one_of(st.none(), st.integers(-2, 4))


@st.composite
def unknowns(draw: st.DrawFn) -> V:
    """An Unknown: of any type, or of one; with bounds where it is a number."""
    hint = draw(st.sampled_from(["", "int", "float", "bool", "str", "tuple", "object", "tensor"]))
    lo, hi = draw(BOUNDS), draw(BOUNDS)
    if hint not in ("", "int", "float"):
        lo = hi = None
    if lo is not None and hi is not None and lo > hi:
        lo, hi = hi, lo
    lib = draw(st.sampled_from(["", "", "library.one", "library.two"]))
    return V(Unknown("drawn", hint, lib, lo, hi))


def lifted(content: Any) -> V:
    """The value that stands for just this content."""
    return V(tuple(lifted(x) for x in content)) if type(content) is tuple else V(content)


KNOWN = CONTENTS.map(lifted)
SINGLE = st.one_of(KNOWN, KNOWN, unknowns(), st.sampled_from(METHODS).map(V))


@st.composite
def values(draw: st.DrawFn, *, absent: bool = True) -> V:
    """Any value, made of other values as the evaluator makes them."""
    most = draw(st.sampled_from([1, 2, 4, 11]))
    parts = [
        V(tuple(draw(st.lists(SINGLE, max_size=2)))) if draw(st.integers(0, 5)) == 0 else part
        for part in draw(st.lists(SINGLE, min_size=1, max_size=most))
    ]
    if absent and draw(st.integers(0, 3)) == 0:
        parts.append(V(ABSENT))
    return union(parts)


ANY = values()
BOUND = values(absent=False)


def identical(a: Any, b: Any) -> bool:
    """Whether two contents are one and the same to the program."""
    if type(a) is tuple and type(b) is tuple:
        return len(a) == len(b) and all(map(identical, a, b))
    if is_scalar(a) and is_scalar(b):
        return type(a) is type(b) and repr(a) == repr(b)
    if type(a) is BoundMethod and type(b) is BoundMethod:
        return a.func is b.func and a.self_.d is b.self_.d
    return a is b or type(a) is External and a == b


def stands_for(value: V, content: Any) -> bool:
    """Whether a value stands for a content."""
    d = value.d
    if type(d) is Union:
        return any(stands_for(option, content) for option in d.options)
    if d is ABSENT or content is ABSENT:
        return d is content
    if type(d) is tuple:
        return (
            type(content) is tuple and len(d) == len(content) and all(map(stands_for, d, content))
        )
    return _may_be(d, content) if type(d) is Unknown else identical(d, content)


def _may_be(d: Unknown, content: Any) -> bool:
    if d.lib and not _outside(content):
        return False
    if d.hint == "object" and content is None:
        return False
    if d.hint not in ("", "object") and d.hint != type(content).__name__:
        return False
    if d.lo is None and d.hi is None:
        return True
    if type(content) not in (bool, int, float) or math.isnan(content):
        return False
    return (d.lo is None or d.lo <= content) and (d.hi is None or content <= d.hi)


def _outside(content: Any) -> bool:
    """Whether a content may come out of a library, or is plain."""
    if type(content) is tuple:
        return all(map(_outside, content))
    if type(content) is Instance:
        return content.cls is OF_LIBRARY
    return is_scalar(content) or type(content) is External


def contents_of(value: V) -> list[Any]:
    """Some of the contents that a value stands for."""
    d = value.d
    if type(d) is Union:
        return [content for option in d.options for content in contents_of(option)]
    if type(d) is Unknown:
        return [x for x in SAMPLES if stands_for(value, x)]
    if type(d) is tuple:
        made: list[Any] = [()]
        for part in d:
            made = [(*left, right) for left in made[:4] for right in contents_of(part)[:4]]
        return made
    return [d]


SAMPLES: tuple[Any, ...] = (
    *range(-4, 8), *(x / 2 for x in range(-8, 16)), math.nan, True, False, None, "", "a", b"a",
    ..., 1j, range(3), (), (1,), (None, "a"), *OBJECTS, *EXTERNALS,
)  # fmt: skip
