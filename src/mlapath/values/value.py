"""Abstract values.

A ``V`` pairs what is known (``d``) with where it came from (``o``).  ``d`` is one of

- a Python scalar: None, bool, int, float, complex, str, bytes, Ellipsis, range; concrete;
- a Python tuple of ``V``;
- a heap object of ``values.objects`` (mutable, compared by identity);
- ``External``: a symbol of code that is not in the tree;
- ``Union``: one of a few alternatives;
- ``Unknown``: any value, with the reason why it is not known.
"""

from __future__ import annotations

from typing import Any

from mlapath.values.origin import Origin


class V:
    """A value with its origin. Treat as immutable."""

    __slots__ = ("d", "o")

    def __init__(self, d: Any, o: Origin | None = None) -> None:
        self.d = d
        self.o = o

    def __repr__(self) -> str:
        return f"V({self.d!r})"


class Absent:
    """As an alternative of a ``Union``: the name or key may not be bound at all."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()


class Unknown:
    """Any value.

    why: what is missing, for the reader.
    hint: the type where it is known (``int float bool str tensor list dict type``), else "".
    lib: qualified name in code outside the tree that gave it, else "" (then it may be
        anything of the analysed program).
    lo, hi: bounds of a number, inclusive, where known.
    text: the value in the program's terms, for conditions.
    same: equal for values that are surely equal, such as the hashes of equal keys; else None.
    several: it stands for values of several places: for another one each time it is read.
    made: of a whole number that is the sum or difference of two: ``+`` or ``-``, and these.
    less: the unknown that this one was before a guard told more of it, or None.
    member: the name under which it was read from something unknown, else "".
    """

    __slots__ = (
        "hi", "hint", "less", "lib", "lo", "made", "member", "same", "several", "text", "truths",
        "why",
    )  # fmt: skip

    def __init__(
        self,
        why: str,
        hint: str = "",
        lib: str = "",
        lo: float | None = None,
        hi: float | None = None,
        text: str = "",
        same: object = None,
    ) -> None:
        self.why = why
        self.same = same
        self.several = False
        self.made: tuple[str, Any, Any] | None = None
        self.less: Unknown | None = None
        self.member = ""
        self.hint = hint
        self.lib = lib
        self.lo = lo
        self.hi = hi
        self.text = text
        self.truths: dict[object, Unknown] | None = None

    def is_same(self, other: Unknown) -> bool:
        """Whether both are certainly one whole number, perhaps with other bounds known of it."""
        return self.hint == other.hint == "int" and self.root is other.root and not self.several

    @property
    def root(self) -> Unknown:
        """The unknown that this one was before any guard told more of it: the same value."""
        return self if self.less is None else self.less

    def bounded(self, lo: float | None, hi: float | None) -> Unknown:
        """The same number, which is known to be within these bounds."""
        if (lo, hi) == (self.root.lo, self.root.hi):
            return self.root
        made = Unknown(self.why, self.hint, self.lib, lo, hi, self.text, self.same)
        made.several = self.several
        made.less = self.root
        return made

    def derived(self, key: object, make: Unknown) -> Unknown:
        """The same unknown for the same question asked twice of this value."""
        if self.several:
            return make
        if self.truths is None:
            self.truths = {}
        return self.truths.setdefault(key, make)

    def __repr__(self) -> str:
        return f"Unknown({self.why!r}{', ' + self.hint if self.hint else ''})"


class External:
    """A symbol of code that is not in the tree, e.g. ``torch.float32``."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, External) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"External({self.name})"


class Union:
    """One of ``options``.

    Each is a ``V`` whose ``d`` is not itself a Union; an Unknown stands only beside ABSENT.
    """

    __slots__ = ("options",)

    def __init__(self, options: tuple[V, ...]) -> None:
        self.options = options

    def __repr__(self) -> str:
        return f"Union{self.options!r}"


SCALARS = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), range)
SCALAR_TYPES = frozenset(SCALARS)


def is_scalar(d: object) -> bool:
    """Whether ``d`` is a concrete Python scalar."""
    return type(d) in SCALAR_TYPES


NONE = V(None)
TRUE = V(True)
FALSE = V(False)
