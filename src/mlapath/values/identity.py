"""Which value an unknown is: what is learnt of one holds wherever the same unknown is.

An object that stands for several, and a list that may hold any number of its items, give another
value each time they are read. What such an unknown is at one time tells nothing of the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlapath.values.union import options, union
from mlapath.values.value import Union, Unknown, V


def fresh(value: V) -> V:
    """The same, as one value that has nothing to do with what was learnt of others."""
    return replace(value, lambda d: Unknown(d.why, d.hint, d.lib, d.lo, d.hi, d.text))


def several(value: V) -> V:
    """The same, as what may be another value each time that it is read."""
    return replace(value, _several)


def _several(d: Unknown) -> Unknown:
    if d.several:
        return d
    made = Unknown(d.why, d.hint, d.lib, d.lo, d.hi, d.text)
    made.several = True
    return made


def is_several(value: V) -> bool:
    """Whether every unknown in a value may be another one each time that it is read."""
    return several(value) is value


def unknowns(value: V) -> list[Unknown]:
    """The unknowns that a value is made of, also those inside tuples."""
    found: list[Unknown] = []

    def note(d: Unknown) -> Unknown:
        found.append(d)
        return d

    replace(value, note)
    return found


def replace(value: V, copy: Callable[[Unknown], Unknown]) -> V:
    """The value with another unknown in the place of each."""
    d: Any = value.d
    if type(d) is Unknown:
        copied = copy(d)
        return value if copied is d else V(copied, value.o)
    if type(d) is Union:
        parts = [replace(option, copy) for option in options(value)]
        kept = all(a is b for a, b in zip(parts, d.options, strict=True))
        return value if kept else V(union(parts).d, value.o)
    if type(d) is tuple:
        parts = [replace(item, copy) for item in d]
        kept = all(a is b for a, b in zip(parts, d, strict=True))
        return value if kept else V(tuple(parts), value.o)
    return value


__all__ = ["fresh", "is_several", "replace", "several", "unknowns"]
