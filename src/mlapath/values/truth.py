"""Three-valued logic (Kleene).

======  =====  =====  =======
a       not a  a & U  a | U
======  =====  =====  =======
TRUE    FALSE  U      TRUE
FALSE   TRUE   FALSE  U
U       U      U      U
======  =====  =====  =======
"""

from __future__ import annotations

from enum import Enum


class Truth(Enum):
    """The outcome of a guard; it has no Python truth value, so that none is taken by accident."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        raise TypeError("compare a Truth with `is`")

    @staticmethod
    def of(flag: bool) -> Truth:
        """The truth of a known flag."""
        return Truth.TRUE if flag else Truth.FALSE


def negate(a: Truth) -> Truth:
    """Kleene negation."""
    if a is Truth.UNKNOWN:
        return a
    return Truth.FALSE if a is Truth.TRUE else Truth.TRUE


def both(a: Truth, b: Truth) -> Truth:
    """Kleene conjunction."""
    if a is Truth.FALSE or b is Truth.FALSE:
        return Truth.FALSE
    return Truth.TRUE if a is Truth.TRUE and b is Truth.TRUE else Truth.UNKNOWN


def either(a: Truth, b: Truth) -> Truth:
    """Kleene disjunction."""
    return negate(both(negate(a), negate(b)))
