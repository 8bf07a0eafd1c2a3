"""Element types of arrays: sizes, limits, what a number becomes when it is stored.

Sizes and limits are those of IEEE 754, the OCP 8-bit formats and two's complement; they agree
with ``torch.finfo`` and ``torch.iinfo`` of torch 2.13.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from mlapath.values.value import Unknown, V


class DType(NamedTuple):
    """kind: ``b`` bool, ``i`` signed, ``u`` unsigned, ``f`` float, ``c`` complex.

    size: bytes of one element. digits: bits of the significand of a float (for a complex, of
    its parts), hidden one included. low, high: smallest normal exponent and the largest one,
    as ``frexp`` counts them; numbers outside are not followed.
    """

    name: str
    kind: str
    size: int
    digits: int = 0
    low: int = 0
    high: int = 0


_INTEGERS = tuple(
    DType(f"{prefix}int{bits}", kind, bits // 8)
    for prefix, kind in (("", "i"), ("u", "u"))
    for bits in (8, 16, 32, 64)
)
_FLOATS = (
    DType("float16", "f", 2, 11, -13, 15), DType("bfloat16", "f", 2, 8, -125, 127),
    DType("float32", "f", 4, 24, -125, 127), DType("float64", "f", 8, 53, -1021, 1023),
    DType("float8_e4m3fn", "f", 1, 4, -5, 8), DType("float8_e5m2", "f", 1, 3, -13, 15),
    DType("float8_e4m3fnuz", "f", 1, 4, -6, 7), DType("float8_e5m2fnuz", "f", 1, 3, -14, 15),
    DType("float8_e8m0fnu", "f", 1, 1, -126, 127), DType("float4_e2m1fn_x2", "f", 1, 2, 1, 2),
)  # fmt: skip
_COMPLEX = (
    DType("complex32", "c", 4), DType("complex64", "c", 8), DType("complex128", "c", 16),
)  # fmt: skip
DTYPES: dict[str, DType] = {
    t.name: t for t in (DType("bool", "b", 1), *_INTEGERS, *_FLOATS, *_COMPLEX)
}
FINFO: dict[str, tuple[float, float, float, float, float]] = {
    "float16": (65504.0, -65504.0, 2.0**-10, 2.0**-14, 1e-3),
    "bfloat16": (3.3895313892515355e38, -3.3895313892515355e38, 2.0**-7, 2.0**-126, 1e-2),
    "float32": (3.4028234663852886e38, -3.4028234663852886e38, 2.0**-23, 2.0**-126, 1e-6),
    "float64": (1.7976931348623157e308, -1.7976931348623157e308, 2.0**-52, 2.0**-1022, 1e-15),
    "float8_e4m3fn": (448.0, -448.0, 2.0**-3, 2.0**-6, 1.0),
    "float8_e5m2": (57344.0, -57344.0, 2.0**-2, 2.0**-14, 1.0),
    "float8_e4m3fnuz": (240.0, -240.0, 2.0**-3, 2.0**-7, 1.0),
    "float8_e5m2fnuz": (57344.0, -57344.0, 2.0**-3, 2.0**-15, 1.0),
    "float8_e8m0fnu": (2.0**127, 2.0**-127, 1.0, 2.0**-127, 1.0),
}
"""max, min, eps, smallest_normal (tiny), resolution."""

_CATEGORY = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def limits(name: str) -> tuple[int, int]:
    """The smallest and the largest value of an integer type."""
    t = DTYPES[name]
    bits = 8 * t.size
    return (0, 2**bits - 1) if t.kind == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def hint(name: str | None) -> str:
    """The Python type of an element: ``bool int float``, or ""."""
    kind = DTYPES[name].kind if name in DTYPES else ""
    return {"b": "bool", "i": "int", "u": "int", "f": "float"}.get(kind, "")


def unknown(name: str | None, why: str) -> V:
    """An element that is not known."""
    kind = DTYPES[name].kind if name in DTYPES else ""
    return V(Unknown(why, hint(name), lo=0 if kind == "u" else None))


def fit(value: V, name: str) -> V:
    """What ``value`` becomes when it is stored in an array of type ``name``."""
    t = DTYPES[name]
    d = value.d
    if type(d) not in (bool, int, float):
        return _fit_unknown(value, t)
    if t.kind == "b":
        return V(bool(d), value.o)
    if t.kind in "iu":
        low, high = limits(name)
        if type(d) is float and not math.isfinite(d) or not low <= d <= high:
            return V(unknown(name, f"a number outside the range of {name}").d, value.o)
        return V(int(d), value.o)
    rounded = _round(float(d), t) if t.kind == "f" and _small(d) else None
    if rounded is None:
        return V(Unknown(f"a {name} number", hint(name)), value.o)
    return V(rounded, value.o)


def fit_all(values: Iterable[V], name: str) -> list[V]:
    """``fit`` for each value. Items that are not known for the same reason share one unknown."""
    made: dict[int, tuple[V, V]] = {}
    unknowns: dict[object, V] = {}
    out: list[V] = []
    for value in values:
        pair = made.get(id(value))
        if pair is None:
            item = fit(value, name)
            if type(item.d) is Unknown and item is not value:
                item = unknowns.setdefault((item.d.why, item.d.text, id(item.o)), item)
            pair = made[id(value)] = (value, item)
        out.append(pair[1])
    return out


def _small(d: float) -> bool:
    return type(d) is float or abs(d) < 2**1000


def _round(x: float, t: DType) -> float | None:
    """Round to the nearest, ties to even; None where the type's range does not clearly hold x."""
    if x == 0 or t.digits >= 24 and not math.isfinite(x):
        return x
    if not math.isfinite(x):
        return None
    if t.digits < 24:  # narrow types are computed in float32 and then rounded once more
        single = _round(x, DTYPES["float32"])
        if single is None:
            return None
        x = single
    fraction, exponent = math.frexp(x)
    if not t.low <= exponent <= t.high:
        return None
    return math.ldexp(round(math.ldexp(fraction, t.digits)), exponent - t.digits)


def _fit_unknown(value: V, t: DType) -> V:
    d = value.d
    if type(d) is Unknown and t.kind in "iu" and d.hint in ("int", "bool"):
        low, high = limits(t.name)
        if (d.lo is None or d.lo >= low) and (d.hi is None or d.hi <= high):
            return value
    if type(d) is Unknown and d.hint == hint(t.name) == "bool":
        return value
    text = d.text if type(d) is Unknown else ""
    why = d.why if type(d) is Unknown else f"a {t.name} number"
    return V(Unknown(why, hint(t.name), lo=0 if t.kind == "u" else None, text=text), value.o)


def promote(a: str, b: str) -> str:
    """The type of the result of arithmetic between arrays of types ``a`` and ``b``."""
    if a == b:
        return a
    x, y = DTYPES[a], DTYPES[b]
    if _CATEGORY[x.kind] != _CATEGORY[y.kind]:
        wide, narrow = (x, y) if _CATEGORY[x.kind] > _CATEGORY[y.kind] else (y, x)
        if wide.kind == "c" and narrow.kind == "f":
            parts = 4 if narrow.name == "bfloat16" else narrow.size
            return {4: "complex32", 8: "complex64"}.get(max(wide.size, 2 * parts), "complex128")
        return wide.name
    if x.kind == "f" and x.size == y.size == 2:
        return "float32"
    if x.kind == y.kind:
        return a if x.size >= y.size else b
    signed, unsigned = (x, y) if x.kind == "i" else (y, x)
    if signed.size > unsigned.size:
        return signed.name
    return f"int{min(64, 16 * unsigned.size)}"


def with_scalar(name: str, scalar: str, default: str) -> str:
    """The type of array ``name`` with a Python scalar (``bool int float complex``).

    default: the float type that an integer array is promoted to.
    """
    category = {"bool": 0, "int": 1, "float": 2, "complex": 3}.get(scalar, 1)
    own = _CATEGORY[DTYPES[name].kind]
    if category <= own:
        return name
    return {1: "int64", 2: default, 3: "complex64"}[category]
