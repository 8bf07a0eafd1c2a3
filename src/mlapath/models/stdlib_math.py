"""``math``: computed by CPython; of what is not known, bounds where they follow."""

from __future__ import annotations

import math
from typing import Any

from mlapath.models.api import Fn, Library
from mlapath.models.support import constants, origins, pure, unknown
from mlapath.values.objects import Instance
from mlapath.values.value import Unknown, V

INTS = ("comb", "factorial", "gcd", "lcm", "isqrt", "perm")
FLOATS = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "copysign", "cos", "cosh",
    "degrees", "erf", "erfc", "expm1", "fmod", "gamma", "ldexp", "lgamma", "log", "log10",
    "log1p", "log2", "nextafter", "pow", "radians", "remainder", "sin", "sinh", "tan", "tanh",
    "ulp", "cbrt", "exp2",
)  # fmt: skip
POSITIVE = ("exp", "fabs", "hypot", "sqrt", "dist")
BOOLS = ("isclose", "isfinite", "isinf", "isnan")
TUPLES = ("frexp", "modf")


def _function(name: str, hint: str, *, lo: float | None = None) -> dict[str, Fn]:
    real = getattr(math, name, None)  # some are newer than the oldest Python that runs this
    return {} if real is None else {f"math.{name}": pure(f"math.{name}", real, hint, lo=lo)}


def _rounded(name: str) -> Fn:
    """``ceil floor trunc``: monotone, so the bounds are rounded too."""
    real = getattr(math, name)
    compute = pure(f"math.{name}", real, "int")

    def fn(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
        d = args[0].d
        if type(d) is Instance and d.payload is None:
            special = it.lookup_special(args[0], f"__{name}__")
            if special is not None:
                return it.call(special, [], {})  # type: ignore[no-any-return]
        if type(d) is Unknown:
            low, high = (None if x is None or math.isinf(x) else real(x) for x in (d.lo, d.hi))
            text = f"math.{name}({d.text})" if d.text else ""
            return V(Unknown(d.why, "int", lo=low, hi=high, text=text), args[0].o)
        return compute(it, args, kwargs)

    return fn


def _prod(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    """``prod(iterable, *, start=1)``."""
    items = it.iterate(args[0])
    total: V = kwargs.get("start", V(1))
    if items is None or it.is_open(args[0]):
        return unknown("the product of unknown items", "", origins(args, kwargs))
    for item in items:
        total = it.binop("*", total, item)
    return V(total.d, total.o or args[0].o)


def _fsum(it: Any, args: list[V], kwargs: dict[str, V]) -> V:
    items = it.iterate(args[0])
    if items is None or it.is_open(args[0]):
        return unknown("the sum of unknown items", "float", args[0].o)
    return pure("math.fsum", math.fsum, "float")(it, [V(tuple(items), args[0].o)], {})


FUNCTIONS: dict[str, Fn] = {
    **{f"math.{name}": _rounded(name) for name in ("ceil", "floor", "trunc")},
    "math.prod": _prod,
    "math.fsum": _fsum,
}
for _name in INTS:
    FUNCTIONS.update(_function(_name, "int", lo=0))
for _name in FLOATS:
    FUNCTIONS.update(_function(_name, "float"))
for _name in POSITIVE:
    FUNCTIONS.update(_function(_name, "float", lo=0))
for _name in BOOLS:
    FUNCTIONS.update(_function(_name, "bool"))
for _name in TUPLES:
    FUNCTIONS.update(_function(_name, "tuple"))

LIBRARY = Library(functions=FUNCTIONS, values=constants("math", math, "pi e tau inf nan"))
